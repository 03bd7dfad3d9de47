// Log probabilities: raw, of the given row at temperature 1, and final, of what the chain kept.
import { expect, test } from "vitest";
import { ln, maskOf, scattered, seeded, throughJson, thrown, untyped } from "./nucleus";
import { row } from "./recorded";

const halves = ln(0.5, 0.3, 0.15, 0.05);
const dead = Number.NEGATIVE_INFINITY;

/** Log-softmax in 64-bit floats. */
function logSoftmax(logits: Float32Array): number[] {
  const most = logits.reduce((a, b) => Math.max(a, b));
  const sum = logits.reduce((total, logit) => total + Math.exp(logit - most), 0);
  return [...logits].map((logit) => logit - most - Math.log(sum));
}

test("sampler.logprobs(logits, n) lists the n best, raw and final, highest first", () => {
  const { raw, final } = seeded({ topP: 0.75 }).logprobs(halves, 3);
  expect(raw).toEqual([
    { token: 0, logprob: expect.closeTo(Math.log(0.5), 6), rank: 0 },
    { token: 1, logprob: expect.closeTo(Math.log(0.3), 6), rank: 1 },
    { token: 2, logprob: expect.closeTo(Math.log(0.15), 6), rank: 2 },
  ]);
  expect(final).toEqual([
    { token: 0, logprob: expect.closeTo(Math.log(0.625), 6), rank: 0 },
    { token: 1, logprob: expect.closeTo(Math.log(0.375), 6), rank: 1 },
  ]);
});

test("sampler.logprobs(logits, n).raw is log-softmax of the given row, within 2e-6 + 1e-6 of the value", () => {
  for (const logits of [scattered(2000), row("once"), row("code")]) {
    const expected = logSoftmax(logits);
    const { raw } = seeded({ temperature: 0.3, topK: 5 }).logprobs(logits, logits.length);
    expect(raw).toHaveLength(logits.length);
    const far = raw.filter(({ token, logprob }) => {
      const value = expected[token] ?? Number.NaN;
      return !(Math.abs(logprob - value) <= 2e-6 + 1e-6 * Math.abs(value));
    });
    expect(far).toEqual([]);
    expect(raw.map(({ rank }) => rank)).toEqual([...logits.keys()]);
  }
});

test("sampler.logprobs(logits, n).raw knows no temperature, mask, bias or history", () => {
  const plain = seeded().logprobs(halves, 4).raw;
  const sampler = seeded({ temperature: 2, logitBias: { 0: dead }, presencePenalty: 1, topK: 2 });
  sampler.accept(1);
  expect(sampler.logprobs(halves, 4, { mask: maskOf(4, [1, 2, 3]) }).raw).toEqual(plain);
});

test("sampler.logprobs(logits, n).final is the logarithm of the distribution", () => {
  const logits = scattered(500);
  const sampler = seeded({ temperature: 0.7, topP: 0.9 });
  const { tokenIds, probs, keptCount } = sampler.distribution(logits);
  const { final } = sampler.logprobs(logits, 500);
  expect(final.map(({ token }) => token)).toEqual([...tokenIds]);
  for (const { logprob, rank } of final) expect(logprob).toBeCloseTo(Math.log(probs[rank ?? 0] ?? 0), 5);
  expect(final).toHaveLength(keptCount);
});

test("sampler.logprobs(logits, n) is finite for a logit too small for a weight", () => {
  const { raw, final } = seeded().logprobs(Float32Array.of(0, -1000), 2);
  expect(raw[1]).toEqual({ token: 1, logprob: -1000, rank: 1 });
  expect(final[1]).toEqual({ token: 1, logprob: -1000, rank: 1 });
  expect(Object.is(raw[0]?.logprob, 0) || Object.is(raw[0]?.logprob, -0)).toBe(true);
});

test("sampler.logprobs(logits, n, { token }) adds the named token where it is not among the best", () => {
  const sampler = seeded({ topK: 2 });
  const { raw, final } = sampler.logprobs(halves, 1, { token: 3 });
  expect(raw).toMatchObject([
    { token: 0, rank: 0 },
    { token: 3, rank: 3 },
  ]);
  expect(final).toMatchObject([
    { token: 0, rank: 0 },
    { token: 3, rank: null, logprob: dead },
  ]);
  const among = sampler.logprobs(halves, 2, { token: 1 });
  expect(among.raw.map(({ token }) => token)).toEqual([0, 1]);
  expect(among.final.map(({ token }) => token)).toEqual([0, 1]);
});

test("sampler.logprobs(logits, 0, { token }) lists the named token alone", () => {
  const { raw, final } = seeded().logprobs(halves, 0, { token: 2 });
  expect(raw).toMatchObject([{ token: 2, rank: 2 }]);
  expect(final).toMatchObject([{ token: 2, rank: 2 }]);
  expect(seeded().logprobs(halves, 0)).toEqual({ raw: [], final: [] });
});

test("sampler.logprobs(logits, n, { token }) of a dead token is -Infinity in memory and null in JSON", () => {
  const found = seeded().logprobs(Float32Array.of(1, dead, 0), 1, { token: 1 });
  for (const items of [found.raw, found.final])
    expect(items[1]).toEqual({ token: 1, logprob: dead, rank: null });
  expect(throughJson(found).raw[1]).toEqual({ token: 1, logprob: null, rank: null });
});

test("sampler.logprobs(logits, n) takes any n up to 2^32 - 1 and lists no more than there are", () => {
  const { raw, final } = seeded({ topK: 3 }).logprobs(halves, 2 ** 32 - 1);
  expect([raw.length, final.length]).toEqual([4, 3]);
});

test("sampler.logprobs(logits, n, { token }) gives equal logits to the lower id first", () => {
  const { raw } = seeded().logprobs(Float32Array.of(1, 2, 2, 1, 2), 2, { token: 3 });
  expect(raw.map(({ token, rank }) => [token, rank])).toEqual([
    [1, 0],
    [2, 1],
    [3, 4],
  ]);
});

const wrong: [string, unknown, object | undefined, object][] = [
  ["out_of_range", -1, {}, { option: "n" }],
  ["out_of_range", 0.5, {}, { option: "n" }],
  ["out_of_range", 2 ** 32, {}, { option: "n" }],
  ["wrong_type", "3", {}, { option: "n" }],
  ["wrong_type", undefined, {}, { option: "n" }],
  ["wrong_type", null, {}, { option: "n" }],
  ["bad_token", 1, { token: 4 }, { option: "token", index: 4, accepted: "token ids below 4" }],
  ["out_of_range", 1, { token: -1 }, { option: "token" }],
  ["out_of_range", 1, { token: 1.5 }, { option: "token" }],
  ["wrong_type", 1, { token: null }, { option: "token" }],
  ["wrong_type", 1, { token: "1" }, { option: "token" }],
];

test.each(wrong)(
  "sampler.logprobs(logits, n, { token }) is %s for n %o with %o",
  (code, n, last, details) => {
    const error = thrown(() => seeded().logprobs(halves, untyped(n), untyped(last)));
    expect(error).toMatchObject({ code, ...details });
  },
);
