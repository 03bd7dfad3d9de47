import { describe, expect, test } from "vitest";
import { CARDS, cardOf } from "../../www/chain/cards";
import { EngineClient } from "../../www/engine/client";
import { KEPT } from "../../www/engine/protocol";
import { formatPercent } from "../../www/format";
import { type Picture, Playground } from "../../www/playground";
import { fateOf, type Phrase } from "../../www/sentences";
import { INITIAL_STATE, type Setting, type State, withSetting } from "../../www/state";
import { isExplained, reason } from "../../www/why";
import { LocalPort, openFromDisk, realEngine, until } from "./support";

const GIRL = 8180;
const TOWN = 3102;
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

const plain = (phrase: Phrase) =>
  phrase.map((part) => (typeof part === "string" ? part : part.strong)).join("");

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
  const text = plain(reason(picture, token, explanation));
  const first = order.find((id) => removedBy[id] === KEPT) ?? 0;
  const kept = plain(reason(picture, first));
  const [now, was] = [picture.after.probs[first] ?? 0, picture.before.probs[first] ?? 0];
  return {
    text,
    kept,
    isKept: ` is in: it is drawn with a probability of ${formatPercent(now)}; before the chain it was ${formatPercent(was)}.`,
    fate: fateOf(picture, token),
    explanation,
    stage: stages.find(({ name }) => name === stage),
  };
}

/** Every stage that removes tokens: the card, a state, the stage's name, why the first token that it took is out. */
const REMOVING: readonly [string, State, string, RegExp][] = [
  [
    "logitBias",
    withOnly("logitBias", { entries: [[GIRL, -Infinity]] }),
    "logit_bias",
    /a bias of minus infinity forbids it\./,
  ],
  [
    "allowedTokens",
    withOnly("allowedTokens", { entries: [[GIRL, 0]] }),
    "allowed_tokens",
    /it is not on the list of allowed tokens\./,
  ],
  [
    "temperature",
    withOnly("temperature", { numbers: [0] }),
    "temperature",
    /temperature 0 keeps only the most likely token\./,
  ],
  ["topK", withOnly("topK", { numbers: [7] }), "top_k", /top-k keeps only the first 7 tokens\./],
  [
    "topP",
    withOnly("topP"),
    "top_p",
    /the 96 tokens ranked before it already hold 90\.05% of the probability, and p asks for 90%\./,
  ],
  [
    "minP",
    withOnly("minP"),
    "min_p",
    /its probability is below 5% of the highest one, and min-p asks for as much\./,
  ],
  ["greedy", withOnly("greedy"), "greedy", /greedy takes only the most likely token\./],
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
];

/** Every stage that removes none: it writes logits, and all tokens stay. */
const WRITING: readonly [string, State][] = [
  ["guidance", withOnly("guidance")],
  ["repetitionPenalty", withOnly("repetitionPenalty", {}, { ...off, output: [GIRL] })],
  ["frequencyPenalty", withOnly("frequencyPenalty", {}, { ...off, output: [GIRL] })],
  ["presencePenalty", withOnly("presencePenalty", {}, { ...off, output: [GIRL] })],
  ["dry", withOnly("dry", {}, { ...off, output: [TOWN, 198, GIRL, TOWN, 198] })],
  ["dynamicTemperature", withOnly("dynamicTemperature")],
  ["smoothing", withOnly("smoothing")],
  ["adaptiveP", withOnly("adaptiveP")],
];

describe("reason(picture, token, explanation)", () => {
  test.each(REMOVING)(
    "says why a token is out, and that another is in: %s",
    async (_, state, stage, sentence) => {
      const { text, fate, kept, isKept } = await said(state, stage);
      expect(text).toMatch(/is out: /);
      expect(text).toMatch(sentence);
      expect(fate?.length).toBeLessThan(15);
      expect(kept).toContain(isKept);
    },
  );

  test.each(WRITING)("says of a token what its probability was and is: %s", async (key, state) => {
    const { picture } = await shown(state);
    expect(picture.after.stages.find(({ name }) => name === cardOf(key).stage)?.active).toBe(true);
    expect(picture.after.keptCount).toBe(picture.row.texts.size);
    const now = formatPercent(picture.after.probs[GIRL] ?? 0);
    const was = formatPercent(picture.before.probs[GIRL] ?? 0);
    expect(now).not.toBe(was);
    expect(plain(reason(picture, GIRL))).toContain(
      `is in: it is drawn with a probability of ${now}; before the chain it was ${was}.`,
    );
    expect(fateOf(picture, GIRL)).toBeNull();
  });

  test("has a sentence for every stage", () => {
    const said = [...REMOVING, ...WRITING].map(([key]) => key.split(",")[0]);
    expect(new Set(said)).toEqual(new Set(CARDS.map(({ key }) => key)));
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
