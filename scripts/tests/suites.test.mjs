import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { inRoot } from "../paths.mjs";
import { sizeTable } from "../size.mjs";
import { inputsHash } from "../stamps.mjs";
import { suites } from "../suites.mjs";
import { readers } from "../summaries.mjs";
import { chooseSuites, judge } from "../test.mjs";

const names = (list) => list.map(({ name }) => name);

test("chooseSuites(level) gives check's to check, all but the long to test, and the long to long", () => {
  const all = [
    { name: "a", level: "check" },
    { name: "b", level: "test" },
    { name: "c", level: "long" },
  ];
  assert.deepEqual(names(chooseSuites("check", [], all)), ["a"]);
  assert.deepEqual(names(chooseSuites("test", [], all)), ["a", "b"]);
  assert.deepEqual(names(chooseSuites("long", [], all)), ["c"]);
  assert.deepEqual(names(chooseSuites("test", ["c"], all)), ["c"]);
  assert.throws(() => chooseSuites("test", ["d"], all), /There is no suite "d"/);
  assert.throws(() => chooseSuites("fast", [], all), /"fast" is no command/);
});

test("every suite is listed once, has a level and says why", () => {
  assert.equal(new Set(names(suites)).size, suites.length);
  for (const { name, level, why, command } of suites)
    assert.ok(["check", "test", "long"].includes(level) && why && command, name);
});

test("judge(result) fails a runner that ran no test, an exit code and a time limit", () => {
  assert.equal(judge({ code: 0 }, { passed: 1 }, 5), "");
  assert.equal(judge({ code: 0 }, {}, 5), "");
  assert.equal(judge({ code: 0 }, { passed: 0 }, 5), "ran no test");
  assert.equal(judge({ code: 101 }, { passed: 3 }, 5), "exit 101");
  assert.equal(judge({ code: 124, timedOut: true }, {}, 5), "stopped after 5 minutes");
});

test("readers.cargo adds up every binary's line", () => {
  const output = `running 2 tests\ntest result: ok. 2 passed; 0 failed; 1 ignored; 0 measured\nnoise\ntest result: FAILED. 3 passed; 1 failed; 0 ignored\n`;
  const { lines, passed, failed, skipped } = readers.cargo(output);
  assert.deepEqual([lines.length, passed, failed, skipped], [2, 5, 1, 1]);
});

test("readers.vitest reads its last lines, coloured or not", () => {
  const output =
    "\u001b[2m Test Files \u001b[22m \u001b[32m3 passed\u001b[39m (3)\n      Tests  1 failed | 11 passed | 2 skipped (14)\n";
  const { lines, passed, failed, skipped } = readers.vitest(output);
  assert.deepEqual([lines.length, passed, failed, skipped], [2, 11, 1, 2]);
});

test("readers.node reads both of its forms", () => {
  for (const mark of ["#", "ℹ"]) {
    const { passed, failed } = readers.node(`${mark} tests 4\n${mark} pass 3\n${mark} fail 1\n`);
    assert.deepEqual([passed, failed], [3, 1]);
  }
});

test("readers.check keeps the last line, and says so where there is none", () => {
  assert.deepEqual(readers.check("\n"), { lines: ["nothing to report"] });
  assert.deepEqual(readers.check("a\nwords: 3 files\n\n"), { lines: ["words: 3 files"] });
});

test("inputsHash(paths) follows content, not time, and sees new files and facts", async () => {
  const file = path.join("scripts", "tests", `probe-${process.pid}.txt`);
  const hash = (facts) => inputsHash(["scripts/tests"], facts);
  const before = await hash();
  await writeFile(inRoot(file), "one");
  const added = await hash();
  await writeFile(inRoot(file), "one");
  assert.equal(await hash(), added);
  await rm(inRoot(file));
  assert.equal(await hash(), before);
  assert.notEqual(added, before);
  assert.notEqual(await hash({ version: 2 }), before);
});

test("sizeTable(rows) marks what is over its budget", () => {
  const row = { name: "module", files: 1, raw: 9000, gzip: 5000, brotli: 4100, budget: { brotli: 4000 } };
  assert.match(sizeTable([row]), /4\.1 {6}4\.0 {2}OVER$/);
  assert.doesNotMatch(sizeTable([{ ...row, budget: { brotli: 4100 } }]), /OVER/);
  assert.match(sizeTable([{ ...row, budget: { brotli: 4100, raw: 8999 } }]), /OVER/);
  assert.match(sizeTable([{ ...row, budget: { brotli: 4100, gzip: 4999 } }]), /OVER/);
});
