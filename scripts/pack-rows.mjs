// Packs recorded rows of logits and their vocabulary for the page, losslessly.
//
//   node scripts/pack-rows.mjs FOLDER
//
// FOLDER holds NAME.f32 (little-endian f32 logits), prompts.json and vocab.json (token texts by id in the
// GPT-2 byte alphabet). Written into www/data: NAME.bin, vocabulary.bin, rows.json, first-fifty.json.
//
// A row is gzip over four byte planes, lowest byte of every logit first: signs and exponents compress, the
// low mantissa bytes are noise and stay as they are. The vocabulary is gzip over a header (u32 number of
// tokens, u32 bytes of literals), the literals as lines, and four planes that say which two earlier tokens
// join to make each token; (0, 0) takes the next literal. `www/sources/unpack.ts` reads both.

import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const GZIP = { level: 9, memLevel: 9 };
const FIRST = 50;
const FIRST_P = 0.9;
const target = fileURLToPath(new URL("../www/data/", import.meta.url));

/** Splits little-endian words of `width` bytes into planes, lowest byte first. */
export function toPlanes(bytes, width) {
  const n = bytes.length / width;
  const planes = new Uint8Array(bytes.length);
  for (let i = 0; i < n; i++) for (let b = 0; b < width; b++) planes[b * n + i] = bytes[i * width + b];
  return planes;
}

/** The two earlier tokens that join to `text`, the right one the earliest there is; null for a literal. */
function pair(text, id, idOf) {
  let best = null;
  for (let cut = 1; cut < text.length; cut++) {
    const left = idOf.get(text.slice(0, cut));
    const right = idOf.get(text.slice(cut));
    if (left === undefined || right === undefined || left >= id || right >= id) continue;
    if (best === null || right < best[1]) best = [left, right];
  }
  return best;
}

function packVocabulary(texts) {
  const idOf = new Map(texts.map((text, id) => [text, id]));
  const lefts = new Uint16Array(texts.length);
  const rights = new Uint16Array(texts.length);
  const literals = [];
  texts.forEach((text, id) => {
    const parts = pair(text, id, idOf);
    if (parts === null) literals.push(text);
    else [lefts[id], rights[id]] = parts;
  });
  if (literals.some((text) => text.includes("\n"))) throw new Error("A literal token holds a line feed.");
  const lines = Buffer.from(literals.join("\n"));
  const header = Buffer.alloc(8);
  header.writeUInt32LE(texts.length, 0);
  header.writeUInt32LE(lines.length, 4);
  const planes = [lefts, rights].map((ids) => toPlanes(new Uint8Array(ids.buffer), 2));
  return gzipSync(Buffer.concat([header, lines, ...planes]), GZIP);
}

/** What the page shows before the engine runs: the first tokens by rank with their softmax in f64, and the nucleus. */
function firstPaint(logits, texts) {
  const ids = [...logits.keys()].sort((a, b) => logits[b] - logits[a] || a - b);
  const weight = (id) => Math.exp(logits[id] - logits[ids[0]]);
  const mass = ids.reduce((sum, id) => sum + weight(id), 0);
  let keptCount = 0;
  let keptMass = 0;
  while (keptMass < FIRST_P) keptMass += weight(ids[keptCount++]) / mass;
  const tokens = ids.slice(0, FIRST).map((id) => {
    return { id, text: texts[id], logit: logits[id], prob: weight(id) / mass };
  });
  return { vocabSize: texts.length, p: FIRST_P, keptCount, keptMass, tokens };
}

function main(folder) {
  const { model, rows } = JSON.parse(readFileSync(join(folder, "prompts.json"), "utf8"));
  const texts = JSON.parse(readFileSync(join(folder, "vocab.json"), "utf8"));
  const packed = packVocabulary(texts);
  writeFileSync(join(target, "vocabulary.bin"), packed);
  console.log(`vocabulary.bin  ${packed.length} bytes`);
  const index = { model, vocabSize: texts.length, vocabularySha256: sha256(texts.join("\n")), rows: {} };
  for (const [name, { prompt, ids }] of Object.entries(rows)) {
    const bytes = readFileSync(join(folder, `${name}.f32`));
    const row = gzipSync(toPlanes(bytes, 4), GZIP);
    writeFileSync(join(target, `${name}.bin`), row);
    index.rows[name] = { prompt, ids, sha256: sha256(bytes) };
    console.log(`${name}.bin  ${bytes.length} -> ${row.length} bytes`);
    if (name === "once") {
      const logits = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
      const first = { prompt, ...firstPaint(logits, texts) };
      writeFileSync(join(target, "first-fifty.json"), `${JSON.stringify(first)}\n`);
    }
  }
  writeFileSync(join(target, "rows.json"), `${JSON.stringify(index, null, 2)}\n`);
}

function sha256(content) {
  return createHash("sha256").update(content).digest("hex");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2];
  if (folder === undefined) {
    console.error("Name the folder with the rows: node scripts/pack-rows.mjs FOLDER.");
    process.exit(1);
  }
  main(folder);
}
