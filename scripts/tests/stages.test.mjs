// The table of stages: what it is read from, and that it is current.
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";
import { inRoot } from "../paths.mjs";
import { tableFindings } from "../stage-table.mjs";
import { document } from "../stages/document.mjs";
import { mutations, purpose, readStages, stageNames, testNames } from "../stages/read.mjs";

test("stageNames(source) reads the engine's names in their order", () => {
  const source = `    /// One.\n    TopK = "top_k",\n    /// Two.\n    MinP = "min_p",\n`;
  assert.deepEqual(stageNames(source), [
    { name: "top_k", variant: "TopK" },
    { name: "min_p", variant: "MinP" },
  ]);
});

test("purpose(source) is the first sentence without the name, over several lines", () => {
  assert.equal(purpose("//! Top-k: a fixed number.\n//!\n//! **Definition.**"), "a fixed number.");
  assert.equal(purpose("//! Eta: a bar that\n//! falls.\n//!\n"), "a bar that falls.");
});

test("testNames(source) has every test, also under further attributes, and no other function", () => {
  const source = "#[test]\nfn a_holds() {}\n\nfn helper() {}\n\n#[test]\n#[should_panic]\nfn b_holds() {}\n";
  assert.deepEqual(testNames(source), ["a_holds", "b_holds"]);
});

test("mutations(source) reads rows, also those that name one kind of a stage", () => {
  const source = "| stage | what | test |\n|---|---|---|\n| `mirostat` 2 | `<=` to `<` | `m_holds` |\n";
  assert.deepEqual(mutations(source), [{ stage: "mirostat", change: "`<=` to `<`", test: "m_holds" }]);
});

test("tableFindings(read, expected, found) names the stage that lacks something, and the first line that differs", () => {
  const stage = { name: "min_p", own: [], oracle: null, mutation: null };
  const sentences = (found) =>
    tableFindings({ stages: [stage] }, "a\nb\n", found).map(({ line, sentence }) => `${line} ${sentence}`);
  assert.equal(sentences("a\nb\n").length, 3);
  assert.match(sentences("a\nb\n")[0], /min_p has no tests of its own/);
  assert.match(sentences("a\nc\n")[3], /^2 the sources say something else/);
});

test("docs/mutations.md names tests that are there", async () => {
  const files = (await readdir(inRoot("tests"), { recursive: true })).filter((file) => file.endsWith(".rs"));
  const sources = await Promise.all(files.map((file) => readFile(inRoot(`tests/${file}`), "utf8")));
  const all = new Set(sources.flatMap(testNames));
  const rows = (await readFile(inRoot("docs/mutations.md"), "utf8")).matchAll(/^\| .* \| `(\w+)` \|$/gm);
  const named = [...rows].map(([, name]) => name);
  assert.deepEqual(
    named.filter((name) => !all.has(name)),
    [],
  );
  assert.ok(named.length > 30);
});

test("docs/stages.md is current, and every stage has its tests", async () => {
  const read = await readStages();
  const found = await readFile(inRoot("docs/stages.md"), "utf8");
  assert.deepEqual(tableFindings(read, document(read), found), []);
  assert.deepEqual(
    read.stages.filter(({ golden }) => golden === 0).map(({ name }) => name),
    [],
  );
});
