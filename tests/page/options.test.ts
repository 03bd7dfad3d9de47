import { describe, expect, test } from "vitest";
import { CARDS, cardOf } from "../../www/chain/cards";
import { chainOptions, upstreamOptions } from "../../www/chain/options";
import { withMoved } from "../../www/chain/order";
import { rankingOptions } from "../../www/chain/ranking";
import { INITIAL_STATE, type State, withSetting } from "../../www/state";
import { realEngine } from "./support";

const all = CARDS.reduce(
  (state, card) =>
    card.isTerminal
      ? state
      : withSetting(state, card, { on: true, shown: true, entries: [[1, 2]], sequences: [[1, 2]] }),
  INITIAL_STATE,
);

/** The state with a card moved to a place among those on the page. */
function moved(state: State, key: string, to: number): State {
  const move = withMoved(state, cardOf(key), to);
  if ("refused" in move) throw new Error(move.refused);
  return move.state;
}

describe("chainOptions(state)", () => {
  test("holds the stages that are on, and nothing else", () => {
    expect(chainOptions(INITIAL_STATE)).toEqual({ temperature: 1, topP: 0.9 });
  });

  test("holds every stage once all are on", () => {
    expect(chainOptions(all)).toEqual({
      guidance: { scale: 1.5 },
      logitBias: [[1, 2]],
      allowedTokens: [1],
      badWords: [[1, 2]],
      minNewTokens: 5,
      eosTokenIds: [1],
      repetitionPenalty: 1.2,
      frequencyPenalty: 0.5,
      presencePenalty: 0.5,
      noRepeatNgramSize: 2,
      dry: { multiplier: 0.8, base: 1.75, allowedLength: 2, breakers: [[1, 2]] },
      temperature: 1,
      dynamicTemperature: { range: 0.5, exponent: 1 },
      smoothing: { factor: 0.3, curve: 1 },
      topH: 0.4,
      topK: 40,
      topP: 0.9,
      minP: 0.05,
      typicalP: 0.9,
      topNSigma: 1,
      topA: 0.2,
      tailFree: 0.95,
      pLess: true,
      epsilonCutoff: 0.001,
      etaCutoff: 0.001,
      xtc: { probability: 0.5, threshold: 0.1, protectedTokens: [1] },
    });
  });

  test.each([
    ["mirostat", { mirostat: { version: 2, tau: 5, eta: 0.1 } }],
    ["adaptiveP", { adaptiveP: { target: 0.3, decay: 0.9 } }],
  ])("holds the stage that chooses: %s", (key, options) => {
    const state = withSetting(INITIAL_STATE, cardOf(key), { on: true, shown: true });
    expect(chainOptions(state)).toEqual({ temperature: 1, topP: 0.9, ...options });
  });

  test("makes greedy a temperature of 0, whatever the temperature is", () => {
    const state = withSetting(INITIAL_STATE, cardOf("greedy"), { on: true });
    expect(chainOptions(state).temperature).toBe(0);
  });

  test("gives the order only where stages that are on stand in another than the engine's own", () => {
    const both = withSetting(INITIAL_STATE, cardOf("minP"), { on: true });
    expect(chainOptions(moved(both, "topK", 0)).order).toBeUndefined();
    expect(chainOptions(moved(both, "minP", 0)).order).toEqual(["min_p", "temperature", "top_p"]);
  });

  test("gives a chain in another order a temperature for greedy", () => {
    const greedy = withSetting(INITIAL_STATE, cardOf("greedy"), { on: true, shown: true });
    const bare = withSetting(withSetting(greedy, cardOf("temperature"), { on: false }), cardOf("minP"), {
      on: true,
    });
    expect(chainOptions(moved(bare, "minP", 0))).toEqual({
      temperature: 0,
      topP: 0.9,
      minP: 0.05,
      order: ["min_p", "top_p", "temperature"],
    });
    expect(chainOptions(moved(greedy, "topP", 0)).order).toEqual(["top_p", "temperature"]);
  });
});

describe("upstreamOptions(state)", () => {
  test("leaves out the curve's stage and what comes after it", () => {
    const { allowedTokens, topK } = chainOptions(all);
    const upstream = upstreamOptions(all);
    expect([upstream.allowedTokens, upstream.topK]).toEqual([allowedTokens, topK]);
    for (const later of ["topP", "minP", "typicalP", "xtc"] as const) expect(upstream[later]).toBeUndefined();
  });

  test("follows the order", () => {
    const both = withSetting(INITIAL_STATE, cardOf("minP"), { on: true });
    expect(upstreamOptions(both)).toEqual({ temperature: 1 });
    expect(upstreamOptions(moved(both, "minP", 0))).toEqual({
      minP: 0.05,
      temperature: 1,
      order: ["min_p", "temperature"],
    });
  });
});

describe("rankingOptions(options)", () => {
  test("leaves out what only scales, or takes from the end of the ranks", () => {
    expect(rankingOptions({ temperature: 2, topK: 5, etaCutoff: 0.1, presencePenalty: 1 })).toEqual({
      presencePenalty: 1,
    });
  });

  test.each([
    { typicalP: 0.5 },
    { xtc: { probability: 1 } },
    { smoothing: { factor: 1 } },
    { adaptiveP: { target: 0.5 } },
    { topP: 0.5, order: ["top_p", "temperature"] as const },
  ])("is null where any token may be taken: %j", (options) => {
    expect(rankingOptions(options)).toBeNull();
  });
});

test("the cards stand in the order in which the engine runs their stages", async () => {
  const engine = await realEngine();
  const reported = (options: object) =>
    engine
      .create(options)
      .report(Float32Array.of(1, 2), {})
      .stages.map(({ name }) => name);
  const names = reported({});
  const cards = CARDS.filter(({ isTerminal, key }) => !isTerminal && key !== "dynamicTemperature");
  expect(cards.map(({ stage }) => stage)).toEqual(names);
  // Dynamic temperature takes the place of the other one; what chooses comes last.
  const dynamic = reported({ dynamicTemperature: { range: 0.5 }, mirostat: { version: 2 } });
  const place = names.indexOf("temperature");
  expect(dynamic).toEqual([...names.with(place, "dynamic_temperature"), "mirostat"]);
  expect(reported({ adaptiveP: { target: 0.5 } }).at(-1)).toBe("adaptive_p");
});

describe.each(CARDS.filter(({ numbers }) => numbers.length > 0).map((card) => [card.key, card] as const))(
  "%s",
  (_, card) => {
    const options = (i: number, value: number) => {
      const numbers = card.numbers.map(({ initial }, at) => (at === i ? value : initial));
      const set = { on: true, shown: true, numbers, entries: [[1, 0]] as const };
      const off = withSetting(
        withSetting(INITIAL_STATE, cardOf("temperature"), { on: false }),
        cardOf("topP"),
        {
          on: false,
        },
      );
      return chainOptions(withSetting(off, card, set));
    };
    const logits = Float32Array.of(1, 2, 3);
    const call = card.key === "guidance" ? { unconditional: new Float32Array(3) } : {};

    test("does nothing at its off value", async () => {
      const engine = await realEngine();
      card.numbers.forEach(({ off }, i) => {
        if (off === undefined) return;
        const { stages } = engine.create(options(i, off)).report(logits, call);
        expect(stages.every(({ active }) => !active)).toBe(true);
      });
    });

    test("takes both ends of every slider", async () => {
      const engine = await realEngine();
      card.numbers.forEach(({ min, max }, i) => {
        for (const value of [min, max === "vocabulary" ? 3 : max])
          expect(() => engine.create(options(i, value)).distribution(logits, call)).not.toThrow();
      });
    });
  },
);
