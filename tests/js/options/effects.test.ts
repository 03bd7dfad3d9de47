// Every option changes something: what it is said to change, and nothing when it is off.
import { expect, test } from "vitest";
import { kept, ln, type SamplerOptions, seeded, thrown } from "../nucleus";

const halves = ln(0.5, 0.3, 0.15, 0.05);

const thresholds: [SamplerOptions, number[]][] = [
  [{ topK: 0 }, [0, 1, 2, 3]],
  [{ topK: 1 }, [0]],
  [{ topK: 3 }, [0, 1, 2]],
  [{ topK: 4 }, [0, 1, 2, 3]],
  [{ topK: 5 }, [0, 1, 2, 3]],
  [{ topP: 0 }, [0]],
  [{ topP: 0.49 }, [0]],
  [{ topP: 0.51 }, [0, 1]],
  [{ topP: 0.79 }, [0, 1]],
  [{ topP: 0.81 }, [0, 1, 2]],
  [{ topP: 0.94 }, [0, 1, 2]],
  [{ topP: 0.96 }, [0, 1, 2, 3]],
  [{ topP: 1 }, [0, 1, 2, 3]],
  [{ minP: 0 }, [0, 1, 2, 3]],
  [{ minP: 0.09 }, [0, 1, 2, 3]],
  [{ minP: 0.11 }, [0, 1, 2]],
  [{ minP: 0.29 }, [0, 1, 2]],
  [{ minP: 0.31 }, [0, 1]],
  [{ minP: 0.59 }, [0, 1]],
  [{ minP: 0.61 }, [0]],
  [{ minP: 1 }, [0]],
  // The entropy of halves is 1.142 nats: deviations 0.449, 0.062, 0.755 and 1.854.
  [{ typicalP: 0 }, [1]],
  [{ typicalP: 0.29 }, [1]],
  [{ typicalP: 0.31 }, [0, 1]],
  [{ typicalP: 0.81 }, [0, 1, 2]],
  [{ typicalP: 1 }, [0, 1, 2, 3]],
  [{ typicalP: 0.1, minKeep: 2 }, [0, 1]],
  // Sigma of the logits is 0.863: distances from the best are 0.592, 1.395 and 2.669 of it.
  [{ topNSigma: 0.58 }, [0]],
  [{ topNSigma: 0.6 }, [0, 1]],
  [{ topNSigma: 1.4 }, [0, 1, 2]],
  [{ topNSigma: 2.7 }, [0, 1, 2, 3]],
  // The square of the best is 0.25.
  [{ topA: 0.19 }, [0, 1, 2, 3]],
  [{ topA: 0.21 }, [0, 1, 2]],
  [{ topA: 0.61 }, [0, 1]],
  [{ topA: 1 }, [0, 1]],
  // Entropies of the prefixes: 0, 0.662, 0.993 and 1.142 nats.
  [{ topH: 0.5 }, [0]],
  [{ topH: 0.6 }, [0, 1]],
  [{ topH: 0.9 }, [0, 1, 2]],
  // The bends are 0.05 and 0.05.
  [{ tailFree: 0.4 }, [0]],
  [{ tailFree: 0.6 }, [0, 1]],
  // The sum of squares is 0.365.
  [{ pLess: true }, [0]],
  [{ pLess: true, minKeep: 2 }, [0, 1]],
  [{ pLess: false }, [0, 1, 2, 3]],
  [{ epsilonCutoff: 0.04 }, [0, 1, 2, 3]],
  [{ epsilonCutoff: 0.06 }, [0, 1, 2]],
  [{ epsilonCutoff: 0.6 }, [0]],
  // e^-1.142 is 0.319.
  [{ etaCutoff: 0.04 }, [0, 1, 2, 3]],
  [{ etaCutoff: 0.06 }, [0, 1, 2]],
  [{ etaCutoff: 0.3 }, [0, 1]],
  [{ smoothing: { factor: 1 } }, [0, 1, 2, 3]],
  [{ smoothing: { factor: 1, curve: 9 } }, [1, 0, 2, 3]],
  [{ dynamicTemperature: { range: 0.5 } }, [0, 1, 2, 3]],
  [{ topK: 1, minKeep: 3 }, [0, 1, 2]],
  [{ topP: 0, minKeep: 2 }, [0, 1]],
  [{ minP: 1, minKeep: 3 }, [0, 1, 2]],
  [{ minP: 1, minKeep: 9 }, [0, 1, 2, 3]],
  [{ temperature: 0, minKeep: 3 }, [0]],
  [{ logitBias: { 3: 9 } }, [3, 0, 1, 2]],
  [{ logitBias: { 0: Number.NEGATIVE_INFINITY } }, [1, 2, 3]],
  [{ allowedTokens: [3, 1] }, [1, 3]],
  [{ allowedTokens: [3], minKeep: 2 }, [3]],
  [{ order: ["top_k"], topK: 2 }, [0, 1]],
  [{ preset: "textbook", topP: 0.51 }, [0, 1]],
];

test.each(thresholds)("sampler.distribution(logits) under %o keeps %o", (options, expected) => {
  expect(kept(options, halves)).toEqual(expected);
});

test("sampler.distribution(logits) gives equal logits to the lower id first", () => {
  const equal = new Float32Array(100).fill(2.5);
  expect(kept({ topK: 3 }, equal)).toEqual([0, 1, 2]);
  expect(kept({ topP: 0.5 }, equal)).toHaveLength(50);
  // The 64-bit number 0.55 lies above 55/100.
  expect(kept({ topP: 0.55 }, equal)).toHaveLength(56);
  expect(kept({ minP: 1 }, equal)).toHaveLength(100);
});

test("sampler.distribution(logits) at topP 1 keeps tokens of weight 0, which 1 - 2^-53 drops", () => {
  const far = Float32Array.of(0, -100, -1000);
  expect(kept({ topP: 1 }, far)).toEqual([0, 1, 2]);
  expect(kept({ topP: 1 - 2 ** -53 }, far)).toEqual([0]);
});

test("new WasmSampler({ temperature }) divides logits and never changes a rank", () => {
  const logits = Float32Array.of(1, 3, 2);
  for (const [temperature, expected] of [
    [0.5, [6, 4, 2]],
    [1, [3, 2, 1]],
    [2, [1.5, 1, 0.5]],
  ] as const) {
    const found = seeded({ temperature }).distribution(logits);
    expect([...found.tokenIds]).toEqual([1, 2, 0]);
    expect([...found.logits]).toEqual(expected);
  }
});

test("new WasmSampler({ temperature }) flattens when hot and sharpens when cold", () => {
  const entropy = (temperature: number) => seeded({ temperature }).distribution(halves).entropy;
  const found = [0, 0.1, 0.5, 1, 2, 10, 1e9].map(entropy);
  expect(found).toEqual([...found].sort((a, b) => a - b));
  expect(found[0]).toBe(0);
  expect(found.at(-1)).toBeCloseTo(Math.log(4), 8);
});

test("new WasmSampler({ dynamicTemperature }) divides by a temperature that the entropy chooses", () => {
  const logits = Float32Array.of(0, 0, -1000);
  const found = (options: SamplerOptions) => seeded(options).distribution(logits).logits[2];
  // ln 2 of ln 3 is 0.630930: T is 0.5 + 0.630930, or 0.5 + 0.398073.
  expect(found({ dynamicTemperature: { range: 0.5 } })).toBeCloseTo(-1000 / 1.13093, 2);
  expect(found({ dynamicTemperature: { range: 0.5, exponent: 2 } })).toBeCloseTo(-1000 / 0.898073, 2);
  expect(found({ dynamicTemperature: { range: 0 }, temperature: 2 })).toBe(-500);
  expect(kept({ dynamicTemperature: { range: 5 }, temperature: 0 }, logits)).toEqual([0]);
});

test("new WasmSampler({ smoothing }) writes a curve of the distance from the best", () => {
  const logits = Float32Array.of(3, 2, 0);
  const found = (options: SamplerOptions) => [...seeded(options).distribution(logits).logits];
  expect(found({ smoothing: { factor: 0.5 } })).toEqual([3, 2.5, -1.5]);
  expect(found({ smoothing: { factor: 0.5, curve: 3 } })).toEqual([3, 2.5, -10.5]);
  expect(found({ smoothing: { factor: 0, curve: 3 } })).toEqual([3, 2, 0]);
  const far = seeded({ smoothing: { factor: 1 } });
  expect(thrown(() => far.sample(Float32Array.of(0, -1e30)))).toMatchObject({
    code: "not_finite",
    stage: "smoothing",
    index: 1,
  });
});

test("new WasmSampler({ temperature: 0 }) draws the first by rank from every seed", () => {
  const logits = Float32Array.of(1, 3, 3, 2);
  for (let seed = 0; seed < 50; seed += 1) expect(seeded({ temperature: 0, seed }).sample(logits)).toBe(1);
});

test("new WasmSampler({ seed, stream }) changes the draws and nothing else", () => {
  const draws = (options: SamplerOptions) => [...seeded(options).sampleMany(halves, 64)];
  expect(draws({ seed: 1 })).toEqual(draws({ seed: 1 }));
  expect(draws({ seed: 1 })).not.toEqual(draws({ seed: 2 }));
  expect(draws({ seed: 1, stream: 1 })).not.toEqual(draws({ seed: 1 }));
  expect(seeded({ stream: 1 }).distribution(halves)).toEqual(seeded().distribution(halves));
});
