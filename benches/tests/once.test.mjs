// Each runner that needs no other sampler runs once, with counts that measure nothing.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { distFolder } from "../../scripts/paths.mjs";
import { buildYardstick } from "../build.mjs";
import { comparedChains } from "../chains.mjs";
import { runJavaScript } from "../js/run.mjs";
import { runNative } from "../native.mjs";
import { clock, runNode } from "../node.mjs";
import { runPage } from "../page.mjs";
import { quantities } from "../quantities.mjs";
import { report } from "../report.mjs";
import { allRows } from "../rows.mjs";
import { startYardstick } from "../yardstick.mjs";

const timing = { rounds: 1, warmMilliseconds: 1, groupMilliseconds: 0.1 };
let context;

before(async () => {
  const rows = (await allRows()).filter(({ n, shape }) => n === 1000 || (n === 32_000 && shape === "flat"));
  const yardstickBytes = await buildYardstick();
  context = { dist: distFolder, yardstickBytes, rows, timing, draws: 100, check: false };
});

// A clock may not even tick during so little.
const sane = ({ milliseconds, rounds }) => milliseconds >= 0 && rounds >= 1;

for (const [name, run] of Object.entries({ node: runNode, page: runPage }))
  test(`the ${name} runner measures every quantity on every row`, { timeout: 300_000 }, async () => {
    const { records, versions } = await run(context);
    assert.deepEqual(
      records.filter((record) => !sane(record)),
      [],
    );
    assert.ok(Object.values(versions).every((version) => /^\d/.test(version)));
    const rows = new Set(quantities(records).map(({ row, n, temperature }) => `${row} ${n} ${temperature}`));
    assert.equal(rows.size, context.rows.length * 2);
    assert.match(
      report({ date: "", machine: {}, versions, passes: {}, records, missing: [] }),
      /goals reached/,
    );
  });

test("the native runner compiles and measures every chain and a batch", { timeout: 900_000 }, async () => {
  const { records } = await runNative(context);
  assert.ok(records.every(sane));
  assert.ok(records.some(({ chain }) => chain.startsWith("batch, ")));
  assert.ok(records.some(({ chain, temperature }) => chain === "top-p + min-p" && temperature === 0.7));
});

test("JavaScript samplers are measured where installed, and named with the reason where not", async () => {
  const yardstick = await startYardstick(context.yardstickBytes);
  const rows = context.rows.slice(-1);
  const { records, drawn, missing } = await runJavaScript({
    yardstick,
    rows,
    timing: { ...timing, ...clock },
  });
  const plain = records.filter(({ who }) => who.startsWith("plain JavaScript"));
  assert.equal(plain.length, 2 * comparedChains.length);
  assert.equal(drawn.length, records.length);
  for (const { who, why } of missing) assert.ok(who && why.length > 20);
});
