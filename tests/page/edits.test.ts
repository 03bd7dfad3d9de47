import { describe, expect, test } from "vitest";
import { cardOf } from "../../www/chain/cards";
import { logitOf, withAddedToken, withLogit, withoutToken, withSource, withText } from "../../www/edits";
import { INITIAL_STATE, type State, settingOf, withSetting } from "../../www/state";

const byHand: State = { ...INITIAL_STATE, source: "hand" };

describe("withLogit(state, token, logit, recorded)", () => {
  test("keeps a difference to the recorded row", () => {
    const state = withLogit(INITIAL_STATE, 8180, 3, 17.5);
    expect(state.edits).toEqual([[8180, 3]]);
    expect(logitOf(state, 8180, 17.5)).toBe(3);
    expect(logitOf(state, 1, 17.5)).toBe(17.5);
  });

  test("drops the difference once the logit is the recorded one again", () => {
    const recorded = Math.fround(17.3);
    expect(withLogit(withLogit(INITIAL_STATE, 5, 3, recorded), 5, 17.3, recorded).edits).toEqual([]);
  });

  test("changes the token itself in a row written by hand", () => {
    const state = withLogit(byHand, 1, -2, 3.5);
    expect(state.hand[1]).toEqual({ text: "town", logit: -2 });
    expect(state.edits).toEqual([]);
  });
});

test("withoutToken(state, token) moves later ids down wherever they are named", () => {
  let state: State = { ...byHand, output: [0, 2, 3, 2] };
  state = withSetting(state, cardOf("logitBias"), {
    entries: [
      [1, 5],
      [2, 6],
      [3, 7],
    ],
  });
  const after = withoutToken(state, 2);
  expect(after.hand.map(({ text }) => text)).not.toContain("village");
  expect(after.output).toEqual([0, 2]);
  expect(settingOf(after, cardOf("logitBias")).entries).toEqual([
    [1, 5],
    [2, 7],
  ]);
});

test("withText(state, token, text) makes halves of characters whole, so that an address can hold them", () => {
  expect(withText(byHand, 0, "a\ud800b").hand[0]?.text).toBe("a\ufffdb");
  expect(withText(byHand, 0, "😀").hand[0]?.text).toBe("😀");
});

test("withAddedToken(state, token) puts it at the end, so that no id changes", () => {
  const after = withAddedToken(byHand, { text: "new", logit: 1 });
  expect(after.hand.slice(0, -1)).toEqual(byHand.hand);
  expect(after.hand.at(-1)).toEqual({ text: "new", logit: 1 });
});

describe("withSource(state, source)", () => {
  const biased = withSetting(
    { ...INITIAL_STATE, edits: [[1, 2]], output: [3], draws: 9 },
    cardOf("logitBias"),
    {
      on: true,
      entries: [[1, 2]],
    },
  );

  test("forgets edits, output and draws, and keeps the chain", () => {
    const state = withSource(biased, "capital");
    expect(state).toMatchObject({ source: "capital", edits: [], output: [], draws: 0 });
    expect(state.chain).toEqual(biased.chain);
  });

  test("drops tokens of another vocabulary from the chain, numbers not", () => {
    const state = withSource(withSetting(biased, cardOf("topP"), { numbers: [0.5] }), "hand");
    expect(settingOf(state, cardOf("logitBias"))).toMatchObject({ on: false, entries: [] });
    expect(settingOf(state, cardOf("topP"))).toMatchObject({ on: true, numbers: [0.5] });
  });
});
