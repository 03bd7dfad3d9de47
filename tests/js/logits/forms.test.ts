// In what form logits may come: Float32Array in any view, Float16Array where there is one, plain lists; nothing else.
import { expect, test } from "vitest";
import { scattered, seeded, thrown, untyped, type WasmSampler } from "../nucleus";

const values = [0.5, -1.25, 3, Number.NEGATIVE_INFINITY, 2.75];
const expected = seeded().distribution(Float32Array.from(values));

test("sampler.distribution(logits) accepts a list of numbers, and copies it", () => {
  expect(seeded().distribution(values)).toEqual(expected);
  expect(seeded().distribution(Object.freeze([...values]))).toEqual(expected);
});

test("sampler.distribution(logits) rounds the numbers of a list to floats", () => {
  const precise = [0.1, 0.1 + 1e-12, 1 / 3];
  expect(seeded().distribution(precise)).toEqual(seeded().distribution(Float32Array.from(precise)));
});

test("sampler.distribution(logits) accepts any view of a buffer", () => {
  const buffer = new ArrayBuffer(64);
  const view = new Float32Array(buffer, 12, values.length);
  view.set(values);
  expect(seeded().distribution(view)).toEqual(expected);
  const larger = Float32Array.from([9, 9, ...values, 9]);
  expect(seeded().distribution(larger.subarray(2, 2 + values.length))).toEqual(expected);
  const shared = new Float32Array(new SharedArrayBuffer(64), 4, values.length);
  shared.set(values);
  expect(seeded().distribution(shared)).toEqual(expected);
});

test("sampler.distribution(logits) accepts a Float32Array subclass, and one from another realm's buffer", () => {
  class Row extends Float32Array {}
  expect(seeded().distribution(Row.from(values))).toEqual(expected);
  const cloned = structuredClone(Float32Array.from(values));
  expect(seeded().distribution(cloned)).toEqual(expected);
});

test("sampler.distribution(logits) accepts a Float16Array where the platform has one; its bits alone are wrong_type", () => {
  const Float16 = (globalThis as { Float16Array?: { from(values: number[]): Float32Array } }).Float16Array;
  // Where there is none (Node 20), half floats travel as 16-bit integers, and those are no logits.
  const halves = Uint16Array.of(0x3800, 0xbd00, 0x4200, 0xfc00, 0x4180);
  expect(thrown(() => seeded().distribution(untyped(halves))).code).toBe("wrong_type");
  if (Float16 !== undefined) expect(seeded().distribution(Float16.from(values))).toEqual(expected);
});

const noLogits: [string, unknown][] = [
  ["undefined", undefined],
  ["null", null],
  ["a number", 1],
  ["a string", "1,2,3"],
  ["an object", {}],
  ["something like a list", { length: 2, 0: 1, 1: 2 }],
  ["a Float64Array", Float64Array.from(values)],
  ["an Int32Array", Int32Array.of(1, 2)],
  ["a Uint8Array", Uint8Array.of(1, 2)],
  ["a BigInt64Array", BigInt64Array.of(1n, 2n)],
  ["a DataView", new DataView(new ArrayBuffer(8))],
  ["an ArrayBuffer", new ArrayBuffer(8)],
  ["a Set", new Set(values)],
  ["a list of strings", ["1", "2"]],
  ["a list with one string", [1, "2", 3]],
  ["a list of bigints", [1n, 2n]],
  ["a list with null", [1, null]],
  ["a list with undefined", [1, undefined]],
  ["a list of lists", [[1, 2]]],
  ["a function", () => values],
  ["what only has a Float32Array's prototype", Object.create(Float32Array.prototype)],
  ["a Float32Array behind a proxy", new Proxy(Float32Array.from(values), {})],
];

const calls: [string, (sampler: WasmSampler, logits: never) => unknown][] = [
  ["sample", (sampler, logits) => sampler.sample(logits)],
  ["sampleDetailed", (sampler, logits) => sampler.sampleDetailed(logits)],
  ["sampleMany", (sampler, logits) => sampler.sampleMany(logits, 1)],
  ["sampleBatch", (sampler, logits) => sampler.sampleBatch(logits, 1)],
  ["distribution", (sampler, logits) => sampler.distribution(logits)],
  ["report", (sampler, logits) => sampler.report(logits)],
  ["explain", (sampler, logits) => sampler.explain(logits, 0)],
  ["logprobs", (sampler, logits) => sampler.logprobs(logits, 1)],
];

test.each(noLogits)("sampler.sample(logits) and every other call is wrong_type for %s", (_, logits) => {
  for (const [name, call] of calls) {
    const error = thrown(() => call(seeded(), untyped(logits)));
    expect([name, error.code, error.option]).toEqual([name, "wrong_type", "logits"]);
    expect(error.accepted).toContain("Float32Array");
  }
});

test("sampler.sample(logits) finds the hole in a list at its place", () => {
  // biome-ignore lint/suspicious/noSparseArray: the hole is what is tested
  expect(thrown(() => seeded().sample(untyped([1, , 2])))).toMatchObject({ code: "not_finite", index: 1 });
});

test.each(calls)("sampler.%s(logits) is empty for no logits, in every form", (_, call) => {
  for (const none of [[], new Float32Array(0), scattered(3).subarray(1, 1)]) {
    expect(thrown(() => call(seeded(), untyped(none)))).toMatchObject({ code: "empty", option: "logits" });
  }
});

test("sampler.sample(logits) takes rows of different lengths one after the other", () => {
  const sampler = seeded({ temperature: 0 });
  for (const n of [5, 1, 500, 2, 49_152, 3]) {
    const logits = scattered(n, n);
    expect(sampler.sample(logits)).toBe(logits.indexOf(Math.max(...logits)));
  }
});

test("sampler.sample(logits) throws the package's own error for an array whose buffer was given away", () => {
  const logits = scattered(4);
  structuredClone(logits.buffer, { transfer: [logits.buffer] });
  for (const [name, call] of calls) {
    expect([name, thrown(() => call(seeded(), untyped(logits))).code]).toEqual([name, "stale_buffer"]);
  }
});

test("sampler.sample(logits) believes an array, not what is written over its length and its buffer", () => {
  const told = Object.defineProperties(Float32Array.from(values), {
    length: { value: 1 },
    buffer: { value: null },
    byteLength: { value: 4 },
  });
  expect(seeded().distribution(told)).toEqual(expected);
});

test("sampler.sample(list) reads a list once, also where the call fails", () => {
  let reads = 0;
  const list = [1, Number.NaN];
  Object.defineProperty(list, 0, {
    get: () => {
      reads++;
      return 1;
    },
  });
  expect(thrown(() => seeded().sample(list))).toMatchObject({ code: "not_finite", index: 1 });
  expect(reads).toBe(1);
});
