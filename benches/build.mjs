// What the benchmarks build beside the package: the limit as a module, and the programs that measure natively.
import { readFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { benchTarget, inRoot } from "../scripts/paths.mjs";
import { must } from "../scripts/steps.mjs";
import { ensureWasmToolchain, targetFolder, wasmEnvironment, wasmTarget } from "../scripts/toolchain.mjs";

/** The bytes of the two-pass limit, compiled as the sampler is. */
export async function buildYardstick() {
  const toolchain = await ensureWasmToolchain();
  const env = await wasmEnvironment(toolchain, "simd");
  // Where the standard library is built from source, its core is enough.
  if (env.CARGO_UNSTABLE_BUILD_STD) env.CARGO_UNSTABLE_BUILD_STD = "core";
  const args = ["build", "--release", "--locked", "--lib", "--target", wasmTarget];
  await must(
    "cargo",
    [...args, "--manifest-path", inRoot("benches/yardstick/Cargo.toml")],
    { env, limitSeconds: 900 },
    "The two-pass limit does not compile for wasm32: mend what the compiler says above",
  );
  return readFile(path.join(targetFolder("simd"), wasmTarget, "release/two_pass_limit.wasm"));
}

/** Compiles a package of `benches/` natively; the folder of what it made. */
export async function buildNative(name) {
  const target = benchTarget(name);
  await must(
    "cargo",
    ["build", "--release", "--locked", "--manifest-path", inRoot("benches", name, "Cargo.toml")],
    { env: { ...process.env, CARGO_TARGET_DIR: target }, limitSeconds: 1800 },
    `benches/${name} does not compile: mend what the compiler says above`,
  );
  return path.join(target, "release");
}
