// Runs the comparison in Node, Deno or Bun and prints one line of JSON: run.mjs <module.wasm>
import { readFile } from "node:fs/promises";
import process from "node:process";
import { pathToFileURL } from "node:url";
import init, { WasmSampler } from "../../dist/web.js";
import { compare, recordedNames } from "./compare.mjs";

const golden = new URL("../golden/", import.meta.url);
const bytes = (url) => readFile(url);

const same = JSON.parse(await readFile(new URL("same.json", golden), "utf8"));
const recorded = {};
for (const name of recordedNames(same)) {
  const { buffer, byteOffset, byteLength } = await bytes(new URL(`rows/${name}.f32`, golden));
  recorded[name] = new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength));
}
await init(await bytes(pathToFileURL(process.argv[2])));
console.log(JSON.stringify(compare(WasmSampler, same, recorded)));
