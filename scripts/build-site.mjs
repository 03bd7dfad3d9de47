// The page in site/: what `npm start` serves, what the browser tests open, and what a static host would publish.
import { readFile } from "node:fs/promises";
import { buildPackage } from "./build-package.mjs";
import { ensurePackages } from "./packages.mjs";
import { inRoot, isMain, nodeProgram } from "./paths.mjs";
import { forgetStamp, inputsHash, isFresh, recordStamp } from "./stamps.mjs";
import { must, runMain, step } from "./steps.mjs";

const stamp = "site";
const sources = [
  "index.html",
  "www",
  "dist",
  "models",
  "vite.config.ts",
  "tsconfig.json",
  "package.json",
  "package-lock.json",
  "scripts/policy.mjs",
];

/** Brings the page up to date, and before it the package that it is built on. */
export async function buildSite() {
  await buildPackage();
  const vite = JSON.parse(await readFile(inRoot("node_modules/vite/package.json"), "utf8")).version;
  const inputs = await inputsHash(sources, { vite });
  await step({
    title: "page",
    why: "bundling www/ into site/",
    done: async () => (await isFresh(stamp, inputs)) && "unchanged since the last build",
    run: async () => {
      await forgetStamp(stamp);
      const [node, program] = nodeProgram("vite", "bin", "vite.js");
      await must(
        node,
        [program, "build", "--emptyOutDir"],
        { limitSeconds: 300 },
        "The page could not be bundled: mend what vite says above",
      );
      await recordStamp(stamp, inputs, ["site"]);
    },
  });
}

if (isMain(import.meta.url))
  await runMain(async () => {
    await ensurePackages();
    await buildSite();
  });
