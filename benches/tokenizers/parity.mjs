// Holds the tokenizer against others: node benches/tokenizers/parity.mjs [--write]
//
// The same texts go to both; every piece and every id must be the same. `--write` puts the table into
// docs/tokenizers.md.
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { isMain } from "../../scripts/paths.mjs";
import { must, runMain, say } from "../../scripts/steps.mjs";
import { buildNative } from "../build.mjs";
import { replacePart } from "./document.mjs";
import { fetchPeers, modelFile } from "./fetch.mjs";
import { compare, texts } from "./lists.mjs";
import { vocabularies } from "./vocabularies.mjs";

const seed = 20_261_130;
const nTexts = 40_000;
const rules = ["gpt-2", "smollm", "cl100k", "llama-bpe", "qwen2", "gpt-4o"];
const shown = 3;

// What a peer does otherwise, so that texts for it are without: JavaScript's \s is not White_Space at U+0085 and U+FEFF, and
// gpt-tokenizer's contractions know no long s; the normalizer of Hugging Face's tokenizers has marks of Unicode 9 at most in
// canonical order.
const withoutFor = { javascript: "\u0085\ufeff\u017f", nfc: "\u09fe" };

const run = (program, args) =>
  must(program[0], [...program.slice(1), ...args], { limitSeconds: 3600 }, `${args[0]} failed`);

// Hugging Face's Digits asks Rust's standard library, which knows the numbers of Unicode 17 already: thirteen more.
const laterNumbers = /[\u{11de0}-\u{11de9}\u{16ff4}-\u{16ff6}]/u;

/** Asks both sides and counts what differs, but for texts of which that is known; says what differs first. */
async function hold({ what, who, list, known, ours, theirs, folder }) {
  const [a, b] = ["ours", "theirs"].map((name) => path.join(folder, `${name}.ids`));
  await run(...ours(list.file, a));
  await run(...theirs(list.file, b));
  const every = await texts(list.file);
  const { n, differ } = await compare(a, b);
  const unknown = differ.filter((place) => !known?.test(every[place]));
  const nDiffer = unknown.length;
  say(`  ${nDiffer === 0 ? "ok" : "!!"}  ${what}, ${list.name}, ${who}: ${n} texts, ${nDiffer} differ`);
  for (const place of unknown.slice(0, shown)) say(`      | ${JSON.stringify(every[place])}`);
  return { what, who, texts: list.name, n, nDiffer, nKnown: differ.length - nDiffer };
}

/** Every comparison: what is asked, of whom, over which texts. */
function comparisons({ program, python, node, lists, keys }) {
  const pieces = rules.flatMap((rule) =>
    [lists.texts, lists.sweep].map((list) => ({
      what: `pieces of ${rule}`,
      who: "Hugging Face tokenizers",
      list,
      known: rule === "smollm" ? laterNumbers : undefined,
      ours: (file, out) => [program, ["pieces", rule, file, out]],
      theirs: (file, out) => [python, ["pieces", rule, file, out]],
    })),
  );
  const ids = vocabularies(keys).flatMap(({ name, rule, ours, huggingFace, ranks, encoding }) => {
    const side = (file, out) => [program, ["ids", ours, file, out]];
    const of = (who, list, theirs) => ({ what: `ids of ${name}`, who, list, ours: side, theirs });
    if (huggingFace)
      return [rule === "qwen2" ? lists.nfc : lists.texts].map((list) =>
        of("Hugging Face tokenizers", list, (file, out) => [python, ["ids", huggingFace, file, out]]),
      );
    return [
      of("gpt-tokenizer", lists.javascript, (file, out) => [node, ["ids", encoding, file, out]]),
      of("tiktoken", lists.texts, (file, out) => [python, ["tiktoken", rule, ranks, file, out]]),
      of("tiktoken", lists.sweep, (file, out) => [python, ["tiktoken", rule, ranks, file, out]]),
    ];
  });
  return [...pieces, ...ids];
}

async function writeLists(program, folder) {
  const list = async (name, file, command) => {
    const whole = path.join(folder, file);
    await run(program, command(whole));
    return { name, file: whole };
  };
  const generated = (name, file, without) =>
    list(name, file, (out) => ["texts", String(seed), String(nTexts), out, without]);
  return {
    texts: await generated("generated", "texts", ""),
    javascript: await generated("generated, without three characters", "javascript", withoutFor.javascript),
    nfc: await generated("generated, without one character", "nfc", withoutFor.nfc),
    sweep: await list("every character", "sweep", (out) => ["sweep", out]),
  };
}

const tableOf = (rows) =>
  [
    "| asked | held against | texts | compared | differ | differ as known |",
    "|---|---|---|---:|---:|---:|",
    ...rows.map((row) => `| ${[row.what, row.who, row.texts, row.n, row.nDiffer, row.nKnown].join(" | ")} |`),
  ].join("\n");

async function main(args) {
  const { python, node } = await fetchPeers();
  const program = [path.join(await buildNative("tokenizers"), "tokenizer-bench")];
  const folder = await mkdtemp(path.join(process.env.TMPDIR ?? os.tmpdir(), "nucleus-tokenizers-"));
  try {
    const keys = path.join(folder, "keys.json");
    await run(python, ["gguf", modelFile, keys]);
    const lists = await writeLists(program, folder);
    const rows = [];
    for (const one of comparisons({ program, python, node, lists, keys }))
      rows.push(await hold({ ...one, folder }));
    const table = tableOf(rows);
    if (args.includes("--write")) await replacePart("parity", table);
    const bad = rows.filter(({ nDiffer }) => nDiffer > 0).length;
    const total = rows.reduce((sum, { n }) => sum + n, 0);
    say(`tokenizers: ${rows.length} comparisons, ${total} texts, ${bad} comparisons differ`);
    return bad === 0 ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true });
  }
}

if (isMain(import.meta.url)) await runMain(() => main(process.argv.slice(2)));
