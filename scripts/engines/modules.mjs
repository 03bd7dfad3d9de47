// The builds that engines compare: the package's module with SIMD and without, and the crate without JavaScript.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { buildPackage } from "../build-package.mjs";
import { buildWasm, modules } from "../build-wasm.mjs";
import { distFolder, inRoot, toolsFolder } from "../paths.mjs";
import { must, StepFailure, step } from "../steps.mjs";
import { ensureWasmToolchain, targetFolder, wasmEnvironment, wasmTarget } from "../toolchain.mjs";

// Of the package module's own name, which is in what it imports.
const scalar = {
  ...modules[0],
  flagSet: "scalar",
  folder: path.join(toolsFolder, "engines", "scalar"),
};
const fileOf = ({ folder = path.join(distFolder, "wasm"), name }, ending) =>
  path.join(folder, `${name}${ending}`);

/** The package's JavaScript starts either build only while wasm-bindgen writes the same beside both. */
async function mustFit() {
  const both = (ending) =>
    Promise.all([modules[0], scalar].map((module) => readFile(fileOf(module, ending))));
  const [glue, otherGlue] = await both(".js");
  if (!glue.equals(otherGlue))
    throw new StepFailure(
      "wasm-bindgen wrote different JavaScript beside the builds with and without SIMD: give each its own entry point in tests/engines.",
    );
  const [simd, withoutSimd] = await both("_bg.wasm");
  if (simd.equals(withoutSimd))
    throw new StepFailure(
      "The builds with and without SIMD are the same file: see flagSets in scripts/toolchain.mjs.",
    );
}

/** The package's two builds: paths of `.wasm` files by the name of the build. */
export async function packageModules() {
  await buildPackage();
  await buildWasm([scalar]);
  await mustFit();
  return { simd: fileOf(modules[0], "_bg.wasm"), scalar: fileOf(scalar, "_bg.wasm") };
}

/** The crate as a module without imports, in both builds. */
export async function plainModules() {
  const toolchain = await ensureWasmToolchain();
  const built = {};
  for (const build of ["simd", "scalar"]) {
    const flagSet = `plain, ${build}`;
    await step({
      title: `module without imports, ${build}`,
      why: "compiling the crate for engines that know no JavaScript (the first time builds the standard library too)",
      run: async () => {
        const env = await wasmEnvironment(toolchain, flagSet);
        await must(
          "cargo",
          ["build", "--release", "--locked", "--target", wasmTarget],
          { cwd: inRoot("tests/engines/plain"), env, limitSeconds: 1800 },
          "tests/engines/plain does not compile for wasm32: mend what the compiler says above",
        );
      },
    });
    built[build] = path.join(targetFolder(flagSet), wasmTarget, "release", "plain.wasm");
  }
  return built;
}
