import { describe, expect, test } from "vitest";
import { fromFragment, toFragment } from "../../www/address";
import { cardOf } from "../../www/chain/cards";
import { INITIAL_STATE, type State, withSetting } from "../../www/state";

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
