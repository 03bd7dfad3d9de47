// The second row of a call, which guidance moves away from.
import { expect, test } from "vitest";
import { ln, type SamplerOptions, scattered, seeded, thrown, untyped, type WasmSampler } from "./nucleus";

const logits = ln(0.5, 0.3, 0.2);
const unconditional = ln(0.2, 0.3, 0.5);
const guided = (scale = 2, options: SamplerOptions = {}) => seeded({ ...options, guidance: { scale } });

/** p_c^s p_u^(1 - s), renormalised. */
test.each([
  [2, [1.25 / 1.63, 0.3 / 1.63, 0.08 / 1.63]],
  [0, [0.2, 0.3, 0.5]],
  [-1, [0.08 / 1.63, 0.3 / 1.63, 1.25 / 1.63]],
  [1, [0.5, 0.3, 0.2]],
])("sampler.distribution(logits, { unconditional }) under guidance of scale %d", (scale, expected) => {
  const { tokenIds, probs } = guided(scale).distribution(logits, { unconditional });
  for (const [rank, id] of tokenIds.entries()) expect(probs[rank]).toBeCloseTo(expected[id] ?? 0, 5);
});

type Call = (sampler: WasmSampler, call: { unconditional?: Float32Array }) => unknown;
const calls: [string, Call][] = [
  ["sample", (sampler, call) => sampler.sample(logits, call)],
  ["sampleDetailed", (sampler, call) => sampler.sampleDetailed(logits, call)],
  ["sampleMany", (sampler, call) => sampler.sampleMany(logits, 2, call)],
  ["distribution", (sampler, call) => sampler.distribution(logits, call)],
  ["report", (sampler, call) => sampler.report(logits, call)],
  ["explain", (sampler, call) => sampler.explain(logits, 0, call)],
  ["logprobs", (sampler, call) => sampler.logprobs(logits, 2, call)],
];

test.each(calls)("sampler.%s needs the second row while guidance is active, and not else", (_, call) => {
  expect(() => call(guided(), { unconditional })).not.toThrow();
  expect(() => call(guided(1), {})).not.toThrow();
  for (const row of [undefined, { unconditional: untyped<Float32Array>(undefined) }])
    expect(thrown(() => call(guided(), row ?? {}))).toMatchObject({
      code: "wrong_type",
      option: "unconditional",
    });
});

test.each(calls)("sampler.%s says what is wrong with the second row", (_, call) => {
  for (const n of [0, 2, 4])
    expect(thrown(() => call(guided(), { unconditional: new Float32Array(n) }))).toMatchObject({
      code: "wrong_length",
      option: "unconditional",
      accepted: "3",
    });
  for (const bad of [Number.NaN, Number.POSITIVE_INFINITY])
    expect(thrown(() => call(guided(), { unconditional: Float32Array.of(0, bad, 0) }))).toMatchObject({
      code: "not_finite",
      option: "unconditional",
      index: 1,
    });
  for (const wrong of [null, 1, "row", {}, Int32Array.of(1, 2, 3), new Float64Array(3)])
    for (const scale of [1, 2])
      expect(thrown(() => call(guided(scale), { unconditional: untyped(wrong) }))).toMatchObject({
        code: "wrong_type",
        option: "unconditional",
      });
});

test("sampler.distribution(logits, { unconditional }) takes an array, a part of one, and its own view", () => {
  const expected = guided().distribution(logits, { unconditional });
  expect(guided().distribution(logits, { unconditional: [...unconditional] })).toEqual(expected);
  const part = Float32Array.of(9, ...unconditional, 9).subarray(1, 4);
  expect(guided().distribution(logits, { unconditional: part })).toEqual(expected);
  const sampler = guided();
  const view = sampler.logitsBuffer(3);
  view.set(unconditional);
  expect(sampler.distribution(logits, { unconditional: view })).toEqual(expected);
  view.set(logits);
  expect(sampler.distribution(view, { unconditional })).toEqual(expected);
  const even = sampler.distribution(view, { unconditional: view });
  expect([...even.probs]).toEqual([...seeded().distribution(logits).probs]);
  const other = guided().logitsBuffer(3);
  expect(thrown(() => sampler.sample(logits, { unconditional: other }))).toMatchObject({
    code: "stale_buffer",
  });
});

test("sampler.sample(logits, { unconditional }) copies the second row before anything of the caller's runs", () => {
  const sampler = guided();
  const lying = [...unconditional];
  Object.defineProperty(lying, 1, {
    get: () => {
      sampler.sampleBatch(new Float32Array(30_000), 3, { unconditional: new Float32Array(30_000) });
      return unconditional[1];
    },
  });
  const found = sampler.distribution(logits, { unconditional: lying });
  expect(found).toEqual(guided().distribution(logits, { unconditional }));
});

test("sampler.sampleBatch(logits, rows, { unconditional }) gives each row its second row", () => {
  const n = 50;
  const rows = scattered(3 * n);
  const second = scattered(3 * n, 7);
  const batch = guided(1.5);
  const alone = guided(1.5);
  const tokens = batch.sampleBatch(rows, 3, { unconditional: second });
  alone.addRow();
  alone.addRow();
  for (const row of [0, 1, 2]) {
    const of = (all: Float32Array) => all.slice(row * n, (row + 1) * n);
    expect(alone.sample(of(rows), { row, unconditional: of(second) })).toBe(tokens[row]);
  }
});

test("sampler.sampleBatch(logits, rows, { unconditional }) fails as a whole for a length, by row for a number", () => {
  const batch = guided();
  const rows = new Float32Array(6);
  for (const n of [0, 3, 7])
    expect(thrown(() => batch.sampleBatch(rows, 2, { unconditional: new Float32Array(n) }))).toMatchObject({
      code: "wrong_length",
      option: "unconditional",
      accepted: "6",
    });
  const [first, second] = batch.sampleBatch(rows, 2, {
    unconditional: Float32Array.of(0, 0, 0, 0, Number.NaN, 0),
  });
  expect(first).toBeLessThan(3);
  expect(second).toBe(0xffffffff);
  expect(batch.rowErrors()).toMatchObject([{ row: 1, code: "not_finite" }]);
  batch.sampleBatch(rows, 2);
  expect(batch.rowErrors().map(({ code }) => code)).toEqual(["wrong_type", "wrong_type"]);
});

test("a call with an unknown name beside unconditional says what it takes", () => {
  expect(thrown(() => seeded().sample(logits, untyped({ unconditioned: logits }))).message).toBe(
    'unknown option "unconditioned": did you mean "unconditional"?',
  );
});
