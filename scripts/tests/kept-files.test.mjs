// What is kept of the page for use without a network.
import assert from "node:assert/strict";
import { test } from "node:test";
import { filesToKeep } from "../kept-files.mjs";

test("filesToKeep(names) keeps the page and its first row at once, models and other rows later", () => {
  const { first, later } = filesToKeep([
    "index.html",
    "theme.js",
    "service-worker.js",
    "assets/index-Ab12.js",
    "assets/index-Ab12.js.map",
    "assets/worker-Ab12.js",
    "assets/model-part-Ab12.js",
    "assets/model-worker-Ab12.js",
    "assets/nucleus_sampler_bg-Ab12.wasm",
    "assets/nucleus_sampler_scalar_bg-Ab12.wasm",
    "assets/nucleus_model_bg-Ab12.wasm",
    "assets/once-Ab12.bin",
    "assets/vocabulary-Ab12.bin",
    "assets/seven-Ab12.bin",
    "assets/tiny-Ab12.gguf",
  ]);
  assert.deepEqual(first, [
    "./",
    "assets/index-Ab12.js",
    "assets/nucleus_sampler_bg-Ab12.wasm",
    "assets/once-Ab12.bin",
    "assets/vocabulary-Ab12.bin",
    "assets/worker-Ab12.js",
    "theme.js",
  ]);
  assert.deepEqual(later, [
    "assets/model-part-Ab12.js",
    "assets/model-worker-Ab12.js",
    "assets/nucleus_model_bg-Ab12.wasm",
    "assets/seven-Ab12.bin",
    "assets/tiny-Ab12.gguf",
  ]);
});
