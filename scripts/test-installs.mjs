import { closeBrowser } from "./installs/browser.mjs";
import { bundlerInstalls } from "./installs/bundlers.mjs";
import { checkerInstalls } from "./installs/checkers.mjs";
import { pageInstalls } from "./installs/pages.mjs";
import { programInstalls } from "./installs/programs.mjs";
import { removeProjects } from "./installs/project.mjs";
import { viteInstalls } from "./installs/vite.mjs";
import { ensurePackages } from "./packages.mjs";
import { isMain } from "./paths.mjs";
import { runMain, say } from "./steps.mjs";

export const installs = {
  ...programInstalls,
  ...pageInstalls,
  ...viteInstalls,
  ...bundlerInstalls,
  ...checkerInstalls,
};

async function rowsOf(name) {
  const began = performance.now();
  let rows;
  try {
    rows = await installs[name]();
  } catch (error) {
    rows = [{ name, version: "", checked: "", problem: String(error?.stack ?? error) }];
  }
  say(`${name}: ${((performance.now() - began) / 1000).toFixed(1)} s`);
  return rows;
}

const result = ({ missing, problem }) => (missing ? `missing: ${missing}` : problem ? "FAILED" : "works");

async function main(args) {
  const named = args.filter((arg) => !arg.startsWith("--"));
  await ensurePackages();
  const rows = [];
  for (const name of named.length > 0 ? named : Object.keys(installs)) rows.push(...(await rowsOf(name)));
  for (const row of rows)
    say([row.name, row.version, row.checked, result(row), row.problem ?? ""].join(" | "));
  await closeBrowser();
  await removeProjects();
  return rows.some(({ problem }) => problem) ? 1 : 0;
}

if (isMain(import.meta.url)) await runMain(main);
