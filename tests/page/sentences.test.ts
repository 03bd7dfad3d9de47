import { describe, expect, test } from "vitest";
import { cardOf } from "../../www/chain/cards";
import { EngineClient } from "../../www/engine/client";
import { formatPercent } from "../../www/format";
import { Playground } from "../../www/playground";
import {
  chartSummary,
  cutterWord,
  drawSummary,
  fateOf,
  fitSummary,
  joined,
  type Phrase,
  summary,
} from "../../www/sentences";
import { INITIAL_STATE, type Setting, type State, withSetting } from "../../www/state";
import { reason } from "../../www/why";
import { LocalPort, openFromDisk, realEngine, until } from "./support";

const text = (phrase: Phrase) =>
  phrase.map((part) => (typeof part === "string" ? part : part.strong)).join("");

async function shown(changes: Readonly<Record<string, Partial<Setting>>>, state: State = INITIAL_STATE) {
  const wanted = Object.entries(changes).reduce(
    (next, [key, change]) => withSetting(next, cardOf(key), change),
    state,
  );
  const playground = new Playground(
    new EngineClient(new LocalPort(await realEngine())),
    openFromDisk,
    wanted,
  );
  await playground.start();
  await until(() => playground.picture.value !== null, "the picture");
  const [picture, subject] = [playground.picture.value, playground.subject.value];
  if (picture === null || subject === null) throw new Error("There is no picture.");
  return { playground, picture, subject };
}

const off = { on: false };

describe("summary(picture)", () => {
  test("names the nucleus when top-p alone cuts", async () => {
    const { picture } = await shown({});
    expect(text(summary(picture))).toBe(
      "Of 49,152 tokens, 96 hold 90.05% of the probability. Only they can be drawn: the nucleus.",
    );
  });

  test("says that nothing is cut", async () => {
    const { picture } = await shown({ topP: off });
    expect(text(summary(picture))).toBe("All 49,152 tokens can be drawn: nothing in the chain cuts.");
  });

  test("names every stage that cuts", async () => {
    const { picture } = await shown({
      topK: { on: true, numbers: [50] },
      minP: { on: true, numbers: [0.05] },
    });
    expect(text(summary(picture))).toMatch(
      /^Of 49,152 tokens, \d+ can be drawn; together they hold [\d.]+% .* cut by top-k, top-p and min-p\.$/,
    );
  });

  test("says that temperature 0 leaves one", async () => {
    const { picture } = await shown({ topP: off, temperature: { numbers: [0] } });
    expect(text(summary(picture))).toBe(
      "Of 49,152 tokens, temperature 0 leaves 1: the most likely one is always taken.",
    );
  });

  test("speaks of one token in the singular", async () => {
    const { picture } = await shown({}, { ...INITIAL_STATE, source: "code" });
    expect(text(summary(picture))).toContain(
      `1 holds ${formatPercent(picture.after.keptMass)} of the probability. Only it can be drawn`,
    );
    expect(picture.after.keptMass).toBeGreaterThan(0.9);
  });
});

describe("reason(picture, explanation)", () => {
  test.each([
    [
      {},
      "cow (rank 97) is out: the 96 tokens ranked before it already hold 90.05% of the probability, and p asks for 90%.",
    ],
    [
      { topP: { numbers: [0] } },
      "town (rank 2) is out: the 1 token ranked before it already holds 38.31% of the probability, and p asks for 0%.",
    ],
    [
      { topP: off, topK: { on: true, numbers: [2] } },
      "village (rank 3) is out: top-k keeps only the first 2 tokens.",
    ],
    [
      { topP: off, minP: { on: true, numbers: [0.5] } },
      "village (rank 3) is out: its probability is below 50% of the highest one, and min-p asks for as much.",
    ],
    [
      { topP: off },
      "girl (rank 1) is in: it is drawn with a probability of 38.31%; before the chain it was 38.31%.",
    ],
  ])("explains the chain %j", async (changes, sentence) => {
    const { picture, subject } = await shown(changes);
    expect(text(reason(picture, subject))).toBe(sentence);
  });

  test("says of every token that top-p cuts what the kept ones hold, not what ranks before it", async () => {
    const { picture } = await shown({});
    for (const rank of [97, 98, 500, 49_152]) {
      const token = picture.after.order[rank - 1] ?? 0;
      expect(text(reason(picture, token))).toContain(
        "is out: the 96 tokens ranked before it already hold 90.05% of the probability, and p asks for 90%.",
      );
    }
  });

  test("speaks of the share that reaches top-p once another stage has cut", async () => {
    const { picture } = await shown({ topK: { on: true, numbers: [50] } });
    const { keptAfter } = picture.after.stages.find(({ name }) => name === "top_p") ?? { keptAfter: 0 };
    const { order } = picture.after;
    const shares = [...order.slice(0, 50)].map((id) => picture.before.probs[id] ?? 0);
    const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
    const held = formatPercent(sum(shares.slice(0, keptAfter)) / sum(shares));
    for (const token of [order[keptAfter] ?? 0, order[49] ?? 0]) {
      expect(text(reason(picture, token))).toContain(
        `the ${keptAfter} tokens ranked before it already hold ${held} of the probability that reaches top-p, and`,
      );
    }
  });

  test.each([
    [{ topK: { on: true, numbers: [50] } }, "top-k keeps only the first 50 tokens."],
    [
      { minP: { on: true, numbers: [0.05] } },
      "its probability is below 5% of the highest one, and min-p asks for as much.",
    ],
  ])("says the same of every token that %j cuts", async (changes, sentence) => {
    const { picture } = await shown({ topP: off, ...changes });
    const { order, keptCount } = picture.after;
    for (const rank of [keptCount + 1, 500, 49_152]) {
      const token = order[rank - 1] ?? 0;
      expect(text(reason(picture, token))).toContain(`is out: ${sentence}`);
    }
  });

  const girl = 8180;
  const town = 3102;
  test.each([
    [
      "a list",
      { allowedTokens: { on: true, entries: [[town, 0]] as const } },
      [],
      girl,
      "not on the list of allowed tokens",
    ],
    [
      "a bias",
      { logitBias: { on: true, entries: [[girl, -Infinity]] as const } },
      [],
      girl,
      "a bias of minus infinity forbids it",
    ],
    ["the row itself", {}, [[girl, -Infinity]] as const, girl, "minus infinity in the row itself"],
    [
      "temperature 0",
      { temperature: { numbers: [0] } },
      [],
      town,
      "temperature 0 keeps only the most likely token",
    ],
  ])("explains a token that %s forbids", async (_, changes, edits, token, part) => {
    const { picture } = await shown(changes, { ...INITIAL_STATE, edits });
    expect(text(reason(picture, token))).toContain(part);
  });
});

describe("greedy", () => {
  test("answers for what it cuts, whatever the temperature card shows", async () => {
    const { picture } = await shown({ topP: off, greedy: { on: true } });
    const town = picture.after.order[1] ?? 0;
    expect(text(summary(picture))).toBe(
      "Of 49,152 tokens, greedy leaves 1: the most likely one is always taken.",
    );
    expect(text(reason(picture, town))).toBe(
      "town (rank 2) is out: greedy takes only the most likely token.",
    );
    expect(fateOf(picture, town)).toBe("cut by greedy");
    expect(cutterWord(picture, "greedy")).toBe("greedy");
  });

  test("takes the best of what the stages before it leave", async () => {
    const { picture } = await shown({ greedy: { on: true } });
    expect(fateOf(picture, picture.after.order[95] ?? 0)).toBe("cut by greedy");
    expect(fateOf(picture, picture.after.order[96] ?? 0)).toBe("cut by top-p");
    expect(text(summary(picture))).toContain("greedy leaves 1");
  });

  test("is not spoken of where temperature 0 does the same", async () => {
    const { picture } = await shown({ topP: off, temperature: { numbers: [0] } });
    expect(fateOf(picture, picture.after.order[1] ?? 0)).toBe("temp. 0");
    expect(cutterWord(picture, "temperature")).toBe("temperature");
  });
});

test("nothing speaks of 1 in the plural", async () => {
  const one = { ...INITIAL_STATE, source: "hand", hand: [{ text: "yes", logit: 1 }] };
  for (const [changes, state] of [
    [{ topP: { numbers: [0] } }, INITIAL_STATE],
    [{ topP: off, topK: { on: true, numbers: [1] } }, INITIAL_STATE],
    [{ greedy: { on: true } }, INITIAL_STATE],
    [{}, one],
  ] as const) {
    const { playground, picture, subject } = await shown(changes, state);
    playground.drawing.add(1);
    await until(() => playground.drawing.result.value?.n === 1, "a draw");
    const result = playground.drawing.result.value;
    if (result === null) throw new Error("Nothing was drawn.");
    const said = [
      text(summary(picture)),
      text(reason(picture, subject)),
      chartSummary(picture),
      text(drawSummary(picture, result)),
      text(fitSummary(result)),
    ];
    for (const sentence of said)
      expect(sentence).not.toMatch(/(^|[^\d,.])1 (tokens|draws|others|hold)\b|All 1 /);
  }
});

test("fateOf(picture, token) names the stage that cut a token", async () => {
  const { picture } = await shown({});
  expect(fateOf(picture, picture.after.order[0] ?? 0)).toBeNull();
  expect(fateOf(picture, picture.after.order[96] ?? 0)).toBe("cut by top-p");
});

test("chartSummary(picture) is one sentence with the first tokens and the number kept", async () => {
  const { picture } = await shown({});
  expect(chartSummary(picture)).toBe(
    "Probabilities of 49,152 tokens, highest first: ␣girl 38.31%, ␣town 23.40%, ␣village 3.19%, ␣island 2.95%, ␣boy 2.85%. 96 tokens kept.",
  );
});

describe("the draws in words", () => {
  test("name a single token, and count many", async () => {
    const { playground, picture } = await shown({});
    playground.drawing.add(1);
    await until(() => playground.drawing.result.value?.n === 1, "a draw");
    const one = playground.drawing.result.value;
    expect(one && text(drawSummary(picture, one))).toBe("Drawn: ␣town.");
    playground.drawing.add(9999);
    await until(() => playground.drawing.result.value?.n === 10_000, "the draws");
    const many = playground.drawing.result.value;
    expect(many && text(drawSummary(picture, many))).toBe(
      "10,000 draws brought up 96 of the 96 tokens that can be drawn.",
    );
    expect(many && text(fitSummary(many))).toMatch(
      /^Consistent with chance: G-test p = 0\.\d+\. .* 2\.\d+% apart/,
    );
  });
});

describe("fitSummary(result)", () => {
  test.each([
    [{ topP: { numbers: [0] } }, 10_000, "Only one token can be drawn, so there is nothing to compare."],
    [{}, 5, "Too few draws yet to tell chance from anything else."],
  ])("says why there is nothing to test: %j, %i draws", async (changes, n, sentence) => {
    const { playground } = await shown(changes);
    playground.drawing.add(n);
    await until(() => playground.drawing.result.value?.n === n, "the draws");
    const result = playground.drawing.result.value;
    expect(result && text(fitSummary(result))).toBe(sentence);
  });
});

test("joined(words) is how lists read", () => {
  expect([joined([]), joined(["a"]), joined(["a", "b"]), joined(["a", "b", "c"])]).toEqual([
    "",
    "a",
    "a and b",
    "a, b and c",
  ]);
});
