// docs/guard.md: what the guard does to the distribution, with figures that the package gives on the recorded rows.
//
//   node scripts/guard-table.mjs [--write]    needs the built package

import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { document, GUARDED, LIMIT, ROWS, RUN } from "./guard/document.mjs";
import { distFolder, inRoot, isMain } from "./paths.mjs";
import { conclude } from "./sources.mjs";
import { runMain } from "./steps.mjs";

const page = "docs/guard.md";

async function recorded(name) {
  const bytes = await readFile(inRoot(`tests/golden/rows/${name}.f32`));
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}

/** The built package, which the checks must be able to do without. */
const loaded = () => import(pathToFileURL(path.join(distFolder, "node.js")).href);

const guardOf = (policy) => ({ guard: { policy, maxMaskedMass: LIMIT } });

/** Probabilities by token id. */
function byId({ tokenIds, probs }, n) {
  const all = new Float64Array(n);
  for (const [i, id] of tokenIds.entries()) all[id] = probs[i];
  return all;
}

/** Half the sum of the differences: 0 for equal distributions, 1 for those without a token in common. */
const apart = (a, b) => a.reduce((sum, p, i) => sum + Math.abs(p - b[i]), 0) / 2;

/** What a guard does to one row: each policy, and the open breaker, beside the chain without a guard. */
function measuredRow(sampler, name, logits) {
  const free = sampler(GUARDED);
  const plain = free.distribution(logits);
  const usual = byId(plain, logits.length);
  const relaxed = sampler({ ...GUARDED, ...guardOf("relax") });
  const { trip } = relaxed.report(logits);
  const after = relaxed.distribution(logits);
  const greedy = sampler({ ...GUARDED, ...guardOf("greedy") }).distribution(logits);
  const open = sampler({}).distribution(logits);
  return {
    name,
    trip,
    kept: [plain.keptCount, after.keptCount, greedy.keptCount, open.keptCount],
    apart: [after, greedy, open].map((other) => apart(usual, byId(other, logits.length))),
  };
}

/** A long run over a row on which every draw trips: draws that tripped, and those while the breaker was open. */
function measuredRun(sampler, logits) {
  const run = sampler({ ...GUARDED, ...guardOf("relax") });
  let open = 0;
  for (let i = 0; i < RUN; i++) {
    if (run.breaker().isOpen) open++;
    run.sample(logits);
  }
  return { open, trips: run.breaker().trips };
}

/** The page that these figures make. */
export async function guardPage() {
  const { default: init, WasmSampler } = await loaded();
  await init();
  const sampler = (options) => new WasmSampler({ seed: 42, ...options });
  const rows = [];
  for (const name of ROWS) rows.push(measuredRow(sampler, name, await recorded(name)));
  const first = rows.find(({ trip }) => trip !== null);
  return document(rows, first.name, measuredRun(sampler, await recorded(first.name)));
}

if (isMain(import.meta.url))
  await runMain(async () => {
    const expected = await guardPage();
    if (process.argv.includes("--write")) await writeFile(inRoot(page), expected);
    const isCurrent = (await readFile(inRoot(page), "utf8")) === expected;
    const sentence = "the package gives something else: write it with node scripts/guard-table.mjs --write";
    return conclude("guard", isCurrent ? [] : [{ file: page, line: 1, sentence }], `${ROWS.length} rows`);
  });
