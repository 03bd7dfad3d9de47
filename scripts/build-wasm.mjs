// The WebAssembly modules: cargo compiles, wasm-bindgen writes the JavaScript beside, wasm-opt makes it smaller.
//
// cargo and wasm-bindgen are called directly because the CLI must equal the crate's version and because
// wasm-pack's own build insists on a target that rustup installed.
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { wasmBindgenVersion } from "./crate.mjs";
import { ensurePackages } from "./packages.mjs";
import { distFolder, inRoot, isMain, nodeProgram, root } from "./paths.mjs";
import { forgetStamp, inputsHash, isFresh, recordStamp } from "./stamps.mjs";
import { must, runMain, StepFailure, step } from "./steps.mjs";
import { ensureWasmToolchain, flagSets, targetFolder, wasmEnvironment, wasmTarget } from "./toolchain.mjs";
import { ensureTools, withTools } from "./tools.mjs";

/**
 * Every module of the package: its name, the crate features in it, and the flag set that it is compiled with. It lies
 * in `dist/wasm`, or in a `folder` of its own.
 */
export const modules = [{ name: "nucleus_sampler", features: ["wasm"], flagSet: "simd", bindgenFlags: [] }];

const crateFile = "nucleus_sampler.wasm";
const outputFolder = path.join(distFolder, "wasm");
const sources = ["src", "Cargo.toml", "Cargo.lock", "scripts/build-wasm.mjs", "scripts/toolchain.mjs"];
const optimiserPackage = "node_modules/binaryen/package.json";

const folderOf = ({ folder = outputFolder }) => folder;
const outputsOf = (module) =>
  [
    ...[".js", ".d.ts", "_bg.wasm", "_bg.wasm.d.ts"],
    ...["_exports.js", "_exports.d.ts"],
  ].map((ending) => path.relative(root, path.join(folderOf(module), `${module.name}${ending}`)));

async function compile(module, env) {
  const args = ["build", "--release", "--locked", "--lib", "--target", wasmTarget];
  const features = ["--no-default-features", "--features", module.features.join(",")];
  await must(
    "cargo",
    [...args, ...features],
    { env, limitSeconds: 1800 },
    "The crate does not compile for wasm32: mend what the compiler says above",
  );
  return path.join(targetFolder(module.flagSet), wasmTarget, "release", crateFile);
}

async function bind(module, compiled, env) {
  await mkdir(folderOf(module), { recursive: true });
  const names = ["--target", "web", "--out-dir", folderOf(module), "--out-name", module.name];
  const args = [...names, "--remove-producers-section", ...module.bindgenFlags, compiled];
  await must(
    "wasm-bindgen",
    args,
    { env, limitSeconds: 120 },
    "wasm-bindgen could not write the JavaScript beside the module: read its message above",
  );
}

async function optimise(module, env) {
  const file = path.join(folderOf(module), `${module.name}_bg.wasm`);
  const [node, program] = nodeProgram("binaryen", "bin", "wasm-opt");
  await must(
    node,
    [program, file, "-O3", "-o", file],
    { env, limitSeconds: 300 },
    "wasm-opt could not optimise the module: read its message above",
  );
}

/** Writes what the module exports, by name and kind: js/ knows a module that is not this one before it runs. */
async function listExports(module) {
  const [folder, name] = [folderOf(module), module.name];
  const compiled = await WebAssembly.compile(await readFile(path.join(folder, `${name}_bg.wasm`)));
  const kinds = Object.fromEntries(
    WebAssembly.Module.exports(compiled).map(({ name, kind }) => [name, kind]),
  );
  const file = path.join(folder, `${name}_exports`);
  await writeFile(`${file}.js`, `export default ${JSON.stringify(kinds)};\n`);
  const type = "Readonly<Record<string, WebAssembly.ImportExportKind>>";
  await writeFile(`${file}.d.ts`, `declare const kinds: ${type};\nexport default kinds;\n`);
}

async function ensureModule(module, toolchain, toolFolders) {
  const facts = {
    module,
    toolchain: toolchain.identity,
    flags: flagSets[module.flagSet].flags,
    bindgen: wasmBindgenVersion(),
  };
  const inputs = await inputsHash([...sources, optimiserPackage], facts);
  const stamp = `wasm-${module.name}-${module.flagSet}`;
  await step({
    title: `module ${module.name}, ${module.flagSet}`,
    why: "compiling the crate to WebAssembly (the first time builds its dependencies too)",
    done: async () => (await isFresh(stamp, inputs)) && "unchanged since the last build",
    run: async () => {
      await forgetStamp(stamp);
      const env = withTools(await wasmEnvironment(toolchain, module.flagSet), toolFolders);
      await bind(module, await compile(module, env), env);
      await optimise(module, env);
      await listExports(module);
      await recordStamp(stamp, inputs, outputsOf(module));
    },
  });
}

/** Builds every module that is missing or out of date: those of the package, or the ones given. */
export async function buildWasm(wanted = modules) {
  if (!existsSync(inRoot(optimiserPackage)))
    throw new StepFailure(
      "The npm package binaryen, which brings wasm-opt, is not installed: add it to package.json and run npm install.",
    );
  const toolchain = await ensureWasmToolchain();
  const toolFolders = await ensureTools(["wasm-bindgen-cli"]);
  for (const module of wanted) await ensureModule(module, toolchain, toolFolders);
}

if (isMain(import.meta.url))
  await runMain(async () => {
    await ensurePackages();
    await buildWasm();
  });
