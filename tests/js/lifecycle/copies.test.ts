// reset and clone: what is forgotten, what is kept, and what the two samplers share afterwards (nothing).
import { expect, test } from "vitest";
import { type SamplerOptions, scattered, seeded, thrown, untyped, type WasmSampler } from "../nucleus";

const logits = scattered(200);
const dead = Number.NEGATIVE_INFINITY;

function advance(sampler: WasmSampler, steps: number, row = 0): number[] {
  return Array.from({ length: steps }, () => {
    const token = sampler.sample(logits, { row });
    sampler.accept(token, row);
    return token;
  });
}

const optionSets: SamplerOptions[] = [
  {},
  { temperature: 0.7, topP: 0.9, repetitionPenalty: 1.2, penaltyLastN: 5 },
  { logitBias: { 3: dead, 4: 1 }, allowedTokens: [3, 4, 5, 6, 7], stream: 3 },
  { preset: "textbook", topK: 9 },
  { mirostat: { version: 1, tau: 2 }, temperature: 1.1 },
  { adaptiveP: { target: 0.3 }, minP: 0.05 },
];

test.each(optionSets)(
  "sampler.reset() makes it a new sampler with its options and seed, under %o",
  (options) => {
    const sampler = seeded(options);
    sampler.prompt([1, 2]);
    advance(sampler, 10);
    sampler.reset();
    expect(sampler.state()).toEqual(seeded(options).state());
    expect(advance(sampler, 20)).toEqual(advance(seeded(options), 20));
  },
);

test("sampler.reset() keeps the rows with their options, and forgets the errors of the latest batch", () => {
  const sampler = seeded();
  const row = sampler.addRow({ topK: 1 });
  sampler.sampleBatch(new Float32Array(20).fill(dead), 2);
  advance(sampler, 3, row);
  sampler.reset();
  expect(sampler.rowErrors()).toEqual([]);
  expect(sampler.state().rows).toMatchObject([
    { id: 0, position: 0, output: [] },
    { id: row, position: 0, output: [], options: { topK: 1 } },
  ]);
  expect(sampler.addRow()).toBe(2);
});

test("sampler.reset() keeps a seed that was taken fresh", () => {
  const sampler = untyped<WasmSampler>(seeded({ seed: undefined }));
  const { seed } = sampler.options;
  const drawn = advance(sampler, 20);
  sampler.reset();
  expect(sampler.options.seed).toBe(seed);
  expect(advance(sampler, 20)).toEqual(drawn);
});

test.each(optionSets)("sampler.clone() has an identical future, under %o", (options) => {
  const sampler = seeded(options);
  const row = sampler.addRow({ temperature: 2 });
  sampler.prompt([1, 2]);
  advance(sampler, 10);
  const clone = sampler.clone();
  expect(clone.state()).toEqual(sampler.state());
  expect(clone.options).toEqual(sampler.options);
  expect([...advance(clone, 20), ...advance(clone, 20, row)]).toEqual([
    ...advance(sampler, 20),
    ...advance(sampler, 20, row),
  ]);
  expect(clone.addRow()).toBe(sampler.addRow());
});

test("sampler.clone() shares nothing with the original", () => {
  const sampler = seeded({ presencePenalty: 1 });
  const before = sampler.state();
  const clone = sampler.clone();
  advance(clone, 5);
  clone.addRow();
  clone.update({ topK: 1, seed: 9 });
  expect(sampler.state()).toEqual(before);
  const view = clone.logitsBuffer(3);
  expect(thrown(() => sampler.sample(view)).code).toBe("stale_buffer");
  clone.free();
  expect(advance(sampler, 5)).toEqual(advance(seeded({ presencePenalty: 1 }), 5));
});

test("sampler.clone({ stream }) has the same history and position, and other draws", () => {
  const sampler = seeded({ presencePenalty: 0.5 });
  advance(sampler, 10);
  const clone = sampler.clone({ stream: 77 });
  expect(clone.state().rows).toMatchObject([{ ...(sampler.state().rows as object[])[0], stream: 77 }]);
  const expected = seeded({ stream: 77 }).sampleMany(logits, 40).slice(10);
  const other = clone.clone();
  other.update({ presencePenalty: 0 });
  expect([...other.sampleMany(logits, 30)]).toEqual([...expected]);
  expect(advance(clone, 30)).not.toEqual(advance(sampler, 30));
});

test("sampler.clone({ stream }) leaves the original on its stream", () => {
  const sampler = seeded();
  sampler.clone({ stream: 5 });
  expect([...sampler.sampleMany(logits, 20)]).toEqual([...seeded().sampleMany(logits, 20)]);
});

test("sampler.clone({ stream }) is independent of the original in every row, those with a stream of their own too", () => {
  const sampler = seeded();
  const row = sampler.addRow({ stream: 3 });
  const clone = sampler.clone({ stream: 1000 });
  for (const id of [0, row]) {
    expect([...clone.sampleMany(logits, 40, { row: id })]).not.toEqual([
      ...sampler.sampleMany(logits, 40, { row: id }),
    ]);
  }
});

test("sampler.clone({ stream }) takes integers below 2^32", () => {
  for (const stream of [-1, 0.5, 2 ** 32, Number.NaN]) {
    expect(thrown(() => seeded().clone({ stream }))).toMatchObject({
      code: "out_of_range",
      option: "stream",
    });
  }
  for (const stream of [null, "1", 1n, [1]]) {
    const error = thrown(() => seeded().clone(untyped({ stream })));
    expect(error).toMatchObject({ code: "wrong_type", option: "stream" });
  }
  expect(seeded().clone({ stream: undefined }).state()).toEqual(seeded().state());
  expect(seeded().clone({ stream: 2 ** 32 - 1 }).options.stream).toBe(2 ** 32 - 1);
});
