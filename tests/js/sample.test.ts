// Drawing: one token, one token with its description, many tokens.
import { expect, test } from "vitest";
import { ln, type SamplerOptions, scattered, seeded, thrown, untyped, type WasmSampler } from "./nucleus";
import { row } from "./recorded";

const logits = scattered(200);
const dead = Number.NEGATIVE_INFINITY;

const position = (sampler: WasmSampler, id = 0) => {
  const rows = sampler.state().rows as { id: number; position: number }[];
  return rows.find((found) => found.id === id)?.position;
};

test("sampler.sample(logits) returns a token id and advances by one position", () => {
  const sampler = seeded();
  for (let n = 0; n < 50; n += 1) {
    expect(position(sampler)).toBe(n);
    const token = sampler.sample(logits);
    expect(Number.isInteger(token) && token >= 0 && token < 200).toBe(true);
  }
});

test("sampler.sample(logits) returns the only token there is", () => {
  expect(seeded().sample(Float32Array.of(-3))).toBe(0);
  expect(seeded().sample(Float32Array.of(dead, dead, 5, dead))).toBe(2);
  expect(seeded({ topK: 1 }).sample(Float32Array.of(1, 9, 2))).toBe(1);
});

test("sampler.sample(logits) never returns a token whose logit is -Infinity or whose weight is 0", () => {
  const some = Float32Array.of(0, dead, 0, -1000, 0);
  const drawn = new Set(seeded().sampleMany(some, 1000));
  expect([...drawn].sort()).toEqual([0, 2, 4]);
});

test("sampler.sample(logits) does not change the row", () => {
  const options = {
    temperature: 0.7,
    topK: 20,
    topP: 0.9,
    minP: 0.01,
    logitBias: { 3: 1 },
    presencePenalty: 1,
  };
  const sampler = seeded(options);
  sampler.accept(4);
  const copy = logits.slice();
  sampler.sample(copy);
  sampler.report(copy, { tokens: true });
  expect(copy).toEqual(logits);
});

test("sampler.sample(logits) takes -0 for 0", () => {
  const zeros = Float32Array.of(-0, 0, -0, 0);
  expect([...seeded({ topK: 2 }).distribution(zeros).tokenIds]).toEqual([0, 1]);
  expect([...seeded().sampleMany(zeros, 40)]).toEqual([...seeded().sampleMany(new Float32Array(4), 40)]);
  expect(Object.is(seeded().distribution(zeros).logits[0], 0)).toBe(true);
});

test("sampler.sample(logits) draws each token as often as its probability says", () => {
  // 100,000 draws: the standard deviation of a share is at most 0.0016, and five of them are allowed.
  const drawn = seeded().sampleMany(ln(0.5, 0.3, 0.15, 0.05), 100_000);
  const shares = [0, 1, 2, 3].map((token) => drawn.filter((found) => found === token).length / drawn.length);
  for (const [token, share] of [0.5, 0.3, 0.15, 0.05].entries()) {
    expect(Math.abs((shares[token] ?? 0) - share)).toBeLessThan(0.008);
  }
});

test("sampler.sample(logits) passes a position when greedy, and the words after it stay in their places", () => {
  const expected = [...seeded().sampleMany(logits, 10)];
  const sampler = seeded({ temperature: 0 });
  sampler.sample(logits);
  sampler.sampleMany(logits, 3);
  expect(position(sampler)).toBe(4);
  sampler.update({ temperature: 1 });
  expect([...sampler.sampleMany(logits, 6)]).toEqual(expected.slice(4));
});

const badLogits: [string, number[], object][] = [
  ["not_finite", [0, Number.NaN, Number.POSITIVE_INFINITY], { index: 1 }],
  ["not_finite", [0, 1, Number.POSITIVE_INFINITY, Number.NaN], { index: 2 }],
  ["not_finite", [1e39], { index: 0 }],
  ["empty", [], { option: "logits" }],
  ["nothing_left", [dead, dead], {}],
];

test.each(badLogits)("sampler.sample(logits) is %s for %o", (code, found, details) => {
  expect(thrown(() => seeded().sample(Float32Array.from(found)))).toMatchObject({ code, ...details });
  expect(thrown(() => seeded().sample(found))).toMatchObject({ code, ...details });
});

test("sampler.sample(logits) takes a vocabulary of 524,288 and is too_large for one more", () => {
  const largest = new Float32Array(2 ** 19).fill(-10);
  largest[2 ** 19 - 1] = 30;
  expect(seeded().sample(largest)).toBe(2 ** 19 - 1);
  const error = thrown(() => seeded().sample(new Float32Array(2 ** 19 + 1)));
  expect(error).toMatchObject({ code: "too_large", accepted: "at most 524288" });
  expect(error.message).toContain("524289");
});

test("sampler.sampleDetailed(logits) draws what sample draws, and describes it", () => {
  const options = { temperature: 0.8, topP: 0.9 };
  const [detailed, plain] = [seeded(options), seeded(options)];
  for (let n = 0; n < 30; n += 1) {
    const found = detailed.sampleDetailed(logits);
    const { keptCount, keptMass, entropy } = plain.distribution(logits);
    const { raw, final } = plain.logprobs(logits, 200);
    const token = plain.sample(logits);
    const logprob = (items: typeof raw) => items.find((item) => item.token === token)?.logprob;
    expect(found).toEqual({
      token,
      position: n,
      keptCount,
      keptMass,
      entropy,
      logprob: { raw: logprob(raw), final: logprob(final) },
      target: expect.any(Number),
      trip: null,
    });
  }
  expect(detailed.state()).toEqual(plain.state());
});

test("sampler.sampleDetailed(logits) has its target inside the token's interval, ids ascending", () => {
  const sampler = seeded({ topP: 0.9 });
  const { tokenIds, probs } = sampler.distribution(logits);
  const byId = [...tokenIds].map((id, rank) => ({ id, prob: probs[rank] ?? 0 })).sort((a, b) => a.id - b.id);
  for (let n = 0; n < 100; n += 1) {
    const { token, target } = sampler.sampleDetailed(logits);
    const place = byId.findIndex(({ id }) => id === token);
    const below = byId.slice(0, place).reduce((sum, { prob }) => sum + prob, 0);
    expect(target ?? -1).toBeGreaterThanOrEqual(below - 1e-12);
    expect(target ?? 2).toBeLessThan(below + (byId[place]?.prob ?? 0) + 1e-12);
  }
});

test("sampler.sampleDetailed(logits) has no target when greedy, and a final log probability of 0", () => {
  const { target, logprob, keptCount, entropy } = seeded({ temperature: 0 }).sampleDetailed(logits);
  expect({ target, keptCount, entropy, final: logprob.final }).toEqual({
    target: null,
    keptCount: 1,
    entropy: 0,
    final: 0,
  });
  expect(logprob.raw).toBeLessThan(0);
});

const manyOptions: SamplerOptions[] = [
  {},
  { temperature: 0 },
  { temperature: 0.7, topK: 40, topP: 0.95, minP: 0.05 },
  { logitBias: { 3: 2, 4: Number.NEGATIVE_INFINITY }, topP: 0.8 },
  { order: ["top_k", "greedy"], topK: 3 },
];

test.each(manyOptions)(
  "sampler.sampleMany(logits, n) returns what n calls of sample return, under %o",
  (options) => {
    for (const found of [logits, row("once")]) {
      const [many, single] = [seeded(options), seeded(options)];
      const expected = Array.from({ length: 60 }, () => single.sample(found));
      expect([
        ...many.sampleMany(found, 25),
        ...many.sampleMany(found, 0),
        ...many.sampleMany(found, 35),
      ]).toEqual(expected);
      expect(many.state()).toEqual(single.state());
    }
  },
);

test("sampler.sampleMany(logits, n) returns a Uint32Array of its own", () => {
  const sampler = seeded();
  const drawn = sampler.sampleMany(logits, 5);
  expect(drawn).toBeInstanceOf(Uint32Array);
  expect(drawn.buffer).not.toBe(sampler.logitsBuffer(1).buffer);
  const copy = drawn.slice();
  sampler.sampleMany(logits, 5);
  expect(drawn).toEqual(copy);
});

test("sampler.sampleMany(logits, n) is too_large above 2^27 draws, and checks n before all else", () => {
  const sampler = seeded();
  expect(thrown(() => sampler.sampleMany(logits, 2 ** 27 + 1))).toMatchObject({
    code: "too_large",
    accepted: "at most 134217728",
  });
  for (const n of [-1, 0.5, 2 ** 32, Number.NaN]) {
    expect(thrown(() => sampler.sampleMany(logits, n))).toMatchObject({ code: "out_of_range", option: "n" });
  }
  for (const n of [null, "3", 3n, undefined]) {
    expect(thrown(() => sampler.sampleMany(logits, untyped(n)))).toMatchObject({
      code: "wrong_type",
      option: "n",
    });
  }
  expect(thrown(() => sampler.sampleMany(Float32Array.of(dead), 0)).code).toBe("nothing_left");
  expect(position(sampler)).toBe(0);
});
