// Our tokenizer as a module in Node: in-node.mjs MODULE VOCABULARY TEXTS SECONDS; prints what it measured as JSON.
import { readFile } from "node:fs/promises";
import process from "node:process";
import { texts } from "./lists.mjs";

/** Rules as the module counts them. */
const rules = ["gpt-2", "smollm", "cl100k", "llama-bpe", "qwen2", "gpt-4o"];

const [modulePath, vocabulary, list, seconds] = process.argv.slice(2);
const { instance } = await WebAssembly.instantiate(await readFile(modulePath), {});
const { memory, room, load, encode, ids } = instance.exports;
const utf8 = new TextEncoder();

/** Room for bytes in the module; asking for it may move its memory. */
function roomFor(length) {
  const address = room(length);
  return new Uint8Array(memory.buffer, address, length);
}

/** The ids of a text, in an array of their own. */
function idsOf(text) {
  const { written } = utf8.encodeInto(text, roomFor(3 * text.length));
  const n = encode(written);
  return new Uint32Array(memory.buffer, ids(), n).slice();
}

const [format, ...rest] = vocabulary.split(":");
const file = await readFile(format === "tiktoken" ? rest.slice(1).join(":") : rest.join(":"));
roomFor(file.length).set(file);
const began = performance.now();
if (!load(format === "tiktoken" ? rules.indexOf(rest[0]) : rules.length))
  throw new Error(`${vocabulary} cannot be read.`);
const loadSeconds = (performance.now() - began) / 1000;

const every = await texts(list);
const nBytes = every.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
let best = Number.POSITIVE_INFINITY;
let nIds = 0;
const end = performance.now() + 1000 * Number(seconds);
while (performance.now() < end) {
  const start = performance.now();
  nIds = every.reduce((sum, text) => sum + idsOf(text).length, 0);
  best = Math.min(best, performance.now() - start);
}
console.log(JSON.stringify({ megabytesASecond: nBytes / 1e3 / best, ids: nIds, loadSeconds }));
