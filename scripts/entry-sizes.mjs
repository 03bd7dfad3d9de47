// What an entry point of the package weighs: the scripts that it imports, as they are shipped, without the modules,
// which are fetched beside them. (The inline entry has them in its scripts.)
import { readFile } from "node:fs/promises";
import path from "node:path";
import { entries } from "./entries.mjs";
import { inRoot } from "./paths.mjs";
import { imports } from "./script-source.mjs";
import { StepFailure } from "./steps.mjs";

const sampler = { raw: 110_000, gzip: 32_000, brotli: 27_000 };
const client = { raw: 27_000, gzip: 11_000, brotli: 9_000 };
const model = { raw: 85_000, gzip: 26_000, brotli: 22_000 };
const thread = { raw: 116_000, gzip: 34_000, brotli: 29_000 };

/** Budgets in bytes by the entry's script in `dist`: about a quarter above what each is. */
const budgets = {
  web: sampler,
  node: sampler,
  workerd: sampler,
  "edge-light": sampler,
  inline: { raw: 1_110_000, gzip: 440_000, brotli: 355_000 },
  worker: client,
  "worker-node": client,
  "worker-thread": thread,
  "worker-thread-node": thread,
  model,
  "model-node": model,
};

/** The files of the checkout that a script imports, itself among them. */
export async function importedFiles(script, found = new Set()) {
  if (found.has(script)) return found;
  found.add(script);
  const text = await readFile(inRoot(script), "utf8");
  for (const { specifier, asset } of imports(script, text))
    if (!asset && specifier.startsWith(".") && specifier.endsWith(".js"))
      await importedFiles(path.posix.join(path.posix.dirname(script), specifier), found);
  return found;
}

/** `{ name, files, budget }` of every script that an entry leads to; one without a budget is a failure. */
export async function entryRows() {
  const scripts = [...new Set(entries.flatMap(({ runs }) => Object.values(runs)))];
  const unknown = scripts.find((script) => budgets[script] === undefined);
  if (unknown)
    throw new StepFailure(`The entry ${unknown}.js has no budget: give it one in scripts/entry-sizes.mjs.`);
  const rows = [];
  for (const script of scripts) {
    const files = [...(await importedFiles(`dist/${script}.js`))];
    rows.push({ name: `entry ${script}.js`, files, budget: budgets[script] });
  }
  return rows;
}
