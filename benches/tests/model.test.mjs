// The model's benchmark: medians, and the document of what was measured.
import assert from "node:assert/strict";
import { test } from "node:test";
import { documentOf, median } from "../model/tables.mjs";

const rounds = (decode, prefill) =>
  decode.map((value, i) => ({ decode: value, prefill: prefill[i], nPrompt: 137 }));

const measured = {
  Q4_1: {
    ours: {
      loaded: { milliseconds: 778.4, afterLastByte: 69.6 },
      rounds: rounds([100, 120, 110], [150, 170, 160]),
    },
    wllama: { loaded: { milliseconds: 5408 }, rounds: rounds([10, 11, 12], [16, 15, 20]) },
  },
};

test("the median of an odd number is one of them, that of an even number lies between two", () => {
  assert.equal(median([3, 1, 2]), 2);
  assert.equal(median([4, 1, 2, 3]), 2.5);
  assert.equal(median([7]), 7);
});

test("a row has both medians, how many times ours is theirs, and how long each took to load", () => {
  const text = documentOf({
    measured,
    date: "2026-12-01",
    cpu: "a processor",
    chromium: "156",
    plan: { nDecode: 64 },
    rounds: 3,
  });
  assert.match(
    text,
    /\| Q4_1 \| 110\.0 \| 11\.0 \| \*\*10\.0\*\* \| 160\.0 \| 16\.0 \| \*\*10\.0\*\* \| 778 \| 70 \| 5408 \|/,
  );
  assert.match(text, /a prompt of 137 tokens/);
  assert.match(text, /3 rounds/);
});
