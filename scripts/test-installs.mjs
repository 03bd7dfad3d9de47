// The packed tarball, installed into fresh projects and run there.
//
//   node scripts/test-installs.mjs [install ...] [--write]
//
// Without names every install runs, and what is missing is named; an install that is named must be there. `--write`
// writes the table, dated, to docs/install.md.
import { writeFile } from "node:fs/promises";
import { closeBrowser } from "./installs/browser.mjs";
import { bundlerInstalls } from "./installs/bundlers.mjs";
import { checkerInstalls } from "./installs/checkers.mjs";
import { document, table } from "./installs/document.mjs";
import { nextInstalls } from "./installs/next.mjs";
import { stated } from "./installs/outcome.mjs";
import { pageInstalls } from "./installs/pages.mjs";
import { programInstalls } from "./installs/programs.mjs";
import { removeProjects } from "./installs/project.mjs";
import { tinyInstalls } from "./installs/tiny.mjs";
import { viteInstalls } from "./installs/vite.mjs";
import { ensurePackages } from "./packages.mjs";
import { inRoot, isMain } from "./paths.mjs";
import { packageSizes } from "./size.mjs";
import { runMain, StepFailure, say } from "./steps.mjs";

export const installs = {
  ...programInstalls,
  ...pageInstalls,
  ...viteInstalls,
  ...bundlerInstalls,
  ...nextInstalls,
  ...tinyInstalls,
  ...checkerInstalls,
};

/** The rows of an install; one that cannot be made is a row that says why. */
async function rowsOf(name) {
  const began = performance.now();
  const rows = await installs[name]().catch((error) => [stated(name, "", "", String(error?.stack ?? error))]);
  say(`      ${name}: ${((performance.now() - began) / 1000).toFixed(1)} s`);
  return rows;
}

/** The exit code: a missing engine is no failure unless it was named. */
export function verdict(rows, named) {
  const bad = rows.filter(({ problem, missing }) => problem || (missing && named.length > 0));
  const works = rows.filter(({ problem, missing }) => !problem && !missing);
  for (const { name, problem, missing } of bad) say(`${name}: ${problem ?? `missing: ${missing}`}`);
  say(
    `installs: ${works.length} work, ${bad.length} failed, ${rows.length - works.length - bad.length} missing`,
  );
  return bad.length > 0 ? 1 : 0;
}

async function main(args) {
  const named = args.filter((arg) => !arg.startsWith("--"));
  const unknown = named.find((name) => !Object.hasOwn(installs, name));
  if (unknown)
    throw new StepFailure(`There is no install "${unknown}": use ${Object.keys(installs).join(", ")}.`);
  await ensurePackages();
  const rows = [];
  try {
    for (const name of named.length > 0 ? named : Object.keys(installs)) rows.push(...(await rowsOf(name)));
  } finally {
    await closeBrowser();
    await removeProjects();
  }
  say(`\n${table(rows)}\n`);
  if (args.includes("--write"))
    await writeFile(inRoot("docs/install.md"), document(rows, await packageSizes()));
  return verdict(rows, named);
}

if (isMain(import.meta.url)) await runMain(main);
