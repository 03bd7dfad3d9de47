// What gpt-tokenizer answers: `ids ENCODING TEXTS OUT` and `speed ENCODING TEXTS SECONDS`; lists as in src/lib.rs.
import { readFile, writeFile } from "node:fs/promises";
import process from "node:process";

/** The texts of a list. */
function texts(bytes) {
  const found = [];
  for (let at = 0; at < bytes.length; ) {
    const length = bytes.readUInt32LE(at);
    found.push(bytes.toString("utf8", at + 4, at + 4 + length));
    at += 4 + length;
  }
  return found;
}

const load = (encoding) => import(`gpt-tokenizer/encoding/${encoding}`);
// Texts are text: what looks like a special token is none.
const plain = { disallowedSpecial: new Set() };

async function ids(encoding, list, out) {
  const { encode } = await load(encoding);
  const numbers = texts(await readFile(list)).flatMap((text) => {
    const found = encode(text, plain);
    return [found.length, ...found];
  });
  await writeFile(out, new Uint8Array(Uint32Array.from(numbers).buffer));
}

async function speed(encoding, list, seconds) {
  const { encode } = await load(encoding);
  const bytes = await readFile(list);
  const every = texts(bytes);
  let best = Number.POSITIVE_INFINITY;
  let nIds = 0;
  const end = performance.now() + 1000 * Number(seconds);
  while (performance.now() < end) {
    const start = performance.now();
    nIds = every.reduce((sum, text) => sum + encode(text, plain).length, 0);
    best = Math.min(best, performance.now() - start);
  }
  const megabytesASecond = (bytes.length - 4 * every.length) / 1e3 / best;
  console.log(JSON.stringify({ megabytesASecond, ids: nIds }));
}

const [command, ...rest] = process.argv.slice(2);
await { ids, speed }[command](...rest);
