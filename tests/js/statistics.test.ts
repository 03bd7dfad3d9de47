// Statistics of draws: how well counts fit probabilities, and between which counts they should stay.
import { countIntervals, goodnessOfFit } from "nucleus-sampler";
import { expect, test } from "vitest";
import { scattered, seeded, thrown, untyped } from "./nucleus";

const probs = Float64Array.of(0.5, 0.3, 0.2);

test("goodnessOfFit(counts, probs) of counts that fit has no distance and no surprise", () => {
  expect(goodnessOfFit(Uint32Array.of(500, 300, 200), probs)).toEqual({
    n: 1000,
    totalVariation: 0,
    g: expect.closeTo(0, 9),
    degrees: 2,
    pValue: expect.closeTo(1, 9),
  });
});

test("goodnessOfFit(counts, probs) computes G, and its chance", () => {
  const observed = [550, 270, 180];
  const { g, totalVariation, pValue } = goodnessOfFit(Uint32Array.from(observed), probs);
  const expected = observed.reduce((sum, count, i) => {
    return sum + 2 * count * Math.log(count / (1000 * (probs[i] ?? 0)));
  }, 0);
  expect(g).toBeCloseTo(expected, 9);
  expect(totalVariation).toBeCloseTo(0.05, 12);
  // With two degrees of freedom the chance is e^(-g / 2).
  expect(pValue).toBeCloseTo(Math.exp(-expected / 2), 9);
});

test("goodnessOfFit(counts, probs) is impossible where something of probability 0 was drawn", () => {
  const found = goodnessOfFit(Uint32Array.of(10, 1), Float64Array.of(1, 0));
  expect(found).toMatchObject({ g: Number.POSITIVE_INFINITY, pValue: 0 });
});

test("goodnessOfFit(counts, probs) finds the sampler's draws fair", () => {
  const logits = scattered(50);
  const sampler = seeded({ topP: 0.9 });
  const { tokenIds, probs: shares } = sampler.distribution(logits);
  const counts = new Uint32Array(tokenIds.length);
  for (const token of sampler.sampleMany(logits, 100_000)) {
    const rank = tokenIds.indexOf(token);
    counts[rank] = (counts[rank] ?? 0) + 1;
  }
  const { n, pValue } = goodnessOfFit(counts, shares);
  expect(n).toBe(100_000);
  expect(pValue).toBeGreaterThan(1e-6);
  const { low, high } = countIntervals(shares, n);
  const inside = counts.filter((count, i) => count >= (low[i] ?? 0) && count <= (high[i] ?? 0));
  expect(inside.length / counts.length).toBeGreaterThan(0.8);
});

test("countIntervals(probs, n) holds the middle 95 of 100 of a binomial distribution", () => {
  expect(countIntervals(Float64Array.of(0.5, 0, 1), 10)).toEqual({
    expected: Float64Array.of(5, 0, 10),
    low: Float64Array.of(2, 0, 10),
    high: Float64Array.of(8, 0, 10),
  });
  expect(countIntervals(Float64Array.of(0.001), 100)).toEqual({
    expected: Float64Array.of(0.1),
    low: Float64Array.of(0),
    high: Float64Array.of(1),
  });
  expect(countIntervals(new Float64Array(0), 10)).toEqual({
    expected: new Float64Array(0),
    low: new Float64Array(0),
    high: new Float64Array(0),
  });
});

const wrong: [string, string, () => unknown][] = [
  ["wrong_length", "probs", () => goodnessOfFit(Uint32Array.of(1), probs)],
  ["out_of_range", "probs", () => goodnessOfFit(Uint32Array.of(1), Float64Array.of(1.5))],
  ["out_of_range", "probs", () => goodnessOfFit(Uint32Array.of(1), Float64Array.of(Number.NaN))],
  ["out_of_range", "probs", () => goodnessOfFit(Uint32Array.of(1, 1), Float64Array.of(1, 1))],
  ["out_of_range", "probs", () => goodnessOfFit(Uint32Array.of(1, 1), Float64Array.of(0.5, 0.25))],
  ["out_of_range", "probs", () => goodnessOfFit(Uint32Array.of(1, 1), Float64Array.of(0.5, 0.500002))],
  ["out_of_range", "probs", () => goodnessOfFit(Uint32Array.of(1, 1), Float64Array.of(0.5, 0.499998))],
  ["out_of_range", "probs", () => goodnessOfFit(new Uint32Array(0), new Float64Array(0))],
  ["out_of_range", "probs", () => countIntervals(Float64Array.of(-0.1), 1)],
  ["out_of_range", "n", () => countIntervals(probs, -1)],
  ["out_of_range", "n", () => countIntervals(probs, 0.5)],
  ["out_of_range", "n", () => countIntervals(probs, 2 ** 53)],
  ["wrong_type", "n", () => countIntervals(probs, untyped("5"))],
  ["wrong_type", "counts", () => goodnessOfFit(untyped([1, 2, 3]), probs)],
  ["wrong_type", "probs", () => goodnessOfFit(Uint32Array.of(1), untyped([1]))],
  ["wrong_type", "probs", () => countIntervals(untyped([1]), 1)],
];

test.each(wrong)("goodnessOfFit and countIntervals are %s about %s", (code, option, call) => {
  expect(thrown(call)).toMatchObject({ code, option });
});

test("goodnessOfFit(counts, probs) takes probabilities whose sum is 1 to a millionth, and says what it was", () => {
  const judged = (...shares: number[]) => goodnessOfFit(Uint32Array.of(50, 50), Float64Array.from(shares));
  expect(judged(0.5, 0.5000009).n).toBe(100);
  expect(judged(0.5, 0.4999991).n).toBe(100);
  expect(thrown(() => judged(1, 1)).message).toBe("probs must be numbers with the sum 1, not with the sum 2");
});

test("countIntervals(probs, n) answers at once and rightly where probabilities are tiny or all but certain", () => {
  const { low, high } = countIntervals(Float64Array.of(1e-16, 0.9995), 100);
  expect([...low, ...high]).toEqual([0, 99, 0, 100]);
  expect(countIntervals(Float64Array.of(1e-16), 9e15).high[0]).toBeLessThan(10);
});
