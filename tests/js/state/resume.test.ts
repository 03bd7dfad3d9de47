// The state: everything needed to resume exactly, through JSON.
import { expect, test } from "vitest";
import {
  maskOf,
  type SamplerOptions,
  type SamplerState,
  scattered,
  seeded,
  throughJson,
  thrown,
  untyped,
  WasmSampler,
} from "../nucleus";
import { row } from "../recorded";

const logits = scattered(200);

interface RowState {
  id: number;
  options: SamplerOptions;
  prompt: number[];
  output: number[];
  stream: number;
  position: number;
}

const rowsOf = (state: SamplerState) => untyped<RowState[]>(state.rows);
const withPosition = (position: number) => {
  const state = throughJson(seeded().state());
  for (const found of rowsOf(state)) found.position = position;
  return state;
};

test("sampler.state() has these fields", () => {
  const sampler = seeded({ topK: 3, logitBias: new Map([[2, Number.NEGATIVE_INFINITY]]) });
  sampler.prompt([1, 2]);
  sampler.accept(3);
  sampler.addRow({ seed: 2n ** 64n - 1n });
  sampler.sample(logits);
  const fresh = {
    controllers: { mirostat: null, adaptiveP: null, unmatchedAccepts: 0 },
    pending: null,
    breaker: { trips: 0, openUntil: 0, recent: [] },
  };
  expect(sampler.state()).toEqual({
    version: 1,
    options: { topK: 3, logitBias: [[2, "-Infinity"]], seed: 42 },
    seed: 42,
    nextRow: 2,
    rows: [
      { id: 0, options: {}, prompt: [1, 2], output: [3], stream: 0, position: 1, ...fresh },
      {
        ...{ id: 1, options: { seed: "18446744073709551615" }, prompt: [], output: [], stream: 0 },
        ...{ position: 0, ...fresh },
      },
    ],
  });
});

const optionSets: SamplerOptions[] = [
  {},
  { temperature: 0.8, topK: 40, topP: 0.95, minP: 0.02 },
  { repetitionPenalty: 1.3, frequencyPenalty: 0.2, presencePenalty: 0.1, penaltyLastN: 7 },
  { logitBias: { 3: Number.NEGATIVE_INFINITY, 5: 0.1, 6: -2 }, allowedTokens: new Set([3, 5, 6, 7, 8, 9]) },
  { order: ["temperature", "top_p", "draw"], temperature: 1.5, topP: 0.7, stream: 2 ** 32 - 1 },
  { preset: "textbook", topP: 0.5, minKeep: 3 },
  { seed: 2n ** 64n - 1n, temperature: Number.MIN_VALUE },
  { seed: "9007199254740993", repetitionPenalty: 0.1 + 0.2 },
  { mirostat: { version: 2, tau: 2 }, repetitionPenalty: 1.2, penaltyLastN: 9 },
  { mirostat: { version: 1, tau: 3, eta: 0.5 }, temperature: 1.2 },
  { adaptiveP: { target: 0.2, decay: 0.5 }, minP: 0.01, presencePenalty: 0.2 },
];

test.each(optionSets)(
  "WasmSampler.fromState(sampler.state()) through JSON continues in the middle of a generation, under %o",
  (options) => {
    const original = seeded(options);
    original.prompt([1, 2, 3, 2]);
    const other = original.addRow({ temperature: 0.5, seed: 9 });
    original.removeRow(original.addRow());
    const step = (sampler: WasmSampler) => {
      const token = sampler.sample(logits, { mask: maskOf(200, [...logits.keys()]) });
      sampler.accept(token);
      const second = sampler.sample(logits, { row: other });
      sampler.accept(second, other);
      return [token, second];
    };
    for (let n = 0; n < 17; n += 1) step(original);
    const state = original.state();
    const text = JSON.stringify(state);
    expect(JSON.parse(text)).toEqual(state);
    const resumed = WasmSampler.fromState(JSON.parse(text));
    expect(JSON.stringify(resumed.state())).toBe(text);
    expect(resumed.options).toEqual(original.options);
    for (let n = 0; n < 40; n += 1) expect(step(resumed)).toEqual(step(original));
    expect(resumed.addRow()).toBe(original.addRow());
    expect(resumed.state()).toEqual(original.state());
  },
);

test("WasmSampler.fromState(state) of a sampler that was given no seed draws with the one it took", () => {
  const original = new WasmSampler();
  original.sampleMany(logits, 3);
  const state = throughJson(original.state());
  expect(state.options).toEqual({});
  const resumed = WasmSampler.fromState(state);
  expect([...resumed.sampleMany(logits, 30)]).toEqual([...original.sampleMany(logits, 30)]);
  expect(resumed.options).toEqual(original.options);
});

test("WasmSampler.fromState(state) leaves the state as it is, and no tie to it", () => {
  const state = Object.freeze(seeded().state());
  const text = JSON.stringify(state);
  const resumed = WasmSampler.fromState(state);
  resumed.accept(1);
  resumed.sample(logits);
  resumed.update({ topK: 1 });
  expect(JSON.stringify(state)).toBe(text);
});

test("sampler.state() is a copy: writing into it changes nothing", () => {
  const sampler = seeded();
  const state = sampler.state();
  rowsOf(state)[0]?.output.push(5);
  state.nextRow = 9;
  expect(sampler.state()).toEqual(seeded().state());
});

test("WasmSampler.fromState(state) goes to any position in one step", () => {
  const expected = [...seeded().sampleMany(logits, 1010)].slice(1000);
  expect([...WasmSampler.fromState(withPosition(1000)).sampleMany(logits, 10)]).toEqual(expected);
});

test("sampler.state() is too_large past position 2^53 - 1, and reset() brings it back", () => {
  const last = Number.MAX_SAFE_INTEGER;
  const sampler = WasmSampler.fromState(withPosition(last));
  expect(rowsOf(sampler.state())[0]?.position).toBe(last);
  expect(sampler.sampleDetailed(logits).position).toBe(last);
  const error = thrown(() => sampler.state());
  expect(error).toMatchObject({ code: "too_large", accepted: `at most ${last}` });
  expect(sampler.sample(logits)).toBeLessThan(200);
  sampler.reset();
  expect(sampler.state()).toEqual(seeded().state());
});

test("WasmSampler.fromState(state) keeps a history that the next row cannot hold, and says so then", () => {
  const sampler = seeded();
  sampler.prompt([524_287]);
  const resumed = WasmSampler.fromState(throughJson(sampler.state()));
  expect(thrown(() => resumed.sample(logits))).toMatchObject({ code: "bad_token", index: 524_287 });
});

test("WasmSampler.fromState(state) resumes on a recorded row", () => {
  const once = row("once");
  const options = { temperature: 0.9, topP: 0.95, repetitionPenalty: 1.1 };
  const original = seeded(options);
  const generate = (sampler: WasmSampler, n: number) =>
    Array.from({ length: n }, () => {
      const token = sampler.sample(once);
      sampler.accept(token);
      return token;
    });
  generate(original, 10);
  const resumed = WasmSampler.fromState(throughJson(original.state()));
  expect(generate(resumed, 10)).toEqual(generate(original, 10));
});
