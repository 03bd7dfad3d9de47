// What gpt-tokenizer answers: `ids ENCODING TEXTS OUT` and `speed ENCODING TEXTS SECONDS`; lists as in src/lib.rs.
import { writeFile } from "node:fs/promises";
import process from "node:process";
import { texts } from "./lists.mjs";

const load = (encoding) => import(`gpt-tokenizer/encoding/${encoding}`);
// Texts are text: what looks like a special token is none.
const plain = { disallowedSpecial: new Set() };

async function ids(encoding, list, out) {
  const { encode } = await load(encoding);
  const numbers = (await texts(list)).flatMap((text) => {
    const found = encode(text, plain);
    return [found.length, ...found];
  });
  await writeFile(out, new Uint8Array(Uint32Array.from(numbers).buffer));
}

async function speed(encoding, list, seconds) {
  const { encode } = await load(encoding);
  const every = await texts(list);
  const nBytes = every.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  let best = Number.POSITIVE_INFINITY;
  let nIds = 0;
  const end = performance.now() + 1000 * Number(seconds);
  while (performance.now() < end) {
    const start = performance.now();
    nIds = every.reduce((sum, text) => sum + encode(text, plain).length, 0);
    best = Math.min(best, performance.now() - start);
  }
  const megabytesASecond = nBytes / 1e3 / best;
  console.log(JSON.stringify({ megabytesASecond, ids: nIds }));
}

const [command, ...rest] = process.argv.slice(2);
await { ids, speed }[command](...rest);
