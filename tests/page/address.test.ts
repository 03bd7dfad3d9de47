import { describe, expect, test } from "vitest";
import { fromFragment, toFragment } from "../../www/address";
import { cardOf, guard, leastKept, penaltyWindow } from "../../www/chain/cards";
import { INITIAL_STATE, type State, settingOf, withSetting } from "../../www/state";

const roundTrip = (state: State) => fromFragment(toFragment(state));

describe("toFragment(state)", () => {
  test("is empty for the state that the page starts with", () => {
    expect(toFragment(INITIAL_STATE)).toBe("");
  });

  test("names only what differs, after the version", () => {
    const state = withSetting(INITIAL_STATE, cardOf("topP"), { numbers: [0.5] });
    expect(toFragment(state)).toBe("v=1&topP=0.5");
  });
});

describe("fromFragment(toFragment(state))", () => {
  const states: readonly [string, State][] = [
    ["a switched off card", withSetting(INITIAL_STATE, cardOf("topP"), { on: false, numbers: [0.25] })],
    [
      "an added card",
      withSetting(INITIAL_STATE, cardOf("repetitionPenalty"), { on: true, shown: true, numbers: [1.3] }),
    ],
    ["a card added and off", withSetting(INITIAL_STATE, cardOf("presencePenalty"), { shown: true })],
    [
      "a hidden card that remembers its value",
      withSetting(INITIAL_STATE, cardOf("presencePenalty"), { numbers: [-1] }),
    ],
    [
      "biases, minus infinity among them",
      withSetting(INITIAL_STATE, cardOf("logitBias"), {
        on: true,
        shown: true,
        entries: [
          [8180, 2.5],
          [3102, -Infinity],
          [7, -0.001],
        ],
      }),
    ],
    [
      "no allowed token at all",
      withSetting(INITIAL_STATE, cardOf("allowedTokens"), { on: true, shown: true }),
    ],
    [
      "a model's prompt and what followed it",
      { ...INITIAL_STATE, source: "tiny", prompt: 'A fox & a hen = 100%,\n"🦄" #;:~', output: [3, 2047] },
    ],
    ["an empty prompt", { ...INITIAL_STATE, source: "tiny", prompt: "" }],
    [
      "edits",
      {
        ...INITIAL_STATE,
        edits: [
          [12, 3.25],
          [13, -Infinity],
          [14, 1e-7],
        ],
      },
    ],
    [
      "a stage with several numbers and a list",
      withSetting(INITIAL_STATE, cardOf("xtc"), {
        on: true,
        shown: true,
        numbers: [0.25, 0.15],
        entries: [
          [8180, 0],
          [3102, 0],
        ],
      }),
    ],
    [
      "sequences of tokens",
      withSetting(INITIAL_STATE, cardOf("dry"), {
        on: true,
        shown: true,
        numbers: [1, 2, 3, 64],
        sequences: [[198], [13, 198]],
      }),
    ],
    ["a stage without a number", withSetting(INITIAL_STATE, cardOf("pLess"), { on: true, shown: true })],
    ["a preset", { ...INITIAL_STATE, preset: "textbook" }],
    [
      "a preset in another order",
      { ...INITIAL_STATE, preset: "textbook", order: ["topP", "temperature", "topK", "repetitionPenalty"] },
    ],
    [
      "what every cut keeps, and how far penalties look back",
      withSetting(withSetting(INITIAL_STATE, leastKept, { numbers: [12] }), penaltyWindow, { numbers: [0] }),
    ],
    ["a guard", withSetting(INITIAL_STATE, guard, { on: true, numbers: [2, 0.5, 5, 1, 4096] })],
    ["a guard that is off and remembers", withSetting(INITIAL_STATE, guard, { numbers: [3, 0, 3, 3, 32] })],
    ["a stream of the seed", { ...INITIAL_STATE, stream: 4294967295 }],
    ["an order of cards", { ...INITIAL_STATE, order: ["minP", "topP", "temperature", "topK"] }],
    [
      "what accepted draws have come to",
      {
        ...INITIAL_STATE,
        output: [8180],
        from: 17,
        controllers: {
          mu: 9.123456789012344,
          adaptiveP: [3.1, 10.000000000000002] as const,
          breaker: { trips: 4, openUntil: 17, recent: [12, 15] },
        },
      },
    ],
    ["the second row and the coin", { ...INITIAL_STATE, second: "capital", coin: false }],
    ["an output history", { ...INITIAL_STATE, output: [5, 5, 49151] }],
    ["a seed beyond 2^53", { ...INITIAL_STATE, seed: "18446744073709551615" }],
    ["draws and scales", { ...INITIAL_STATE, draws: 1_000_000, rankScale: "linear", probScale: "log" }],
    [
      "a row written by hand with every kind of sign",
      {
        ...INITIAL_STATE,
        source: "hand",
        hand: [
          { text: "a,b:c&d=e#f g", logit: -1.5 },
          { text: "", logit: 0 },
        ],
      },
    ],
  ];

  test.each(states)("gives back %s", (_, state) => {
    expect(roundTrip(state)).toEqual({ state, notice: null });
  });

  test("uses only characters that a fragment may hold", () => {
    for (const [, state] of states) expect(toFragment(state)).toMatch(/^[\w\-.~!$&'()*+,;=:@/?%]*$/);
  });
});

describe("an address of earlier days", () => {
  test("is read as it was meant", () => {
    const { state, notice } = fromFragment(
      "v=1&temperature=1.2&topK=400&minP=~0.1&repetitionPenalty=1.2&logitBias=8180:2&allowedTokens=~8180:0,5:0&presencePenalty=-~-1&greedy=~",
    );
    const set = (key: string) => settingOf(state, cardOf(key));
    expect(notice).toBeNull();
    expect([set("temperature").numbers, set("topK").numbers]).toEqual([[1.2], [400]]);
    expect(set("minP")).toMatchObject({ on: false, shown: true, numbers: [0.1] });
    expect(set("logitBias").entries).toEqual([[8180, 2]]);
    expect(set("allowedTokens")).toMatchObject({
      on: false,
      entries: [
        [8180, 0],
        [5, 0],
      ],
    });
    expect(set("presencePenalty")).toMatchObject({ shown: false, numbers: [-1] });
    expect(set("greedy")).toMatchObject({ on: false, shown: true });
  });

  test("lacks how far DRY looks back, which is all", () => {
    const { state, notice } = fromFragment("v=1&dry=1;2;3;198");
    expect(notice).toBeNull();
    expect(settingOf(state, cardOf("dry"))).toMatchObject({
      numbers: [1, 2, 3, Infinity],
      sequences: [[198]],
    });
  });
});

describe("fromFragment(text)", () => {
  test("starts fresh, with a notice, for another version", () => {
    const { state, notice } = fromFragment("v=0&topP=0.5");
    expect(state).toEqual(INITIAL_STATE);
    expect(notice).toContain("another version");
  });

  test.each([
    "topP=abc",
    "topP=1.5",
    "topP=",
    "topK=2.5",
    "temperature=-1",
    "seed=-1",
    "seed=18446744073709551616",
    "draws=1000001",
    "source=nowhere",
    "edits=1:2:,",
    "edits=600000:1",
    "logitBias=5:inf",
    "tokens=",
    "xtc=0.5",
    "xtc=0.5;0.6;",
    "xtc=0.5;0.1;8180;1",
    "mirostat=3;5;0.1",
    "dry=1;2",
    "dry=1;2;3;-1;",
    "dry=1;2;3;5000;",
    "dry=1;2;3;all;all;",
    "preset=llama",
    "minKeep=0",
    "minKeep=1.5",
    "minKeep=all",
    "penaltyLastN=-1",
    "penaltyLastN=4097",
    "guard=1;0.999;3;3;32",
    "guard=off;0.999;3;3;32",
    "guard=relax;1.5;3;3;32",
    "guard=relax;0.999;33;3;32",
    "guard=relax;0.999;3;0;32",
    "guard=relax;0.999;3;3",
    "breaker=1",
    "breaker=1,2,5,4",
    "breaker=1,-2",
    "stream=4294967296",
    "stream=-1",
    "badWords=1.x",
    "pLess=1",
    "order=topP,topP",
    "order=mirostat,topP",
    "order=",
    "second=hand",
    "coin=up",
    "mu=-inf",
    "adaptive=3,0.5",
    "from=-1",
    "rank=square",
    "unheardOf=1",
    "toString=1",
  ])("keeps the usual value for %s and says so", (part) => {
    const { state, notice } = fromFragment(`v=1&${part}`);
    expect(state).toEqual(INITIAL_STATE);
    expect(notice).toContain(part.split("=")[0]);
  });

  test("reads the good parts of an address with a bad one", () => {
    const { state, notice } = fromFragment("v=1&topP=wrong&seed=7");
    expect(state.seed).toBe("7");
    expect(notice).toContain("topP");
  });

  test.each(["%", "v", "=", "&&&", "v=1&tokens=%E0%A4%A", "v=1&v=2", "v=1&&", "\u0000"])(
    "never fails, whatever it is given: %j",
    (text) => {
      expect(() => fromFragment(text)).not.toThrow();
    },
  );
});

test("toFragment(state) makes halves of characters whole, which an address cannot hold", () => {
  const state: State = { ...INITIAL_STATE, source: "tiny", prompt: "a\ud800b" };
  expect(roundTrip(state).state.prompt).toBe("a\ufffdb");
});

test("fromFragment(fragment) names a prompt that is no text", () => {
  const { state, notice } = fromFragment("v=1&source=tiny&prompt=%E0%A4%A");
  expect(state).toEqual({ ...INITIAL_STATE, source: "tiny" });
  expect(notice).toContain('"prompt"');
});
