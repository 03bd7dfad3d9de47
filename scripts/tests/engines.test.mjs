import assert from "node:assert/strict";
import { test } from "node:test";
import { judged, missing } from "../engines/outcome.mjs";
import { table, verdict } from "../test-engines.mjs";

const line = (said) => ({ code: 0, stdout: `noise\n${JSON.stringify(said)}\n`, stderr: "", timedOut: false });
const same = { draws: 29146, differing: 0, first: [] };

test("judged(name, version, said) has no problem with what is the same", () => {
  assert.equal(judged("an engine", "1", line(same)).problem, undefined);
  assert.equal(judged("a page", "1", same).problem, undefined);
});

test("judged(name, version, said) tells how many cases differ", () => {
  const row = judged("an engine", "1", line({ ...same, differing: 2, first: ["one", "two"] }));
  assert.equal(row.problem, "2 differ");
  assert.deepEqual(row.first, ["one", "two"]);
});

test("judged(name, version, said) takes no runner's word that compared nothing, broke off or said nothing", () => {
  assert.match(judged("", "", line({ ...same, draws: 12 })).problem, /only 12 draws/);
  assert.match(judged("", "", { ...line(same), timedOut: true }).problem, /in time/);
  assert.match(
    judged("", "", { code: 3, stdout: "", stderr: "a\nlast", timedOut: false }).problem,
    /exit 3: last/,
  );
  assert.equal(judged("", "", { code: 0, stdout: "hello", stderr: "", timedOut: false }).problem, "hello");
  assert.equal(judged("", "", { failed: "no wasm" }).problem, "no wasm");
});

test("judged(name, version, said) fails where a program says nothing at all", () => {
  assert.ok(judged("", "", { code: 0, stdout: "", stderr: "", timedOut: false }).problem);
});

test("table(rows) names what is missing and why", () => {
  const rows = [judged("Node", "20", line(same)), missing("Bun", "the registry did not answer")];
  assert.match(table(rows), /\| Node \| 20 \| 29,146 \| the same \|/);
  assert.match(table(rows), /\| Bun \| {2}\| 0 \| missing: the registry did not answer \|/);
});

test("verdict(rows, named) fails where an engine differs, and where a named one is missing", () => {
  const good = judged("Node", "20", line(same));
  const gone = missing("Bun", "why");
  assert.equal(verdict([good, gone], []), 0);
  assert.equal(verdict([good, gone], ["bun"]), 1);
  assert.equal(verdict([judged("Node", "20", line({ ...same, differing: 1 }))], []), 1);
});
