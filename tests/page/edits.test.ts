import { describe, expect, test } from "vitest";
import { cardOf } from "../../www/chain/cards";
import {
  isSameRow,
  logitOf,
  withAccepted,
  withAddedToken,
  withLogit,
  withModelFile,
  withOutput,
  withoutToken,
  withPrompt,
  withSource,
  withText,
} from "../../www/edits";
import { INITIAL_STATE, NO_CONTROLLERS, type State, settingOf, withSetting } from "../../www/state";

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

describe("a model's text", () => {
  const tiny: State = {
    ...INITIAL_STATE,
    source: "tiny",
    edits: [[1, 2]],
    output: [3],
    from: 4,
    draws: 2,
    controllers: { ...NO_CONTROLLERS, mu: 5 },
  };

  test("withPrompt(state, prompt) begins it anew", () => {
    const next = withPrompt(tiny, "The king");
    expect(next).toMatchObject({ prompt: "The king", edits: [], output: [], from: 0, draws: 0 });
    expect(next.controllers).toEqual(NO_CONTROLLERS);
  });

  test("withOutput(state, output) goes on in the stream, in another row", () => {
    expect(withOutput(tiny, [3, 9])).toMatchObject({ output: [3, 9], edits: [], from: 6, draws: 0 });
    const recorded: State = { ...tiny, source: "once" };
    expect(withOutput(recorded, [3, 9])).toEqual({ ...recorded, output: [3, 9] });
  });

  test("withAccepted(state, token, controllers) drops edits where the next row is another", () => {
    expect(withAccepted(tiny, 9, NO_CONTROLLERS)).toMatchObject({ output: [3, 9], edits: [], from: 6 });
    expect(withAccepted({ ...tiny, source: "once" }, 9, NO_CONTROLLERS).edits).toEqual([[1, 2]]);
  });

  test("isSameRow(a, b) tells texts of a model apart, and sources", () => {
    expect(isSameRow(tiny, { ...tiny, draws: 9 })).toBe(true);
    expect(isSameRow(tiny, { ...tiny, output: [3] })).toBe(false);
    expect(isSameRow(tiny, { ...tiny, prompt: "" })).toBe(false);
    expect(isSameRow(tiny, { ...tiny, source: "file" })).toBe(false);
    expect(isSameRow({ ...tiny, source: "once" }, { ...tiny, source: "once", output: [8] })).toBe(true);
  });

  test("keeps its prompt on other sources, and what names tokens goes from one vocabulary to another", () => {
    const biased = withSetting({ ...tiny, prompt: "The king" }, cardOf("logitBias"), {
      on: true,
      entries: [[7, 1]],
    });
    for (const next of [withSource(biased, "once"), withSource(biased, "file"), withModelFile(biased)]) {
      expect(next.prompt).toBe("The king");
      expect(next.output).toEqual([]);
      expect(settingOf(next, cardOf("logitBias"))).toMatchObject({ on: false, entries: [] });
    }
    // Another file has another vocabulary, even where a file was the source before.
    const ofFile: State = { ...biased, source: "file" };
    expect(settingOf(withModelFile(ofFile), cardOf("logitBias")).entries).toEqual([]);
  });
});
