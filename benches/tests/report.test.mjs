import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { bounds, boundsOf } from "../bounds.mjs";
import { goals } from "../goals.mjs";
import { report } from "../report.mjs";

const text = (file) => readFileSync(new URL(`../../docs/${file}`, import.meta.url), "utf8");

test("docs/benchmarks.md says what docs/benchmarks.json holds", () => {
  assert.equal(text("benchmarks.md"), report(JSON.parse(text("benchmarks.json"))));
});

test("boundsOf(tables) has a reason for every quantity that missed a goal, and for no other", () => {
  const cell = (quantity, met) => ({ quantity, met });
  assert.equal(boundsOf([{ cells: [cell("greedy", true)] }]), "");
  const list = boundsOf([
    { cells: [cell("greedy", true), cell("top-p", false)] },
    { cells: [cell("greedy", true)] },
  ]);
  assert.match(list, /^- \*top-p\*: /);
  assert.equal(list.split("\n- ").length, 1);
  assert.deepEqual(Object.keys(bounds), [...new Set(goals.map(({ quantity }) => quantity))]);
});
