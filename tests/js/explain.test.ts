// Why a token is in or out.
import { expect, test } from "vitest";
import { ln, maskOf, type SamplerOptions, scattered, seeded, thrown, untyped } from "./nucleus";

const halves = ln(0.5, 0.3, 0.15, 0.05);
const full = 2 ** 44;
const dead = Number.NEGATIVE_INFINITY;

test("sampler.explain(logits, token) of a kept token describes its place in the final set", () => {
  const found = seeded({ topP: 0.75 }).explain(halves, 1);
  expect(found).toEqual({
    token: 1,
    kept: true,
    stage: null,
    logit: halves[1],
    rank: 1,
    weight: expect.any(Number),
    prob: expect.closeTo(0.375, 6),
    massBefore: expect.closeTo(0.625, 6),
    threshold: null,
    keptBefore: 2,
    keptAfter: 2,
  });
  expect(Number.isInteger(found.weight)).toBe(true);
  expect(found.weight / full).toBeCloseTo(0.6, 6);
});

const removals: [string, SamplerOptions, number, object][] = [
  ["top_k", { topK: 2 }, 2, { rank: 2, massBefore: 0.8, threshold: 2, keptBefore: 4, keptAfter: 2 }],
  ["top_p", { topP: 0.75 }, 3, { rank: 3, massBefore: 0.95, threshold: 0.75, keptBefore: 4, keptAfter: 2 }],
  ["min_p", { minP: 0.2 }, 3, { rank: 3, massBefore: 0.95, threshold: 0.1, keptBefore: 4, keptAfter: 3 }],
  ["allowed_tokens", { allowedTokens: [0, 2] }, 1, { rank: 1, massBefore: 0.5, keptBefore: 4, keptAfter: 2 }],
  ["logit_bias", { logitBias: { 0: dead } }, 0, { rank: 0, massBefore: 0, keptBefore: 4, keptAfter: 3 }],
  ["temperature", { temperature: 0 }, 1, { rank: 1, massBefore: 0.5, keptBefore: 4, keptAfter: 1 }],
];

test.each(removals)(
  "sampler.explain(logits, token) names %s, which removed it, with the numbers of that moment",
  (...of) => {
    const [stage, options, token, details] = of;
    const found = seeded(options).explain(halves, token);
    expect(found).toMatchObject({ token, kept: false, stage });
    for (const [name, value] of Object.entries({ threshold: null, ...details })) {
      const actual = found[name as "rank"];
      if (value === null) expect(actual).toBeNull();
      else expect(actual).toBeCloseTo(value, 6);
    }
  },
);

test("sampler.explain(logits, token, { mask }) names the mask", () => {
  const found = seeded({ topK: 1 }).explain(halves, 0, { mask: maskOf(4, [1, 2]) });
  expect(found).toMatchObject({ kept: false, stage: "mask", rank: 0, keptBefore: 4, keptAfter: 2 });
});

test("sampler.explain(logits, token) of a token that was -Infinity has no stage and no rank", () => {
  expect(seeded({ topK: 1 }).explain(Float32Array.of(1, dead, 2), 1)).toMatchObject({
    kept: false,
    stage: null,
    logit: dead,
    rank: null,
    weight: 0,
    prob: 0,
    massBefore: 0,
    threshold: null,
  });
});

test("sampler.explain(logits, token) agrees with the report and the distribution about every token", () => {
  const logits = scattered(300);
  const options = { temperature: 0.8, topK: 60, topP: 0.9, minP: 0.01, logitBias: { 7: dead } };
  const sampler = seeded(options);
  const { tokenIds, probs } = sampler.distribution(logits);
  const { stages, removedBy } = sampler.report(logits, { tokens: true });
  for (let token = 0; token < logits.length; token += 1) {
    const found = sampler.explain(logits, token);
    const rank = tokenIds.indexOf(token);
    expect(found.kept).toBe(rank >= 0);
    expect(found.stage).toBe(stages[removedBy?.[token] ?? 255]?.name ?? null);
    if (rank >= 0) expect(found).toMatchObject({ rank, prob: probs[rank], keptAfter: tokenIds.length });
  }
});

test("sampler.explain(logits, token) is bad_token outside the row", () => {
  for (const token of [4, 2 ** 32 - 1]) {
    expect(thrown(() => seeded().explain(halves, token))).toMatchObject({
      code: "bad_token",
      option: "token",
      index: token,
      accepted: "token ids below 4",
    });
  }
  for (const token of [-1, 1.5, 2 ** 32, Number.NaN]) {
    expect(thrown(() => seeded().explain(halves, token))).toMatchObject({
      code: "out_of_range",
      option: "token",
    });
  }
  for (const token of [null, undefined, "1", 1n]) {
    const error = thrown(() => seeded().explain(halves, untyped(token)));
    expect(error).toMatchObject({ code: "wrong_type", option: "token" });
  }
});
