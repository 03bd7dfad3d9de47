// The tiny model's card: what its parts compute, without the model.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { inRoot } from "../paths.mjs";
import { readOutput, wrongIn } from "../test-example.mjs";
import { bitsOf, windows } from "../tiny/bits.mjs";
import { described } from "../tiny/gguf.mjs";
import { measuredOn } from "../tiny/training.mjs";
import { staleFiles } from "../tiny-model.mjs";

test("windows(n, nCtx) count every target once, with half a context before it", () => {
  for (const n of [1, 5, 16, 17, 24, 25, 100]) {
    let counted = 0;
    for (const window of windows(n, 16)) {
      const first = window.begin + window.length - window.counted;
      assert.equal(first, counted);
      assert.ok(first === 0 || first - window.begin >= 8);
      counted += window.counted;
    }
    assert.equal(counted, n);
  }
});

test("bitsOf(logits, token) is minus the logarithm of its probability", () => {
  assert.equal(bitsOf(Float32Array.of(0, 0, 0, 0), 2), 2);
  assert.ok(Math.abs(bitsOf(Float32Array.of(Math.log(3), 0), 1) - 2) < 1e-6);
  assert.equal(bitsOf(Float32Array.of(1000, -1000), 0), 0);
});

test("described(bytes) reads the tiny model's header: what is in which encoding, to the last byte", async () => {
  const bytes = await readFile(inRoot("models/tiny.gguf"));
  const { metadata, tensors } = described(bytes);
  assert.equal(metadata["general.architecture"], "llama");
  assert.equal(metadata["tokenizer.ggml.tokens"].length, metadata["llama.vocab_size"]);
  const sizes = { Q8_0: 34 / 32, F32: 4 };
  const nBytes = tensors.reduce((sum, { encoding, n }) => sum + n * sizes[encoding], 0);
  assert.ok(nBytes < bytes.length && nBytes > bytes.length * 0.95);
});

test("models/tiny.json was measured on the texts that the card names", async () => {
  const { bits } = JSON.parse(await readFile(inRoot("models/tiny.json"), "utf8"));
  assert.deepEqual(Object.keys(bits.each), Object.keys(measuredOn));
});

test("staleFiles(wanted, found) names a file and the first line that differs, one that is missing too", () => {
  const wanted = { a: "1\n2\n3\n", b: "x\n" };
  assert.deepEqual(staleFiles(wanted, wanted), []);
  const places = (found) => staleFiles(wanted, found).map(({ file, line }) => `${file}:${line}`);
  assert.deepEqual(places({ a: "1\n0\n3\n", b: "x\n" }), ["a:2"]);
  assert.deepEqual(places({ a: "1\n2\n3\n4\n" }), ["a:4", "b:1"]);
});

test("wrongIn(written) finds nothing in the example's usual output, and each fault in another", () => {
  const token = (text, count) => `${text}[${count}]`;
  const right = `Once upon a time${token(" there", 3)}${token(" was", 12)}\n`;
  assert.equal(wrongIn(right), undefined);
  assert.deepEqual(readOutput(right), { text: "Once upon a time there was\n", counts: [3, 12] });
  for (const [written, said] of [
    ["", /does not begin/],
    ["Once upon a time\n", /nothing after/],
    ["Once upon a time there\n", /wrote 0 tokens/],
    [`Once upon a time${token(" x", 41)}\n`, /kept count is 41/],
    [`Once upon a time${token(" x", "NaN")}\n`, /wrote 0 tokens/],
    [`Once upon a time${token(" x", 5)}${token("y", 5)}\n`, /the same/],
  ])
    assert.match(wrongIn(written) ?? "", said);
});
