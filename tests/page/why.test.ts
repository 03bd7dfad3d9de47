import { describe, expect, test } from "vitest";
import { CARDS, cardOf } from "../../www/chain/cards";
import { EngineClient } from "../../www/engine/client";
import { KEPT } from "../../www/engine/protocol";
import { type Picture, Playground } from "../../www/playground";
import { fateOf } from "../../www/sentences";
import { INITIAL_STATE, type Setting, type State, withSetting } from "../../www/state";
import { isExplained, reason } from "../../www/why";
import { LocalPort, openFromDisk, realEngine, until } from "./support";

const off = withSetting(INITIAL_STATE, cardOf("topP"), { on: false });
const withOnly = (key: string, change: Partial<Setting> = {}, state: State = off) =>
  withSetting(state, cardOf(key), { on: true, shown: true, ...change });

async function shown(state: State): Promise<{ playground: Playground; picture: Picture }> {
  const client = new EngineClient(new LocalPort(await realEngine()));
  const playground = new Playground(client, openFromDisk, state);
  await playground.start();
  await until(() => playground.picture.value !== null, "the picture");
  const picture = playground.picture.value;
  if (picture === null || playground.problem.value !== null) throw new Error("There is no picture.");
  return { playground, picture };
}

/** The first token by rank that the stage took, and what is said of it once the engine has explained it. */
async function said(state: State, stage: string) {
  const { playground, picture } = await shown(state);
  const { order, removedBy, stages } = picture.after;
  const token = order.find((id) => stages[removedBy[id] ?? KEPT]?.name === stage);
  if (token === undefined) throw new Error(`${stage} cuts nothing.`);
  playground.point(token);
  const asked = isExplained(picture, token);
  if (asked) await until(() => playground.explaining.answer.value?.token === token, "the explanation");
  const explanation = asked ? (playground.explaining.answer.value?.explanation ?? null) : null;
  const parts = reason(picture, token, explanation);
  const text = parts.map((part) => (typeof part === "string" ? part : part.strong)).join("");
  return {
    text,
    fate: fateOf(picture, token),
    explanation,
    stage: stages.find(({ name }) => name === stage),
  };
}

const GIRL = 8180;
const TOWN = 3102;

describe("reason(picture, token, explanation)", () => {
  test.each<[string, State, string, RegExp]>([
    [
      "topH",
      withOnly("topH"),
      "top_h",
      /with more than the first \d+ tokens the entropy would be above [\d.]+ bits, 40% of the whole/,
    ],
    [
      "typicalP",
      withOnly("typicalP"),
      "typical_p",
      /its surprise is more than [\d.]+ bits away from the expected 4\.41/,
    ],
    [
      "topNSigma",
      withOnly("topNSigma"),
      "top_n_sigma",
      /its logit, [\d.]+, is below [\d.]+, which lies 1 standard deviation under the best one\./,
    ],
    [
      "topA",
      withOnly("topA"),
      "top_a",
      /its probability of [\d.]+% is below 2\.9\d%, 0\.2 times the square of the highest one/,
    ],
    ["tailFree", withOnly("tailFree"), "tail_free", /the curve of probabilities has made 95% of its bends/],
    [
      "pLess",
      withOnly("pLess"),
      "p_less",
      /its probability of [\d.]+% is below [\d.]+%, which is how likely two draws are to be the same/,
    ],
    [
      "epsilonCutoff",
      withOnly("epsilonCutoff"),
      "epsilon_cutoff",
      /its probability of 0\.098% is below 0\.100%, which the epsilon cut-off asks for\./,
    ],
    [
      "etaCutoff",
      withOnly("etaCutoff"),
      "eta_cutoff",
      /its probability of .+% is below .+%, which the eta cut-off asks for at an entropy of 4\.41 bits\./,
    ],
    [
      "xtc",
      withOnly("xtc"),
      "xtc",
      /XTC's coin has fallen, and of the 2 tokens with at least 10% only the last one stays\./,
    ],
    ["badWords", withOnly("badWords", { sequences: [[GIRL]] }), "bad_words", /on the list of bad words/],
    [
      "minNewTokens",
      withOnly("minNewTokens", { entries: [[TOWN, 0]] }),
      "min_new_tokens",
      /it ends the text, and of at least 5 tokens only 0 were put out\./,
    ],
    [
      "noRepeatNgram",
      withOnly("noRepeatNgram", {}, { ...off, output: [GIRL, TOWN, GIRL] }),
      "no_repeat_ngram",
      /with it a sequence of 2 tokens that is in the text already would come again\./,
    ],
    [
      "mirostat",
      withOnly("mirostat", { numbers: [2, 1, 0.1] }),
      "mirostat",
      /its surprise is above μ, which is 2\.00 bits now\./,
    ],
    [
      "mirostat, version 1",
      withOnly("mirostat", { numbers: [1, 1, 0.1] }),
      "mirostat",
      /at its μ mirostat keeps only the first \d+ tokens?\./,
    ],
  ])("says why a token is out: %s", async (_, state, stage, sentence) => {
    const { text, fate } = await said(state, stage);
    expect(text).toMatch(/is out: /);
    expect(text).toMatch(sentence);
    expect(fate?.length).toBeLessThan(15);
  });

  test("agrees with the engine's explanation about the stage and its bar", async () => {
    for (const [key, name] of [
      ["topA", "top_a"],
      ["topNSigma", "top_n_sigma"],
      ["etaCutoff", "eta_cutoff"],
    ] as const) {
      const { explanation, stage } = await said(withOnly(key), name);
      expect([explanation?.stage, explanation?.threshold]).toEqual([name, stage?.threshold]);
    }
  });

  test("knows every stage that can remove a token", async () => {
    const removing = CARDS.filter(({ group }) => group === "Keep fewer tokens");
    for (const card of removing) {
      const { text } = await said(withOnly(card.key), card.stage);
      expect(text).not.toMatch(/which leaves/);
    }
  });
});
