import assert from "node:assert/strict";
import { before, test } from "node:test";
import { buildYardstick } from "../build.mjs";
import { allRows } from "../rows.mjs";
import { isSteady, startYardstick, yardstickFault } from "../yardstick.mjs";

let yardstick;
let rows;

before(async () => {
  yardstick = await startYardstick(await buildYardstick());
  rows = await allRows();
});

/** Sums in f32 lose the small beside the large: on long rows a little more. */
const tolerance = (n) => (n <= 50_000 ? 1e-5 : 5e-5);

test("twoPasses(n, r) is the sum of exponentials within 1e-5, on long rows within 5e-5", () => {
  for (const { name, n, logits } of rows) {
    yardstick.row(n).set(logits);
    const max = logits.reduce((a, b) => Math.max(a, b));
    for (const temperature of [0.8, 0.7]) {
      const factor = Math.fround(1 / temperature);
      const expected = logits.reduce((sum, logit) => sum + Math.exp((logit - max) * factor), 0);
      const found = yardstick.twoPasses(n, factor);
      assert.ok(Math.abs(found / expected - 1) < tolerance(n), `${name}, ${n}: ${found} and not ${expected}`);
    }
  }
});

test("maxPass(n) is the highest logit, on every row", () => {
  for (const { name, n, logits } of rows) {
    yardstick.row(n).set(logits);
    assert.equal(
      yardstick.maxPass(n),
      logits.reduce((a, b) => Math.max(a, b)),
      `${name}, ${n}`,
    );
  }
});

test("yardstickFault(passes) refuses what is not 8 to 12 times a maximum", () => {
  assert.deepEqual([8, 10, 12].map(yardstickFault), [undefined, undefined, undefined]);
  for (const passes of [3, 7.9, 12.1, 40, Number.NaN]) assert.match(yardstickFault(passes), /mis-built/);
});

test("isSteady(passes, judged) is false from 15% more than when the limit was judged", () => {
  assert.deepEqual(
    [4, 10, 11.4, 11.6, 22].map((passes) => isSteady(passes, 10)),
    [true, true, true, false, false],
  );
});

test("startYardstick(bytes) starts a module that no engine has compiled before, and that is the same", async () => {
  const [bytes, compiled] = [await buildYardstick(), WebAssembly.instantiate];
  const given = [];
  WebAssembly.instantiate = (module) => {
    given.push(Buffer.from(module).toString("base64"));
    return compiled(module);
  };
  try {
    for (const _ of [1, 2]) {
      const again = await startYardstick(bytes);
      again.row(64).fill(1).set([3], 5);
      assert.equal(again.maxPass(64), 3);
    }
  } finally {
    WebAssembly.instantiate = compiled;
  }
  assert.notEqual(given[0], given[1]);
});
