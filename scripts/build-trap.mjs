// The package once more, for tests, with modules that break when some input asks them to (`src/wasm/trap.rs`): in a
// folder of its own, so that nothing of it can come into the package.
import { cp, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { buildPackage } from "./build-package.mjs";
import { buildFolder, ensureBuild, glueEndings, moduleEnding, modules } from "./build-wasm.mjs";
import { ensurePackages } from "./packages.mjs";
import { distFolder, inRoot, isMain } from "./paths.mjs";
import { runMain } from "./steps.mjs";
import { ensureWasmToolchain } from "./toolchain.mjs";
import { ensureTools } from "./tools.mjs";
import { publishModule } from "./wasm-forms.mjs";

const flagSet = "trap";

/** Where it lies: no commit and no tarball has this folder. */
export const trapFolder = inRoot("tmp", "trap");

/** One build serves both of a module's files: that with SIMD and that without break alike. */
async function lay({ name, builds }) {
  const built = (ending) => path.join(buildFolder(flagSet), `${name}${ending}`);
  for (const ending of glueEndings)
    await cp(built(ending), path.join(trapFolder, "wasm", `${name}${ending}`));
  for (const file of Object.values(builds))
    await publishModule(await readFile(built(moduleEnding)), path.join(trapFolder, "wasm", file));
}

/** Brings it up to date. */
export async function buildTrap() {
  await buildPackage();
  const toolchain = await ensureWasmToolchain();
  const tools = await ensureTools(["wasm-bindgen-cli"]);
  await rm(trapFolder, { recursive: true, force: true });
  await cp(distFolder, trapFolder, { recursive: true });
  for (const module of modules) {
    const features = [...module.features, "trap"];
    await ensureBuild({ ...module, features }, flagSet, toolchain, tools);
    await lay(module);
  }
}

if (isMain(import.meta.url))
  await runMain(async () => {
    await ensurePackages();
    await buildTrap();
  });
