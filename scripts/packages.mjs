// npm packages, exactly as package-lock.json names them.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import process from "node:process";
import { inRoot, isMain } from "./paths.mjs";
import { must, runMain, StepFailure, step } from "./steps.mjs";

const oldestNode = 20;
const readJson = async (file) => JSON.parse(await readFile(inRoot(file), "utf8"));

/**
 * The packages that the lock file wants and node_modules lacks. npm keeps a copy of the lock file for what it
 * installed; optional packages (binaries for other platforms) may be missing from it.
 */
export async function missingPackages() {
  const wanted = (await readJson("package-lock.json")).packages;
  const copy = "node_modules/.package-lock.json";
  const installed = existsSync(inRoot(copy)) ? (await readJson(copy)).packages : {};
  return Object.entries(wanted)
    .filter(([folder, entry]) => folder !== "" && !entry.optional && !entry.link)
    .filter(([folder, entry]) => installed[folder]?.version !== entry.version || !existsSync(inRoot(folder)))
    .map(([folder]) => folder.replace(/^.*node_modules\//, ""));
}

/** Stops with a sentence where this Node is older than the scripts and the packages need. */
export function checkNode() {
  if (Number.parseInt(process.versions.node, 10) < oldestNode)
    throw new StepFailure(
      `Node ${oldestNode} or later is needed and this is ${process.versions.node}: install a newer one.`,
    );
}

/** The step that brings the packages. */
export const ensurePackages = () =>
  step({
    title: "npm packages",
    why: "installing what package-lock.json names: the bundler, the test runners, the page's few libraries",
    done: async () => ((await missingPackages()).length === 0 ? "as package-lock.json names them" : false),
    run: async () => {
      await must(
        "npm",
        ["ci", "--no-audit", "--no-fund"],
        { limitSeconds: 900 },
        "npm could not install the packages: check that the npm registry can be reached, then run this again",
      );
      const missing = await missingPackages();
      if (missing.length > 0)
        throw new StepFailure(
          `npm ended without installing ${missing.slice(0, 3).join(", ")}: run npm ci and read its output.`,
        );
    },
  });

if (isMain(import.meta.url)) await runMain(ensurePackages);
