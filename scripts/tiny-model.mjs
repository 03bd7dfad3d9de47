// models/tiny.gguf and all that depends on its bytes: models/tiny.json (what was measured), tests/golden/tiny.json (the
// likeliest texts) and docs/model.md (its card). Says what is not current, or writes it anew.
//
//   node scripts/tiny-model.mjs [--write [--corpus folder] [--measure]]    needs the built package
//
// Bits a byte and tokens a second are measured where the file is another one than before, or `--measure` says so. The
// texts for the former are not in the repository: `--corpus` names a folder that has them in `valid/`.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { distFolder, inRoot, isMain } from "./paths.mjs";
import { conclude } from "./sources.mjs";
import { runMain, StepFailure, say } from "./steps.mjs";
import { textBits } from "./tiny/bits.mjs";
import { card } from "./tiny/card.mjs";
import { described } from "./tiny/gguf.mjs";
import { measuredSpeed } from "./tiny/speed.mjs";
import { greedyCases, samples } from "./tiny/texts.mjs";
import { measuredOn } from "./tiny/training.mjs";

const modelFile = "models/tiny.gguf";
const measuredFile = "models/tiny.json";
const goldenFile = "tests/golden/tiny.json";
const cardFile = "docs/model.md";

const inDist = (file) => import(pathToFileURL(path.join(distFolder, file)).href);
const asText = (value) => `${JSON.stringify(value, null, 2)}\n`;
const text = async (file) => (existsSync(inRoot(file)) ? readFile(inRoot(file), "utf8") : "");

/** The model and the sampler of the built package, and what the model's file says of itself. */
async function opened() {
  const [models, sampler] = await Promise.all([inDist("model-node.js"), inDist("node.js")]);
  await Promise.all([models.default(), sampler.default()]);
  const bytes = await readFile(inRoot(modelFile));
  const model = models.Model.load(bytes);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const file = { ...described(bytes), config: model.config, nBytes: bytes.length, sha256 };
  return { model, file, WasmSampler: sampler.WasmSampler };
}

const ratio = ({ bits, ...counts }) => ({ bits_a_byte: bits / counts.n_bytes, ...counts });

/** Bits a byte of each text in a corpus's `valid/`, and of all together. */
async function measuredBits(model, corpus) {
  const [each, all] = [{}, { bits: 0, n_bytes: 0, n_tokens: 0 }];
  for (const name of Object.keys(measuredOn)) {
    const bytes = await readFile(path.join(corpus, "valid", `${name}.txt`));
    const { bits, nTokens } = textBits(model, bytes);
    const one = { bits, n_bytes: bytes.length, n_tokens: nTokens };
    for (const key of Object.keys(all)) all[key] += one[key];
    each[name] = ratio(one);
    say(`      ${name}: ${each[name].bits_a_byte.toFixed(4)} bits a byte`);
  }
  return { all: ratio(all), each };
}

/** What cannot be computed again everywhere: taken from before where it is of this file. */
async function measuredAnew({ model, file }, before, { corpus, measure }) {
  if (before.sha256 === file.sha256 && !measure) return before;
  if (corpus === undefined)
    throw new StepFailure(
      `Bits a byte of ${modelFile} cannot be measured without texts: name a folder that has them in valid/ with --corpus.`,
    );
  const bits = await measuredBits(model, corpus);
  return { sha256: file.sha256, bits, speed: measuredSpeed(model) };
}

/** Every file that depends on the model, by its name: what it has to say. */
function dependents({ model, file, WasmSampler }, measured) {
  const golden = {
    made_by: "node scripts/tiny-model.mjs --write",
    sha256: file.sha256,
    cases: greedyCases(model),
  };
  return {
    [measuredFile]: asText(measured),
    [goldenFile]: asText(golden),
    [cardFile]: card({ file, measured, samples: samples(model, WasmSampler) }),
  };
}

/** Findings: files that say something else than they have to, at the first line that differs. */
export function staleFiles(wanted, found) {
  const stale = Object.keys(wanted).filter((file) => wanted[file] !== found[file]);
  return stale.map((file) => {
    const lines = (found[file] ?? "").split("\n");
    const at = wanted[file].split("\n").findIndex((line, i) => line !== lines[i]);
    const sentence = "the model says something else: write it with node scripts/tiny-model.mjs --write";
    return { file, line: (at < 0 ? wanted[file].split("\n").length : at) + 1, sentence };
  });
}

async function main(args) {
  const options = {
    write: { type: "boolean", default: false },
    corpus: { type: "string" },
    measure: { type: "boolean", default: false },
  };
  const { values } = parseArgs({ args, options });
  const all = await opened();
  const before = JSON.parse((await text(measuredFile)) || "{}");
  if (!values.write && before.sha256 !== all.file.sha256) {
    const sentence = `is of another ${modelFile}: write it with node scripts/tiny-model.mjs --write --corpus folder`;
    return conclude("tiny model", [{ file: measuredFile, line: 1, sentence }], all.file.sha256);
  }
  const wanted = dependents(all, values.write ? await measuredAnew(all, before, values) : before);
  if (values.write)
    for (const [file, content] of Object.entries(wanted)) await writeFile(inRoot(file), content);
  const found = {};
  for (const file of Object.keys(wanted)) found[file] = await text(file);
  return conclude("tiny model", staleFiles(wanted, found), `${Object.keys(wanted).length} files`);
}

if (isMain(import.meta.url)) await runMain(main);
