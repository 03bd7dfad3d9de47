import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { history } from "../chains.mjs";
import { allRows, shapes, sizes, syntheticRow } from "../rows.mjs";

const sha256 = (row) => createHash("sha256").update(new Uint8Array(row.buffer)).digest("hex").slice(0, 16);

/** Probabilities at 0.8, highest first. */
function sortedProbs(row) {
  const max = row.reduce((a, b) => Math.max(a, b));
  const weights = Float64Array.from(row, (logit) => Math.exp((logit - max) / 0.8))
    .sort()
    .reverse();
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

function nucleus(row, p) {
  let mass = 0;
  return sortedProbs(row).findIndex((prob) => {
    mass += prob;
    return mass >= p;
  });
}

test("syntheticRow(shape, n) gives the same bits as ever", () => {
  const found = Object.fromEntries(
    [1000, 32_000].flatMap((n) => shapes.map((shape) => [`${shape} ${n}`, sha256(syntheticRow(shape, n))])),
  );
  assert.deepEqual(found, {
    "peaked 1000": "fee06f3fa19ca16f",
    "medium 1000": "64abda04e77a1199",
    "flat 1000": "dc5e4893e72bc6f3",
    "peaked 32000": "64914c9f485ad6e5",
    "medium 32000": "e9f400d181636af9",
    "flat 32000": "0f899fbdf7f32bc1",
  });
});

test("a peaked row's 48 best tokens hold 98% of the mass", () => {
  const best = sortedProbs(syntheticRow("peaked", 32_000)).subarray(0, 48);
  assert.ok(Math.abs(best.reduce((sum, prob) => sum + prob, 0) - 0.98) < 0.002);
});

test("a medium row's nucleus has 1,000 tokens, or a tenth of a short row", () => {
  for (const [n, wanted] of [
    [32_000, 1000],
    [1000, 100],
  ])
    assert.ok(Math.abs(nucleus(syntheticRow("medium", n), 0.95) + 1 - wanted) <= 1);
});

test("a flat row's nucleus is about two thirds of the vocabulary", () => {
  const share = (nucleus(syntheticRow("flat", 32_000), 0.95) + 1) / 32_000;
  assert.ok(share > 0.6 && share < 0.7, String(share));
});

test("allRows() has three shapes at four sizes and five real rows, all finite, lengths multiples of four", async () => {
  const rows = await allRows();
  assert.equal(rows.length, shapes.length * sizes.length + 5);
  for (const { name, n, logits } of rows) {
    assert.equal(logits.length, n, name);
    assert.equal(n % 4, 0, name);
    assert.ok(logits.every(Number.isFinite), name);
  }
});

test("history(n, length) names distinct tokens of the vocabulary", () => {
  for (const [n, length, expected] of [
    [128_256, 1000, 1000],
    [1000, 1000, 500],
  ]) {
    const tokens = history(n, length);
    assert.equal(new Set(tokens).size, expected);
    assert.ok(tokens.every((token) => token < n));
  }
});
