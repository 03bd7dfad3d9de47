// The builds that engines compare: the package's module with SIMD and without, and the crate without JavaScript.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { buildPackage } from "../build-package.mjs";
import { buildWasm } from "../build-wasm.mjs";
import { distFolder, inRoot, toolsFolder } from "../paths.mjs";
import { must, StepFailure, step } from "../steps.mjs";
import { ensureWasmToolchain, targetFolder, wasmEnvironment, wasmTarget } from "../toolchain.mjs";

const folder = path.join(toolsFolder, "engines", "modules");
const scalar = {
  name: "nucleus_sampler_scalar",
  features: ["wasm"],
  flagSet: "scalar",
  bindgenFlags: [],
  folder,
};

/** The package's JavaScript starts either build only while wasm-bindgen writes the same beside both. */
async function mustFit() {
  const beside = async (file) =>
    (await readFile(file, "utf8")).replaceAll("nucleus_sampler_scalar", "nucleus_sampler");
  const [one, other] = await Promise.all([
    beside(path.join(distFolder, "wasm", "nucleus_sampler.js")),
    beside(path.join(folder, "nucleus_sampler_scalar.js")),
  ]);
  if (one !== other)
    throw new StepFailure(
      "wasm-bindgen wrote different JavaScript beside the builds with and without SIMD: give each its own entry point in tests/engines.",
    );
}

/** The package's two builds: paths of `.wasm` files by the name of the build. */
export async function packageModules() {
  await buildPackage();
  await buildWasm([scalar]);
  await mustFit();
  return {
    simd: path.join(distFolder, "wasm", "nucleus_sampler_bg.wasm"),
    scalar: path.join(folder, "nucleus_sampler_scalar_bg.wasm"),
  };
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
