// Writes tests/golden/tokenizers.json from the tokenizers that ours is held against: node benches/tokenizers/golden.mjs
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { inRoot, isMain } from "../../scripts/paths.mjs";
import { must, runMain } from "../../scripts/steps.mjs";
import { buildNative } from "../build.mjs";
import { fetchPeers, modelFile } from "./fetch.mjs";
import { vocabularies } from "./vocabularies.mjs";

const run = (program, args) => must(program[0], [...program.slice(1), ...args], {}, `${args[0]} failed`);

async function main() {
  const { python } = await fetchPeers();
  const program = [path.join(await buildNative("tokenizers"), "tokenizer-bench")];
  const folder = await mkdtemp(path.join(process.env.TMPDIR ?? os.tmpdir(), "nucleus-golden-"));
  try {
    const [keys, list] = ["keys.json", "texts"].map((name) => path.join(folder, name));
    await run(python, ["gguf", modelFile, keys]);
    await run(program, ["texts", "1", "2000", list, ""]);
    const files = vocabularies(keys).map(({ huggingFace, ranks }) => huggingFace ?? ranks);
    const script = [python[0], inRoot("benches/tokenizers/golden.py")];
    await run(script, [inRoot("tests/golden/tokenizers.json"), list, ...files]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

if (isMain(import.meta.url)) await runMain(main);
