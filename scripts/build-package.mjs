// The npm package in dist/: the modules in dist/wasm, and js/ compiled to JavaScript with types beside them.
import { existsSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { buildWasm } from "./build-wasm.mjs";
import { ensurePackages } from "./packages.mjs";
import { distFolder, inRoot, isMain, nodeProgram } from "./paths.mjs";
import { forgetStamp, inputsHash, isFresh, recordStamp } from "./stamps.mjs";
import { must, runMain, StepFailure, step } from "./steps.mjs";

const config = "js/tsconfig.json";
const stamp = "package";

// tsc never deletes: a source that is gone would live on in the package.
async function clearCompiled() {
  if (!existsSync(distFolder)) return;
  for (const entry of await readdir(distFolder))
    if (entry !== "wasm") await rm(path.join(distFolder, entry), { recursive: true });
}

async function compiledFiles() {
  const entries = await readdir(distFolder);
  return entries.filter((entry) => entry !== "wasm").map((entry) => `dist/${entry}`);
}

async function compilerVersion() {
  return JSON.parse(await readFile(inRoot("node_modules/typescript/package.json"), "utf8")).version;
}

/** Compiles js/ where it or the modules' types changed. */
async function compileTypeScript() {
  if (!existsSync(inRoot(config)))
    throw new StepFailure(
      `${config} is missing, so there is no package to build: restore it from the repository.`,
    );
  const inputs = await inputsHash(["js", "tsconfig.json", "dist/wasm"], {
    typescript: await compilerVersion(),
  });
  await step({
    title: "npm package",
    why: "compiling js/ into dist/, JavaScript with its types",
    done: async () => (await isFresh(stamp, inputs)) && "unchanged since the last build",
    run: async () => {
      await forgetStamp(stamp);
      await clearCompiled();
      const [node, tsc] = nodeProgram("typescript", "bin", "tsc");
      await must(
        node,
        [tsc, "-p", config],
        { limitSeconds: 300 },
        "js/ does not compile: mend what tsc says above",
      );
      await recordStamp(stamp, inputs, await compiledFiles());
    },
  });
}

/** Brings the package up to date: modules first, because js/ is typed against them. */
export async function buildPackage() {
  await buildWasm();
  await compileTypeScript();
}

if (isMain(import.meta.url))
  await runMain(async () => {
    await ensurePackages();
    await buildPackage();
  });
