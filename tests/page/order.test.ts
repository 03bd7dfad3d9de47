import { describe, expect, test } from "vitest";
import { CARDS, cardOf } from "../../www/chain/cards";
import { arrangement, isOrder, shownCards, withMoved } from "../../www/chain/order";
import { rivalOf, withAdded, withOn, withPreset } from "../../www/chain/start";
import { INITIAL_STATE, type State, settingOf, withSetting } from "../../www/state";

const keys = (state: State) => shownCards(state).map(({ key }) => key);
const added = (state: State, key: string) => withSetting(state, cardOf(key), { shown: true, on: true });

function moved(state: State, key: string, to: number): State {
  const move = withMoved(state, cardOf(key), to);
  if ("refused" in move) throw new Error(move.refused);
  return move.state;
}

describe("withMoved(state, card, to)", () => {
  test("moves a card among those on the page", () => {
    expect(keys(INITIAL_STATE)).toEqual(["temperature", "topK", "topP", "minP"]);
    expect(keys(moved(INITIAL_STATE, "topP", 0))).toEqual(["topP", "temperature", "topK", "minP"]);
    expect(keys(moved(INITIAL_STATE, "temperature", 3))).toEqual(["topK", "topP", "minP", "temperature"]);
  });

  test("stops at both ends", () => {
    expect(keys(moved(INITIAL_STATE, "topK", -5))).toEqual(["topK", "temperature", "topP", "minP"]);
    expect(keys(moved(INITIAL_STATE, "topK", 99))).toEqual(["temperature", "topP", "minP", "topK"]);
  });

  test("forgets the order once it is the engine's own again", () => {
    const state = moved(INITIAL_STATE, "topP", 0);
    expect(state.order.length).toBe(4);
    expect(moved(state, "topP", 2)).toEqual(INITIAL_STATE);
  });

  test.each([
    ["mirostat", 0, "Mirostat chooses the token, so it stays last."],
    ["topP", 9, "Mirostat chooses the token, so nothing comes after it."],
  ])("says why %s cannot be at place %i", (key, to, why) => {
    expect(withMoved(added(INITIAL_STATE, "mirostat"), cardOf(key), to)).toEqual({ refused: why });
  });

  test("lets stages that choose stand beside each other", () => {
    const both = added(added(INITIAL_STATE, "mirostat"), "adaptiveP");
    expect(keys(moved(both, "mirostat", 9)).slice(-2)).toEqual(["adaptiveP", "mirostat"]);
  });
});

describe("arrangement(state)", () => {
  test("is the engine's own order until somebody moves a card", () => {
    expect(arrangement(INITIAL_STATE)).toBe(CARDS);
  });

  test("has every card once, whatever was moved", () => {
    const cards = arrangement(moved(INITIAL_STATE, "minP", 0));
    expect(new Set(cards).size).toBe(CARDS.length);
  });

  test("puts a card that is added before the first one that usually comes after it", () => {
    const state = added(moved(INITIAL_STATE, "minP", 0), "xtc");
    expect(keys(state)).toEqual(["minP", "temperature", "topK", "topP", "xtc"]);
    expect(keys(added(state, "topH"))).toEqual(["topH", "minP", "temperature", "topK", "topP", "xtc"]);
  });

  test.each(CARDS.map(({ key }) => key))("never puts %s after a stage that chooses", (key) => {
    const state = added(added(moved(INITIAL_STATE, "minP", 0), "mirostat"), key);
    const shown = shownCards(state);
    const first = shown.findIndex(({ isTerminal }) => isTerminal);
    expect(shown.slice(first).every(({ isTerminal }) => isTerminal)).toBe(true);
  });
});

describe("isOrder(keys)", () => {
  test.each([
    [["minP", "topP"], true],
    [["topP", "mirostat", "greedy"], true],
    [["topP", "topP"], false],
    [["topP", "nothing"], false],
    [["mirostat", "topP"], false],
  ])("of %j is %s", (given, holds) => {
    expect(isOrder(given)).toBe(holds);
  });
});

describe("withOn(state, card)", () => {
  test("switches the stage off that chose before", () => {
    const mirostat = added(INITIAL_STATE, "mirostat");
    expect(rivalOf(mirostat, cardOf("adaptiveP"))).toBe(cardOf("mirostat"));
    const adaptive = withOn(mirostat, cardOf("adaptiveP"));
    expect(settingOf(adaptive, cardOf("mirostat")).on).toBe(false);
    expect(settingOf(adaptive, cardOf("adaptiveP")).on).toBe(true);
  });

  test("leaves all others as they are", () => {
    expect(rivalOf(added(INITIAL_STATE, "mirostat"), cardOf("xtc"))).toBeNull();
    expect(withAdded(INITIAL_STATE, cardOf("xtc"), null)).toEqual(added(INITIAL_STATE, "xtc"));
  });
});

describe("withPreset(state, preset)", () => {
  const textbook = withPreset(INITIAL_STATE, "textbook");

  test("shows the preset's cards in its order, with what they were set to", () => {
    expect(keys(textbook)).toEqual(["temperature", "topK", "topP", "repetitionPenalty"]);
    expect(settingOf(textbook, cardOf("topP"))).toEqual(settingOf(INITIAL_STATE, cardOf("topP")));
    expect(settingOf(textbook, cardOf("repetitionPenalty")).on).toBe(false);
  });

  test("switches off what the preset does not have, and forgets another order", () => {
    const before = moved(added(INITIAL_STATE, "xtc"), "topP", 0);
    const state = withPreset(before, "textbook");
    expect([settingOf(state, cardOf("xtc")).on, state.order]).toEqual([false, []]);
  });

  test("leads back to the engine's own order and the cards that are usually there", () => {
    const back = withPreset(textbook, "nucleus");
    expect(keys(back)).toEqual(["repetitionPenalty", "temperature", "topK", "topP", "minP"]);
    expect([back.preset, back.order]).toEqual(["nucleus", []]);
  });

  test("takes further cards and moves, and knows its own order again", () => {
    const more = added(textbook, "minP");
    expect(keys(more)).toEqual(["temperature", "topK", "topP", "repetitionPenalty", "minP"]);
    const other = moved(more, "repetitionPenalty", 0);
    expect(other.order).toEqual(["repetitionPenalty", "temperature", "topK", "topP", "minP"]);
    expect(moved(other, "repetitionPenalty", 3).order).toEqual([]);
  });
});
