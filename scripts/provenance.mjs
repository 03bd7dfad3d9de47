// Where the package's modules come from: what has to be the same for the same bytes to come out, as
// `provenance.json` beside them. There is nothing of one machine in it, and no date: the same sources write the same
// file. `npm run verify:wasm` builds anew by it and compares.
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { wasmBindgenVersion } from "./crate.mjs";
import { inRoot } from "./paths.mjs";
import { capture } from "./processes.mjs";
import { inputsHash } from "./stamps.mjs";
import { flagSets, wasmTarget } from "./toolchain.mjs";

/** What the crate's modules are compiled from. */
export const moduleSources = ["src", "Cargo.toml", "Cargo.lock"];

export const provenanceFile = "provenance.json";

async function firstLine(program, args, env) {
  const { code, stdout } = await capture(program, args, { env });
  return code === 0 ? stdout.trim().split("\n")[0] : "unknown";
}

const hashOf = (bytes) => createHash("sha256").update(bytes).digest("hex");

/** The programs that make a module, by version. */
export async function programs(toolchain) {
  const env = { ...process.env, ...toolchain.env };
  const linker = env.CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER;
  const binaryen = JSON.parse(await readFile(inRoot("node_modules/binaryen/package.json"), "utf8"));
  return {
    rustc: (await capture(env.RUSTC ?? "rustc", ["-vV"], { env })).stdout.trim().split("\n"),
    cargo: await firstLine(env.CARGO ?? "cargo", ["--version"], env),
    linker: linker ? await firstLine(linker, ["-flavor", "wasm", "--version"], env) : "the compiler's own",
    "standard library": env.CARGO_UNSTABLE_BUILD_STD
      ? `built from the compiler's sources: ${env.CARGO_UNSTABLE_BUILD_STD}`
      : "as the toolchain ships it",
    "wasm-bindgen": wasmBindgenVersion(),
    "wasm-opt": `binaryen ${binaryen.version} -O3`,
  };
}

async function buildOf({ features, bindgenFlags }, flagSet, file) {
  const bytes = await readFile(file);
  return {
    features,
    rustflags: flagSets[flagSet].flags,
    bindgenFlags,
    bytes: bytes.length,
    sha256: hashOf(bytes),
  };
}

/** Everything that is recorded. */
export async function provenance(folder, modules, toolchain) {
  const files = {};
  for (const module of modules)
    for (const [flagSet, file] of Object.entries(module.builds))
      files[file] = await buildOf(module, flagSet, path.join(folder, file));
  return {
    build: "npm run build:package",
    verify: "npm run verify:wasm",
    environment: { NUCLEUS_WASM_TOOLCHAIN: toolchain.name },
    target: wasmTarget,
    profile: "release",
    paths: "replaced by --remap-path-prefix: /nucleus (the checkout), /crates, /cargo and /rust",
    sources: { paths: moduleSources, sha256: await inputsHash(moduleSources) },
    programs: await programs(toolchain),
    files,
  };
}

export async function writeProvenance(folder, modules, toolchain) {
  const text = JSON.stringify(await provenance(folder, modules, toolchain), null, 2);
  await writeFile(path.join(folder, provenanceFile), `${text}\n`);
}
