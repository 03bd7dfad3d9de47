// The tokenizer alone as a WebAssembly module, compiled as the package's modules are.
import { readFile } from "node:fs/promises";
import path from "node:path";
import zlib from "node:zlib";
import { inRoot, isMain, nodeProgram } from "../../scripts/paths.mjs";
import { must, runMain, say } from "../../scripts/steps.mjs";
import { ensureWasmToolchain, targetFolder, wasmEnvironment, wasmTarget } from "../../scripts/toolchain.mjs";

const flagSet = "plain, simd";

/** Compiles it; its path. */
export async function buildModule() {
  const env = await wasmEnvironment(await ensureWasmToolchain(), flagSet);
  const args = ["build", "--release", "--locked", "--lib", "--target", wasmTarget];
  const manifest = ["--manifest-path", inRoot("benches/tokenizers/Cargo.toml")];
  const options = { env, limitSeconds: 1800 };
  await must("cargo", [...args, ...manifest], options, "The tokenizer does not compile for wasm32");
  const compiled = path.join(targetFolder(flagSet), wasmTarget, "release", "tokenizer_bench.wasm");
  const module = compiled.replace(/\.wasm$/, ".optimised.wasm");
  const [node, program] = nodeProgram("binaryen", "bin", "wasm-opt");
  await must(node, [program, compiled, "-O3", "-o", module], { limitSeconds: 300 }, "wasm-opt failed");
  return module;
}

if (isMain(import.meta.url))
  await runMain(async () => {
    const bytes = await readFile(await buildModule());
    const brotli = zlib.brotliCompressSync(bytes).length;
    say(`tokenizer module: ${bytes.length} bytes, ${brotli} after brotli`);
  });
