import { describe, expect, test } from "vitest";
import { CARDS, cardOf } from "../../www/chain/cards";
import { chainOptions, upstreamOptions } from "../../www/chain/options";
import { INITIAL_STATE, withSetting } from "../../www/state";
import { realEngine } from "./support";

const all = CARDS.reduce(
  (state, card) =>
    card.key === "greedy"
      ? state
      : withSetting(state, card, { on: true, entries: card.kind === "number" ? [] : [[1, 2]] }),
  INITIAL_STATE,
);

describe("chainOptions(state)", () => {
  test("holds the stages that are on, and nothing else", () => {
    expect(chainOptions(INITIAL_STATE)).toEqual({ temperature: 1, topP: 0.9 });
  });

  test("holds every stage once all are on", () => {
    expect(chainOptions(all)).toEqual({
      logitBias: [[1, 2]],
      allowedTokens: [1],
      repetitionPenalty: 1.2,
      frequencyPenalty: 0.5,
      presencePenalty: 0.5,
      temperature: 1,
      topK: 40,
      topP: 0.9,
      minP: 0.05,
    });
  });

  test("makes greedy a temperature of 0, whatever the temperature is", () => {
    const state = withSetting(INITIAL_STATE, cardOf("greedy"), { on: true });
    expect(chainOptions(state).temperature).toBe(0);
  });
});

test("upstreamOptions(state) leaves out the curve's stage and what comes after it", () => {
  const { topP, minP, ...rest } = chainOptions(all);
  expect([topP, minP]).toEqual([0.9, 0.05]);
  expect(upstreamOptions(all)).toEqual(rest);
});

test("the cards stand in the order in which the engine runs their stages", async () => {
  const engine = await realEngine();
  const names = engine
    .create({})
    .report(Float32Array.of(1, 2))
    .stages.map(({ name }) => name);
  const places = CARDS.filter(({ key }) => key !== "greedy").map(({ stage }) => names.indexOf(stage));
  expect(places).not.toContain(-1);
  expect(places).toEqual([...places].sort((a, b) => a - b));
});

test("every card's off value changes nothing in the engine", async () => {
  const engine = await realEngine();
  for (const card of CARDS) {
    if (card.kind !== "number") continue;
    const stages = engine.create({ [card.option]: card.off }).report(Float32Array.of(1, 2, 3)).stages;
    expect(stages.every(({ active }) => !active)).toBe(true);
  }
});
