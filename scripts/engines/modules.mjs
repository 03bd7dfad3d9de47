// The builds that engines compare: the package's module with SIMD and without, and the crate without JavaScript.
import path from "node:path";
import { buildPackage } from "../build-package.mjs";
import { modules, publishedFile } from "../build-wasm.mjs";
import { inRoot } from "../paths.mjs";
import { must, step } from "../steps.mjs";
import { ensureWasmToolchain, targetFolder, wasmEnvironment, wasmTarget } from "../toolchain.mjs";

/** The package's two builds: paths of `.wasm` files by the name of the build. */
export async function packageModules() {
  await buildPackage();
  const [sampler] = modules;
  return { simd: publishedFile(sampler, "simd"), scalar: publishedFile(sampler, "scalar") };
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
