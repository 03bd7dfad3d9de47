import { WasmSampler } from "nucleus-sampler";
import { describe, expect, test } from "vitest";
import { CARDS, cardOf, guard, leastKept, penaltyWindow, WHOLE } from "../../www/chain/cards";
import { chainOptions, upstreamOptions } from "../../www/chain/options";
import { withMoved } from "../../www/chain/order";
import { PRESETS } from "../../www/chain/presets";
import { rankingOptions } from "../../www/chain/ranking";
import { withPreset } from "../../www/chain/start";
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

  test("ends an order in greedy, which nothing else says", () => {
    const state = withSetting(INITIAL_STATE, cardOf("greedy"), { on: true });
    expect(chainOptions(state)).toEqual({
      temperature: 1,
      topP: 0.9,
      order: ["temperature", "top_p", "greedy"],
    });
  });

  test("gives the preset, and an order only where the cards stand in another than its own", () => {
    const textbook = withPreset(INITIAL_STATE, "textbook");
    expect(chainOptions(textbook)).toEqual({ temperature: 1, topP: 0.9, preset: "textbook" });
    const penalty = withSetting(textbook, cardOf("repetitionPenalty"), { on: true });
    expect(chainOptions(penalty).order).toBeUndefined();
    expect(chainOptions(moved(penalty, "repetitionPenalty", 0)).order).toEqual([
      ...["repetition_penalty", "temperature", "top_p"],
    ]);
    // What the preset does not list has to be listed.
    const more = withSetting(penalty, cardOf("minP"), { on: true, shown: true });
    expect(chainOptions(more).order).toEqual(["temperature", "top_p", "repetition_penalty", "min_p"]);
  });

  test("gives what is set for the whole chain where it is not the usual", () => {
    const set = withSetting(withSetting(INITIAL_STATE, leastKept, { numbers: [5] }), penaltyWindow, {
      numbers: [64],
    });
    expect(chainOptions(set)).toEqual({ temperature: 1, topP: 0.9, minKeep: 5, penaltyLastN: 64 });
  });

  test("gives the guard in the engine's words, and leaves it out of what the curve is given", () => {
    const on = withSetting(INITIAL_STATE, guard, { on: true });
    expect(chainOptions(on).guard).toEqual({
      policy: "relax",
      maxMaskedMass: 0.999,
      maxSteps: 3,
      breaker: { trips: 3, positions: 32 },
    });
    expect(upstreamOptions(on)).toEqual({ temperature: 1 });
  });

  test("gives the order only where stages that are on stand in another than the engine's own", () => {
    const both = withSetting(INITIAL_STATE, cardOf("minP"), { on: true });
    expect(chainOptions(moved(both, "topK", 0)).order).toBeUndefined();
    expect(chainOptions(moved(both, "minP", 0)).order).toEqual(["min_p", "temperature", "top_p"]);
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
    { preset: "textbook" as const },
    { guard: { policy: "relax" as const } },
  ])("is null where any token may be taken: %j", (options) => {
    expect(rankingOptions(options)).toBeNull();
  });
});

test("a preset's cards stand in the order that the engine has for it", async () => {
  await realEngine();
  for (const { key, order } of PRESETS) {
    const listed = new WasmSampler({ preset: key }).options.order?.filter((name) => name !== "draw");
    expect(order?.map((name) => cardOf(name).stage)).toEqual(listed);
  }
});

test("every option of the engine has its place on the page", async () => {
  await realEngine();
  const has = [...CARDS, ...WHOLE].flatMap(({ numbers, list }) => [
    ...numbers.map(({ option }) => option),
    ...(list === null ? [] : [list.option]),
  ]);
  const flags = CARDS.flatMap(({ flag }) => flag ?? []);
  // In the header, by the place of cards, and beside the draws.
  const elsewhere = ["preset", "order", "seed", "stream"];
  const named = new Set([...has, ...flags, ...elsewhere]);
  const lists = ["allowedTokens", "badWords", "eosTokenIds", "logitBias", "penaltyLastN", "order"];
  const grouped = ["xtc.protectedTokens", "dry.lastN", "dry.breakers"];
  // What is absent by default is not among the options in force.
  const all = [...paths(new WasmSampler({ seed: 1 }).options), ...lists, ...grouped];
  expect(all.filter((path) => !named.has(path))).toEqual([]);
  expect([...named].filter((path) => !all.includes(path))).toEqual([]);
});

/** The names of options, with dots for nesting. */
function paths(options: object, prefix = ""): string[] {
  return Object.entries(options).flatMap(([name, value]) =>
    typeof value === "object" ? paths(value, `${prefix}${name}.`) : [`${prefix}${name}`],
  );
}

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

describe.each(
  [...CARDS, ...WHOLE].filter(({ numbers }) => numbers.length > 0).map((card) => [card.key, card] as const),
)("%s", (_, card) => {
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
    card.numbers.forEach(({ min, max, hasAll }, i) => {
      for (const value of [min, max === "vocabulary" ? 3 : max, ...(hasAll === true ? [Infinity] : [])])
        expect(() => engine.create(options(i, value)).distribution(logits, call)).not.toThrow();
    });
  });
});
