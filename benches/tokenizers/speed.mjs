// Encoding speed beside others: node benches/tokenizers/speed.mjs [--write] [--seconds 5]
//
// Each in a process of its own, one after the other, on one thread; the fastest round counts. Ours natively, and as a
// WebAssembly module in Node as the package has it: text to UTF-8 and ids to an array are part of the time.
import { mkdtemp, readdir, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { inRoot, isMain } from "../../scripts/paths.mjs";
import { capture } from "../../scripts/processes.mjs";
import { must, runMain, StepFailure, say } from "../../scripts/steps.mjs";
import { buildNative } from "../build.mjs";
import { replacePart } from "./document.mjs";
import { fetchPeers, modelFile } from "./fetch.mjs";
import { buildModule } from "./module.mjs";
import { vocabularies } from "./vocabularies.mjs";

const one = { ...process.env, RAYON_NUM_THREADS: "1", TOKENIZERS_PARALLELISM: "false" };

/** What a program measured, or a failure with its last line. */
async function measure(program, args) {
  const { code, stdout, stderr } = await capture(program[0], [...program.slice(1), ...args], {
    env: one,
    limitSeconds: 600,
  });
  if (code !== 0)
    throw new StepFailure(
      `${args[0]} failed: ${stderr
        .trim()
        .split("\n")
        .find((line) => /error/i.test(line))}`,
    );
  return JSON.parse(stdout.trim().split("\n").at(-1));
}

/** Who encodes with a vocabulary, as commands. */
function encoders({ ours, rule, huggingFace, ranks, encoding }, { program, python, node, module }, rest) {
  const found = [["this crate, natively", program, ["speed", ours, ...rest]]];
  if (!ours.startsWith("gguf:")) found.push(["this crate, WebAssembly in Node", module, [ours, ...rest]]);
  if (huggingFace) found.push(["Hugging Face tokenizers", python, ["speed", huggingFace, ...rest]]);
  if (ranks) found.push(["tiktoken", python, ["tiktoken-speed", rule, ranks, ...rest]]);
  if (encoding) found.push(["gpt-tokenizer", node, ["speed", encoding, ...rest]]);
  return found;
}

async function sources(folder) {
  const entries = await readdir(inRoot(folder), { recursive: true });
  return entries.filter((file) => file.endsWith(".rs")).map((file) => inRoot(folder, file));
}

async function writeLists(program, folder) {
  const run = (args) => must(program[0], args, {}, `${args[0]} failed`);
  const [code, generated] = ["code", "generated"].map((name) => path.join(folder, name));
  await run(["list", code, ...(await sources("src")).sort()]);
  await run(["texts", "1", "5000", generated, ""]);
  return { code, generated };
}

const tableOf = (rows) =>
  [
    "| vocabulary | encoder | code | generated |",
    "|---|---|---:|---:|",
    ...rows.map(
      ({ name, who, code, generated }) =>
        `| ${name} | ${who} | ${code.megabytesASecond.toFixed(1)} | ${generated.megabytesASecond.toFixed(1)} |`,
    ),
  ].join("\n");

async function measureAll(programs, lists, keys, seconds) {
  const rows = [];
  for (const vocabulary of vocabularies(keys)) {
    const name = vocabulary.name;
    const asked = Object.entries(lists).map(([list, file]) => [
      list,
      encoders(vocabulary, programs, [file, seconds]),
    ]);
    for (const [place, [who]] of asked[0][1].entries()) {
      const row = { name, who };
      for (const [list, commands] of asked) row[list] = await measure(...commands[place].slice(1));
      say(`  ${name}, ${who}: ${row.code.megabytesASecond.toFixed(1)} MB/s of code`);
      rows.push(row);
    }
  }
  return rows;
}

/** Everyone has to give the same number of ids, else something else was measured. */
function checkCounts(rows) {
  for (const { name, who, code } of rows) {
    const first = rows.find((row) => row.name === name);
    if (first.code.ids !== code.ids)
      throw new StepFailure(`${who} gives ${code.ids} ids of ${name}, not ${first.code.ids}.`);
  }
}

async function main(args) {
  const options = { write: { type: "boolean" }, seconds: { type: "string", default: "5" } };
  const { write, seconds } = parseArgs({ args, options }).values;
  const { python, node } = await fetchPeers();
  const program = [path.join(await buildNative("tokenizers"), "tokenizer-bench")];
  const module = [process.execPath, inRoot("benches/tokenizers/in-node.mjs"), await buildModule()];
  const folder = await mkdtemp(path.join(process.env.TMPDIR ?? os.tmpdir(), "nucleus-tokenizers-"));
  try {
    const keys = path.join(folder, "keys.json");
    await must(python[0], [python[1], "gguf", modelFile, keys], {}, "The GGUF file could not be read");
    const lists = await writeLists(program, folder);
    const rows = await measureAll({ program, python, node, module }, lists, keys, seconds);
    checkCounts(rows);
    const table = tableOf(rows);
    console.log(table);
    if (write) await replacePart("speed", table);
  } finally {
    await rm(folder, { recursive: true });
  }
}

if (isMain(import.meta.url)) await runMain(() => main(process.argv.slice(2)));
