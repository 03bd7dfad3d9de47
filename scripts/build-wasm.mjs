// The WebAssembly modules: cargo compiles, wasm-bindgen writes the JavaScript beside, wasm-opt makes it smaller.
//
// cargo and wasm-bindgen are called directly because the CLI must equal the crate's version and because
// wasm-pack's own build insists on a target that rustup installed.
import { existsSync } from "node:fs";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { wasmBindgenVersion } from "./crate.mjs";
import { ensurePackages } from "./packages.mjs";
import { distFolder, inRoot, isMain, nodeProgram, root } from "./paths.mjs";
import { writeProvenance } from "./provenance.mjs";
import { forgetStamp, inputsHash, isFresh, recordStamp } from "./stamps.mjs";
import { must, runMain, StepFailure, step } from "./steps.mjs";
import { ensureWasmToolchain, flagSets, targetFolder, wasmEnvironment, wasmTarget } from "./toolchain.mjs";
import { ensureTools, withTools } from "./tools.mjs";
import { publishModule } from "./wasm-forms.mjs";

// Every entry point says itself where the module is: no other address is left for bundlers to find. And a module that
// broke can be started anew in the same glue.
const bindgenFlags = ["--omit-default-module-path", "--experimental-reset-state-function"];

/**
 * Every module of the package: its name, the crate features in it, and its builds: the `.wasm` file of each in
 * `dist/wasm` by the flag set that it is compiled with. One glue serves all builds of a module.
 */
export const modules = [
  {
    name: "nucleus_sampler",
    features: ["wasm"],
    bindgenFlags,
    builds: { simd: "nucleus_sampler_bg.wasm", scalar: "nucleus_sampler_scalar_bg.wasm" },
  },
  {
    name: "nucleus_model",
    features: ["wasm-model"],
    bindgenFlags,
    builds: { simd: "nucleus_model_bg.wasm", scalar: "nucleus_model_scalar_bg.wasm" },
  },
];

const crateFile = "nucleus_sampler.wasm";
const outputFolder = path.join(distFolder, "wasm");
const sources = ["src", "Cargo.toml", "Cargo.lock", "scripts/build-wasm.mjs", "scripts/toolchain.mjs"];
const optimiserPackage = "node_modules/binaryen/package.json";

/** Where a build lies whole: the module, the JavaScript and the types that wasm-bindgen writes for it, its exports. */
export const buildFolder = (flagSet) => path.join(targetFolder(flagSet), "bindgen");
export const moduleEnding = "_bg.wasm";
export const glueEndings = [".js", ".d.ts", "_exports.js", "_exports.d.ts"];

/** The path of a build's `.wasm` file in the package. */
export const publishedFile = (module, flagSet) => path.join(outputFolder, module.builds[flagSet]);

async function compile(module, flagSet, env) {
  const args = ["build", "--release", "--locked", "--lib", "--target", wasmTarget];
  const features = ["--no-default-features", "--features", module.features.join(",")];
  await must(
    "cargo",
    [...args, ...features],
    { env, limitSeconds: 1800 },
    "The crate does not compile for wasm32: mend what the compiler says above",
  );
  return path.join(targetFolder(flagSet), wasmTarget, "release", crateFile);
}

async function bind(module, compiled, folder, env) {
  await mkdir(folder, { recursive: true });
  // Every build has the module's own name, which is in what it imports: so one glue serves them all.
  const names = ["--target", "web", "--out-dir", folder, "--out-name", module.name];
  const args = [...names, "--remove-producers-section", ...module.bindgenFlags, compiled];
  await must(
    "wasm-bindgen",
    args,
    { env, limitSeconds: 120 },
    "wasm-bindgen could not write the JavaScript beside the module: read its message above",
  );
}

async function optimise({ name }, folder, env) {
  const file = path.join(folder, `${name}_bg.wasm`);
  const [node, program] = nodeProgram("binaryen", "bin", "wasm-opt");
  await must(
    node,
    [program, file, "-O3", "-o", file],
    { env, limitSeconds: 300 },
    "wasm-opt could not optimise the module: read its message above",
  );
}

/** Writes what the module exports, by name and kind: js/ knows a module that is not this one before it runs. */
async function listExports({ name }, folder) {
  const compiled = await WebAssembly.compile(await readFile(path.join(folder, `${name}_bg.wasm`)));
  const kinds = Object.fromEntries(
    WebAssembly.Module.exports(compiled).map(({ name, kind }) => [name, kind]),
  );
  const file = path.join(folder, `${name}_exports`);
  await writeFile(`${file}.js`, `export default ${JSON.stringify(kinds)};\n`);
  const type = "Readonly<Record<string, WebAssembly.ImportExportKind>>";
  await writeFile(`${file}.d.ts`, `declare const kinds: ${type};\nexport default kinds;\n`);
}

/** Brings one build of a module up to date; what there is of it then lies in `buildFolder`. */
export async function ensureBuild(module, flagSet, toolchain, toolFolders) {
  const { name, features, bindgenFlags } = module;
  const facts = {
    module: { name, features, bindgenFlags },
    toolchain: toolchain.identity,
    flags: flagSets[flagSet].flags,
    bindgen: wasmBindgenVersion(),
  };
  const inputs = await inputsHash([...sources, optimiserPackage], facts);
  const stamp = `wasm-${name}-${flagSet}`;
  const folder = buildFolder(flagSet);
  await step({
    title: `module ${name}, ${flagSet}`,
    why: "compiling the crate to WebAssembly (the first time builds its dependencies too)",
    done: async () => (await isFresh(stamp, inputs)) && "unchanged since the last build",
    run: async () => {
      await forgetStamp(stamp);
      const env = withTools(await wasmEnvironment(toolchain, flagSet), toolFolders);
      await bind(module, await compile(module, flagSet, env), folder, env);
      await optimise(module, folder, env);
      await listExports(module, folder);
      const outputs = [moduleEnding, ...glueEndings].map((ending) => `${name}${ending}`);
      await recordStamp(
        stamp,
        inputs,
        outputs.map((file) => path.relative(root, path.join(folder, file))),
      );
    },
  });
}

/** What is wrong with the builds of a module as one: the first finding, or undefined. `read` gives a build's file. */
export async function misfit(flagSets, name, read) {
  const [first, ...others] = flagSets;
  for (const other of others) {
    for (const ending of glueEndings)
      if (!(await read(first, ending)).equals(await read(other, ending)))
        return `wasm-bindgen wrote different files ${name}${ending} for the builds ${first} and ${other}, which share one: keep what differs between them out of what src/wasm exports`;
    if ((await read(first, moduleEnding)).equals(await read(other, moduleEnding)))
      return `The builds ${first} and ${other} of ${name} are the same module: see flagSets in scripts/toolchain.mjs`;
  }
  return undefined;
}

/** Lays the builds of a module into the package: each one's `.wasm`, and the glue that they share. */
async function publish(module) {
  const { name, builds } = module;
  const files = (flagSet, ending) => path.join(buildFolder(flagSet), `${name}${ending}`);
  const wrong = await misfit(Object.keys(builds), name, (...file) => readFile(files(...file)));
  if (wrong) throw new StepFailure(`${wrong}.`);
  await mkdir(outputFolder, { recursive: true });
  const [shared] = Object.keys(builds);
  for (const ending of glueEndings)
    await copyFile(files(shared, ending), path.join(outputFolder, `${name}${ending}`));
  for (const flagSet of Object.keys(builds))
    await publishModule(await readFile(files(flagSet, moduleEnding)), publishedFile(module, flagSet));
}

/** Brings every module of the package up to date, in all its builds. */
export async function buildWasm() {
  if (!existsSync(inRoot(optimiserPackage)))
    throw new StepFailure(
      "The npm package binaryen, which brings wasm-opt, is not installed: add it to package.json and run npm install.",
    );
  const toolchain = await ensureWasmToolchain();
  const toolFolders = await ensureTools(["wasm-bindgen-cli"]);
  for (const module of modules) {
    for (const flagSet of Object.keys(module.builds))
      await ensureBuild(module, flagSet, toolchain, toolFolders);
    await publish(module);
  }
  await writeProvenance(outputFolder, modules, toolchain);
}

if (isMain(import.meta.url))
  await runMain(async () => {
    await ensurePackages();
    await buildWasm();
  });
