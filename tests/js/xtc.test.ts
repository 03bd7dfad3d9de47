// XTC, and the coin that a preview may be given.
import { expect, test } from "vitest";
import { ln, type SamplerOptions, seeded, thrown, untyped, type WasmSampler } from "./nucleus";

const logits = ln(0.4, 0.3, 0.2, 0.1);
const xtc = (probability: number, more: SamplerOptions["xtc"] = {}) =>
  seeded({ xtc: { probability, threshold: 0.15, ...more } });

test.each([
  [0.09, [3]],
  [0.11, [2, 3]],
  [0.19, [2, 3]],
  [0.21, [1, 2, 3]],
  [0.31, [0, 1, 2, 3]],
])("new WasmSampler({ xtc }) with a threshold of %d keeps %o", (threshold, expected) => {
  expect([...xtc(1, { threshold }).distribution(logits).tokenIds]).toEqual(expected);
});

test("new WasmSampler({ xtc: { protectedTokens } }) keeps them beside the last of the others", () => {
  expect([...xtc(1, { protectedTokens: [0] }).distribution(logits).tokenIds]).toEqual([0, 2, 3]);
  expect([...xtc(1, { protectedTokens: Uint32Array.of(2) }).distribution(logits).tokenIds]).toEqual([
    1, 2, 3,
  ]);
});

type Preview = (sampler: WasmSampler, call: { coin?: boolean }) => number;
const previews: [string, Preview][] = [
  ["distribution", (sampler, call) => sampler.distribution(logits, call).keptCount],
  ["report", (sampler, call) => sampler.report(logits, { ...call, tokens: true }).keptCount],
  ["explain", (sampler, call) => sampler.explain(logits, 3, call).keptAfter],
  ["logprobs", (sampler, call) => sampler.logprobs(logits, 9, { ...call, token: 3 }).final.length],
];

test.each(previews)(
  "sampler.%s(..., { coin }) shows the side that is asked for, else the next one",
  (_, preview) => {
    const sampler = xtc(0.5);
    const sides = new Set<number>();
    for (let i = 0; i < 20; i += 1) {
      expect(preview(sampler, { coin: true })).toBe(2);
      expect(preview(sampler, { coin: false })).toBe(4);
      const next = preview(sampler, {});
      sides.add(next);
      expect(sampler.sampleDetailed(logits).keptCount).toBe(next);
    }
    expect([...sides].sort()).toEqual([2, 4]);
  },
);

test.each(previews)(
  "sampler.%s(..., { coin }) is wrong_type for anything but true and false",
  (_, preview) => {
    for (const coin of [null, 0, 1, "true", {}])
      expect(thrown(() => preview(seeded(), { coin: untyped(coin) }))).toMatchObject({
        code: "wrong_type",
        option: "coin",
        accepted: "true or false",
      });
  },
);

test("sampler.sample(logits, { coin }) is unknown_option: a draw's coin is its position's", () => {
  const call = untyped<object>({ coin: true });
  const sampler = xtc(0.5);
  for (const ask of [
    () => sampler.sample(logits, call),
    () => sampler.sampleDetailed(logits, call),
    () => sampler.sampleMany(logits, 2, call),
    () => sampler.sampleBatch(logits, 1, call),
  ])
    expect(thrown(ask)).toMatchObject({ code: "unknown_option", option: "coin" });
});

test("sampler.sampleMany(logits, n) is n single draws, each with its coin", () => {
  for (const n of [1, 40, 3000]) {
    const single = xtc(0.3);
    const tokens = Array.from({ length: n }, () => single.sample(logits));
    expect([...xtc(0.3).sampleMany(logits, n)]).toEqual(tokens);
  }
});

/** Expected counts mix both sides. */
test("sampler.sampleMany(logits, n) draws each token as often as both sides say", () => {
  const n = 100_000;
  const counts = [0, 0, 0, 0];
  for (const token of xtc(0.25).sampleMany(logits, n)) counts[token] = (counts[token] ?? 0) + 1;
  const shares = [0.75 * 0.4, 0.75 * 0.3, 0.75 * 0.2 + (0.25 * 2) / 3, 0.75 * 0.1 + 0.25 / 3];
  counts.forEach((count, token) => {
    expect(Math.abs(count / n - (shares[token] ?? 0))).toBeLessThan(0.008);
  });
});
