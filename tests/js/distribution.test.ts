// What a chain leaves: the kept tokens by rank, with exact shares.
import { expect, test } from "vitest";
import { ln, type SamplerOptions, scattered, seeded } from "./nucleus";
import { row, rowNames } from "./recorded";

const optionSets: SamplerOptions[] = [
  {},
  { temperature: 0 },
  { temperature: 0.3 },
  { temperature: 3, topK: 100 },
  { topP: 0.9 },
  { minP: 0.02 },
  { temperature: 0.8, topK: 40, topP: 0.95, minP: 0.05 },
  { topP: 0.5, minKeep: 7 },
];

const everyRow = [
  ["scattered", scattered(1000)] as const,
  ...rowNames.map((name) => [name, row(name)] as const),
];
const cases = optionSets.flatMap((options) => everyRow.map(([name, logits]) => ({ options, name, logits })));

test.each(cases)(
  "sampler.distribution(logits) of the row $name under $options is ordered and sums to 1",
  ({ options, logits }) => {
    const found = seeded(options).distribution(logits);
    const { tokenIds, probs, cumulative, keptCount, keptMass, entropy, cutoff } = found;
    for (const list of [tokenIds, found.logits, probs, cumulative]) expect(list).toHaveLength(keptCount);
    expect(cutoff).toBe(keptCount);
    expect(new Set(tokenIds).size).toBe(keptCount);
    let [outOfOrder, falling, sum] = [0, 0, 0];
    for (let rank = 0; rank < keptCount; rank += 1) {
      sum += probs[rank] ?? 0;
      if (Math.abs(sum - (cumulative[rank] ?? 0)) > 1e-9) outOfOrder += 1;
      if (rank === 0) continue;
      if ((cumulative[rank] ?? 0) < (cumulative[rank - 1] ?? 0)) falling += 1;
      const [above, below] = [logits[tokenIds[rank - 1] ?? 0] ?? 0, logits[tokenIds[rank] ?? 0] ?? 0];
      if (above < below || (above === below && (tokenIds[rank - 1] ?? 0) > (tokenIds[rank] ?? 0)))
        outOfOrder += 1;
    }
    expect({ outOfOrder, falling, last: cumulative[keptCount - 1] }).toEqual({
      outOfOrder: 0,
      falling: 0,
      last: 1,
    });
    expect(keptMass).toBeGreaterThan(0);
    expect(keptMass).toBeLessThanOrEqual(1);
    const expected = probs.reduce((total, p) => total - (p > 0 ? p * Math.log(p) : 0), 0);
    expect(Math.abs(entropy - expected)).toBeLessThan(1e-6);
  },
);

test("sampler.distribution(logits) has arrays of its own, outside the module's memory", () => {
  const sampler = seeded({ topK: 3 });
  const found = sampler.distribution(scattered(10));
  const memory = sampler.logitsBuffer(1).buffer;
  expect(found.tokenIds).toBeInstanceOf(Uint32Array);
  expect(found.logits).toBeInstanceOf(Float32Array);
  expect(found.probs).toBeInstanceOf(Float64Array);
  expect(found.cumulative).toBeInstanceOf(Float64Array);
  for (const list of [found.tokenIds, found.logits, found.probs, found.cumulative]) {
    expect(list.buffer).not.toBe(memory);
  }
  expect(Object.keys(found)).toEqual([
    ...["tokenIds", "logits", "probs", "cumulative", "keptCount", "keptMass", "entropy", "cutoff"],
  ]);
});

test("sampler.distribution(logits) renormalises what it kept, and says what share that was", () => {
  const { probs, cumulative, keptMass, keptCount } = seeded({ topP: 0.7 }).distribution(
    ln(0.5, 0.3, 0.15, 0.05),
  );
  expect(keptCount).toBe(2);
  expect(probs[0]).toBeCloseTo(0.625, 6);
  expect(cumulative[1]).toBe(1);
  expect(keptMass).toBeCloseTo(0.8, 6);
});

test("sampler.distribution(logits).keptMass is a share of what entered the first truncating stage", () => {
  const logits = ln(0.5, 0.3, 0.15, 0.05);
  const mass = (options: SamplerOptions) => seeded(options).distribution(logits).keptMass;
  expect(mass({})).toBe(1);
  expect(mass({ allowedTokens: [0, 1] })).toBe(1);
  expect(mass({ topK: 3, topP: 0.5 })).toBeCloseTo(0.5, 6);
  expect(mass({ temperature: 0 })).toBeCloseTo(0.5, 6);
  expect(mass({ allowedTokens: [0, 1], topK: 1 })).toBeCloseTo(0.625, 6);
  // The weights are those of that stage: with temperature 0.5 before it, probabilities are squared.
  expect(mass({ temperature: 0.5, topK: 1 })).toBeCloseTo(0.25 / 0.365, 6);
  expect(mass({ temperature: 0.5, topK: 1, order: ["top_k", "temperature"] })).toBeCloseTo(0.5, 6);
});

test("sampler.distribution(logits).logits are the values after the chain, temperature applied", () => {
  const options = { temperature: 0.5, logitBias: { 1: 1 }, presencePenalty: 0.25 };
  const sampler = seeded(options);
  sampler.accept(0);
  const { tokenIds, logits } = sampler.distribution(Float32Array.of(2, 1.5, -1));
  expect([...tokenIds]).toEqual([1, 0, 2]);
  expect([...logits]).toEqual([5, 3.5, -2]);
});

test("sampler.distribution(logits).logits stay inside the range of floats", () => {
  const most = 3.4028234663852886e38;
  const { logits, probs } = seeded({ temperature: 1e-30 }).distribution(Float32Array.of(1e20, -1e20));
  expect([...logits]).toEqual([most, -most]);
  expect([...probs]).toEqual([1, 0]);
});

test("sampler.distribution(logits) of equal tokens shares exactly", () => {
  const { probs, cumulative, entropy } = seeded().distribution(new Float32Array(8).fill(-3));
  expect([...probs]).toEqual(Array(8).fill(1 / 8));
  expect([...cumulative]).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((n) => n / 8));
  expect(entropy).toBeCloseTo(Math.log(8), 12);
});

test.each([-1e4, 1e4, 1e30])(
  "sampler.distribution(logits) is the same after a shift where floats allow it (%d)",
  (far) => {
    const found = seeded().distribution(Float32Array.of(far, far, far));
    expect([...found.probs]).toEqual([1 / 3, 1 / 3, 1 / 3]);
    expect(found.cumulative[2]).toBe(1);
  },
);

test("sampler.distribution(logits) of extreme rows has no NaN", () => {
  const most = 3.4028234663852886e38;
  for (const temperature of [5e-324, 1e-30, 1, 1e30, Number.MAX_VALUE]) {
    const { probs, entropy, cumulative } = seeded({ temperature }).distribution(
      Float32Array.of(most, 0, -most),
    );
    expect([...probs, entropy, ...cumulative].every((value) => Number.isFinite(value))).toBe(true);
    expect(cumulative[2]).toBe(1);
  }
});
