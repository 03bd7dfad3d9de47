import assert from "node:assert/strict";
import { before, test } from "node:test";
import { distFolder } from "../../scripts/paths.mjs";
import { comparedChains, settings } from "../chains.mjs";
import { byComparator, byPacking, drawRank, kept, keptCount, peers } from "../js/plain.mjs";
import { keptBy } from "../kept.mjs";
import { loadPackage } from "../node.mjs";
import { allRows } from "../rows.mjs";

let WasmSampler;
let rows;

before(async () => {
  ({ WasmSampler } = await loadPackage(distFolder));
  rows = (await allRows()).filter(({ n, shape }) => shape === "real" || n <= 32_000);
});

const sorted = (ids) => [...ids].sort((a, b) => a - b);

test("both forms in plain JavaScript keep what this sampler keeps", () => {
  for (const row of rows)
    for (const chain of comparedChains) {
      const own = sorted(keptBy(WasmSampler, row, chain));
      for (const order of [byComparator, byPacking]) {
        const { ids } = kept(row.logits, order, settings(chain, 0.8));
        assert.deepEqual(sorted(ids), own, `${row.name}, ${row.n}, ${chain}, ${order.name}`);
      }
    }
});

test("both forms draw from what they keep", () => {
  const row = rows.find(({ n }) => n === 1000);
  const own = keptBy(WasmSampler, row, "top-p");
  for (const { who, sample } of peers)
    for (let i = 0; i < 200; i++) assert.ok(own.has(sample(row.logits, settings("top-p", 0.8))), who);
});

test("keptCount(n, at, settings) is top-k, then top-p of what top-k kept, then min-p", () => {
  const probs = [0.4, 0.3, 0.2, 0.1];
  const at = (rank) => probs[rank];
  assert.equal(keptCount(4, at, { topP: 0.7 }), 2);
  assert.equal(keptCount(4, at, { topP: 0.71 }), 3);
  assert.equal(keptCount(4, at, { topP: 0.71, topK: 2 }), 2);
  assert.equal(keptCount(4, at, { topP: 0.5, topK: 2 }), 1);
  assert.equal(keptCount(4, at, { topP: 1, minP: 0.5 }), 3);
});

test("drawRank(count, at) stays below count", () => {
  for (let i = 0; i < 100; i++) assert.ok(drawRank(2, () => 0.25) < 2);
});
