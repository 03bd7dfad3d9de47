// Every option changes something: what it is said to change, and nothing when it is off.
import { expect, test } from "vitest";
import { kept, ln, type SamplerOptions, seeded } from "../nucleus";

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
