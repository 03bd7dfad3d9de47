// What the caller's objects say of themselves, and what runs while they are read, changes no token.

import { countIntervals, goodnessOfFit } from "nucleus-sampler";
import { expect, test } from "vitest";
import { WasmSampler } from "./nucleus";

const row = Float32Array.of(0.5, 2, -1, 1);

function lying<T extends object>(array: T, length: number): T {
  return Object.defineProperty(array, "length", { value: length });
}

test("`sampler.sample(logits, { mask })` uses the real length of a mask that lies about it", () => {
  const sampler = new WasmSampler({ seed: 1 });
  const mask = lying(new Uint32Array(1000).fill(0xffffffff), 1);
  expect(() => sampler.sample(row, { mask })).toThrow(expect.objectContaining({ code: "wrong_length" }));
  expect(sampler.sample(row)).toBe(new WasmSampler({ seed: 1 }).sample(row));
});

test("`sampler.sample(logits)` uses the real length of logits that lie about it", () => {
  const sampler = new WasmSampler({ temperature: 0 });
  sampler.sample(Float32Array.of(0, 0, 0, 0, 0, 0, 0, 9));
  expect(sampler.sample(lying(row.slice(), 8))).toBe(1);
});

test("`sampler.prompt(tokens)` and statistics use the real lengths too", () => {
  const sampler = new WasmSampler({ repetitionPenalty: 2, temperature: 0 });
  sampler.prompt(lying(Uint32Array.of(1, 3), 1));
  expect(sampler.sample(row)).toBe(1);
  const counts = lying(Uint32Array.of(5, 5, 5), 1);
  expect(goodnessOfFit(counts, Float64Array.of(0.25, 0.25, 0.5)).n).toBe(15);
  expect(countIntervals(lying(Float64Array.of(0.5, 0.5), 1), 10).low).toHaveLength(2);
});

test("`sampler.sample(array)` reads each number once, whatever reading it does to the sampler", () => {
  const sampler = new WasmSampler({ temperature: 0 });
  const array = [1, 2, 3];
  Object.defineProperty(array, 1, {
    enumerable: true,
    get: () => {
      sampler.sample(new Float32Array(100_000));
      return 9;
    },
  });
  expect(sampler.sample(array)).toBe(1);
});

test("`sampler.sample(logits)` of a sampler freed while its arguments are read is `freed`", () => {
  const sampler = new WasmSampler();
  const call = {
    get row() {
      sampler.free();
      return 0;
    },
  };
  expect(() => sampler.sample(row, call)).toThrow(expect.objectContaining({ code: "freed" }));
  expect(() => sampler.free()).not.toThrow();
});

test("`new WasmSampler(options)` takes only a record of names", () => {
  for (const options of [new Date(), /x/, new Map([["topP", 0.5]]), new ArrayBuffer(8)]) {
    const construct = () => new WasmSampler(options as object);
    expect(construct).toThrow(expect.objectContaining({ code: "wrong_type" }));
  }
  const hostile = JSON.parse('{"__proto__": 1}') as object;
  expect(() => new WasmSampler(hostile)).toThrow(expect.objectContaining({ code: "unknown_option" }));
});

test("`sampler.sample(logits, named)` takes only a record of names", () => {
  const named = new Map([["row", 5]]);
  const sampler = new WasmSampler();
  expect(() => sampler.sample(row, named as object)).toThrow(expect.objectContaining({ code: "wrong_type" }));
});

test("`new WasmSampler(options)` answers at once to a name of a million letters", () => {
  const options = { ["x".repeat(1_000_000)]: 1 };
  expect(() => new WasmSampler(options as object)).toThrow(
    expect.objectContaining({ code: "unknown_option" }),
  );
});

test("`new WasmSampler({ order })` of more stages than a report can name is `bad_order`", () => {
  const order = new Array<"temperature">(201).fill("temperature");
  expect(() => new WasmSampler({ order })).toThrow(expect.objectContaining({ code: "bad_order" }));
  expect(() => new WasmSampler({ order: order.slice(1) })).not.toThrow();
});
