// Bit masks given with a call: bit i mod 32 of word floor(i / 32), 1 is allowed.
import { expect, test } from "vitest";
import { maskOf, scattered, seeded, thrown, untyped, type WasmSampler } from "./nucleus";

const all = 0xffffffff;

test.each([1, 31, 32, 33, 64, 65, 1000])(
  "sampler.distribution(logits, { mask }) over %i tokens keeps those of the mask",
  (n) => {
    const logits = scattered(n);
    const ids = Array.from({ length: n }, (_, id) => id).filter((id) => id % 3 !== 1);
    const { tokenIds } = seeded().distribution(logits, { mask: maskOf(n, ids) });
    expect([...tokenIds].sort((a, b) => a - b)).toEqual(ids);
  },
);

test("sampler.sample(logits, { mask }) ignores spare bits", () => {
  const logits = scattered(33);
  const spare = Uint32Array.of(1 << 5, 0xfffffffe);
  expect(seeded().sample(logits, { mask: spare })).toBe(5);
  expect(thrown(() => seeded().sample(logits, { mask: Uint32Array.of(0, 0xfffffffe) }))).toMatchObject({
    code: "nothing_left",
    stage: "mask",
  });
});

test("sampler.distribution(logits, { mask }) that allows everything changes nothing", () => {
  const logits = scattered(100);
  const mask = new Uint32Array(4).fill(all);
  const options = { topP: 0.9, temperature: 0.7 };
  expect(seeded(options).distribution(logits, { mask })).toEqual(seeded(options).distribution(logits));
});

test("sampler.distribution(logits, { mask }) acts before the first stage and intersects allowedTokens", () => {
  const logits = Float32Array.of(4, 3, 2, 1);
  const sampler = seeded({ allowedTokens: [1, 2, 3], topK: 1 });
  expect([...sampler.distribution(logits).tokenIds]).toEqual([1]);
  expect([...sampler.distribution(logits, { mask: maskOf(4, [0, 2, 3]) }).tokenIds]).toEqual([2]);
  const [first, second] = sampler.report(logits, { mask: maskOf(4, [0, 2, 3]) }).stages;
  expect(first).toMatchObject({ name: "mask", active: true, keptBefore: 4, keptAfter: 3, threshold: null });
  expect(second?.name).toBe("guidance");
});

test("sampler.sample(logits, { mask }) is nothing_left when mask and allowedTokens have nothing in common", () => {
  const sampler = seeded({ allowedTokens: [1], minKeep: 3 });
  const mask = maskOf(4, [0, 2]);
  expect(thrown(() => sampler.sample(Float32Array.of(4, 3, 2, 1), { mask }))).toMatchObject({
    code: "nothing_left",
    stage: "allowed_tokens",
  });
});

test("sampler.sample(logits, { mask }) draws among the masked with the words of its position", () => {
  const logits = scattered(64);
  const ids = [3, 10, 40, 63];
  const dead = logits.map((logit, id) => (ids.includes(id) ? logit : Number.NEGATIVE_INFINITY));
  const masked = seeded().sampleMany(logits, 50, { mask: maskOf(64, ids) });
  expect([...masked]).toEqual([...seeded().sampleMany(dead, 50)]);
});

test("sampler.sample(logits, { mask }) applies to greedy sampling", () => {
  const logits = Float32Array.of(1, 4, 3);
  const sampler = seeded({ temperature: 0 });
  expect(sampler.sample(logits, { mask: maskOf(3, [0, 2]) })).toBe(2);
  expect(sampler.sample(logits)).toBe(1);
});

test("sampler.sample(logits) after a mask that follows temperature 0 is nothing_left where it removes the best", () => {
  const order = ["temperature", "allowed_tokens"] as const;
  const sampler = seeded({ temperature: 0, allowedTokens: [0, 2], order });
  expect(thrown(() => sampler.sample(Float32Array.of(1, 4, 3)))).toMatchObject({
    code: "nothing_left",
    stage: "allowed_tokens",
  });
  expect(sampler.sample(Float32Array.of(1, 2, 3))).toBe(2);
});

type Call = (sampler: WasmSampler, logits: Float32Array, mask: Uint32Array) => unknown;
const calls: [string, Call][] = [
  ["sample", (sampler, logits, mask) => sampler.sample(logits, { mask })],
  ["sampleDetailed", (sampler, logits, mask) => sampler.sampleDetailed(logits, { mask })],
  ["sampleMany", (sampler, logits, mask) => sampler.sampleMany(logits, 2, { mask })],
  ["distribution", (sampler, logits, mask) => sampler.distribution(logits, { mask })],
  ["report", (sampler, logits, mask) => sampler.report(logits, { mask })],
  ["explain", (sampler, logits, mask) => sampler.explain(logits, 0, { mask })],
  ["logprobs", (sampler, logits, mask) => sampler.logprobs(logits, 2, { mask })],
];

test.each(calls)("sampler.%s(..., { mask }) takes exactly ceil(vocab / 32) words", (_, call) => {
  for (const [n, words] of [
    [1, 1],
    [32, 1],
    [33, 2],
    [64, 2],
    [65, 3],
  ] as const) {
    const logits = scattered(n);
    expect(() => call(seeded(), logits, new Uint32Array(words).fill(all))).not.toThrow();
    for (const wrong of [0, words - 1, words + 1]) {
      expect(thrown(() => call(seeded(), logits, new Uint32Array(wrong)))).toMatchObject({
        code: "wrong_length",
        option: "mask",
        accepted: String(words),
      });
    }
  }
});

/** Looks like a mask and is none. */
const disguised: unknown = Object.create(Uint32Array.prototype);

test.each(calls)("sampler.%s(..., { mask }) is wrong_type for anything but a Uint32Array", (_, call) => {
  for (const mask of [
    null,
    1,
    "1",
    [1],
    {},
    Uint8Array.of(1),
    Int32Array.of(1),
    new ArrayBuffer(4),
    true,
    disguised,
  ]) {
    const error = thrown(() => call(seeded(), scattered(3), untyped(mask)));
    expect(error).toMatchObject({ code: "wrong_type", option: "mask" });
  }
});

test("sampler.sample(logits, { mask }) takes a mask that is part of a larger array, and leaves it as it was", () => {
  const words = Uint32Array.of(0, 1 << 2, 0);
  expect(seeded().sample(scattered(5), { mask: words.subarray(1, 2) })).toBe(2);
  expect([...words]).toEqual([0, 4, 0]);
});
