// The package's entry points as data: which script each condition of an engine or a bundler leads to, and what each
// may weigh. package.json's `exports` is what this says: `node scripts/entries.mjs --write` writes it there.
import { readFile, writeFile } from "node:fs/promises";
import { modules } from "./build-wasm.mjs";
import { inRoot, isMain } from "./paths.mjs";
import { provenanceFile } from "./provenance.mjs";
import { runMain, StepFailure, say } from "./steps.mjs";

/**
 * `runs` names a file of js/ by condition, the first that holds first: `workerd` and `edge-light` compile no bytes at
 * run time, Metro (`react-native`) knows no addresses of assets, `node` (Deno and Bun say so, too) reads files, and
 * whoever says nothing fetches. `types` is the file whose types all of them have.
 */
export const entries = [
  {
    name: ".",
    types: "web",
    runs: {
      workerd: "workerd",
      "edge-light": "edge-light",
      "react-native": "inline",
      node: "node",
      default: "web",
    },
  },
  { name: "./web", types: "web", runs: { default: "web" } },
  { name: "./node", types: "node", runs: { default: "node" } },
  { name: "./inline", types: "inline", runs: { default: "inline" } },
  { name: "./worker", types: "worker", runs: { node: "worker-node", default: "worker" } },
  {
    name: "./worker/thread",
    types: "worker-thread",
    runs: { node: "worker-thread-node", default: "worker-thread" },
  },
  { name: "./model", types: "model", runs: { node: "model-node", default: "model" } },
];

/** Scripts that do something when they are imported: bundlers must not leave them out. */
const withEffects = ["worker-thread", "worker-thread-node"];

const scriptExports = ({ types, runs }) => ({
  types: `./dist/${types}.d.ts`,
  ...Object.fromEntries(Object.entries(runs).map(([condition, file]) => [condition, `./dist/${file}.js`])),
});

/** What package.json has to say. */
export function packageFields() {
  const files = modules.flatMap(({ builds }) => Object.values(builds));
  const wasm = (file) => ({ types: `./dist/wasm/${file}.d.ts`, default: `./dist/wasm/${file}` });
  return {
    sideEffects: withEffects.map((file) => `./dist/${file}.js`),
    exports: {
      ...Object.fromEntries(entries.map((entry) => [entry.name, scriptExports(entry)])),
      ...Object.fromEntries(files.map((file) => [`./${file}`, wasm(file)])),
      "./tiny.gguf": "./models/tiny.gguf",
      [`./${provenanceFile}`]: `./dist/wasm/${provenanceFile}`,
      "./package.json": "./package.json",
    },
  };
}

/** Which fields of a package.json say something else. */
export const staleFields = (found) =>
  Object.entries(packageFields())
    .filter(([field, wanted]) => JSON.stringify(found[field]) !== JSON.stringify(wanted))
    .map(([field]) => field);

async function main(args) {
  const file = inRoot("package.json");
  const found = JSON.parse(await readFile(file, "utf8"));
  const stale = staleFields(found);
  if (stale.length > 0 && !args.includes("--write"))
    throw new StepFailure(
      `package.json says something else than scripts/entries.mjs of ${stale.join(" and ")}: run node scripts/entries.mjs --write.`,
    );
  if (stale.length > 0)
    await writeFile(file, `${JSON.stringify({ ...found, ...packageFields() }, null, 2)}\n`);
  say(`entries: ${entries.length}, as package.json says`);
}

if (isMain(import.meta.url)) await runMain(main);
