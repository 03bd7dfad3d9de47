// The compiler for wasm32: found or installed, and handed on as an environment.
//
// NUCLEUS_WASM_TOOLCHAIN chooses: `rustup` (the compiler in PATH with its wasm32 target), `debian` (see
// debian-toolchain.mjs) or `auto`, the default: the target when it is there; else what rustup can fetch within
// a time limit; else Debian's toolchain, which is then remembered so that rustup is not asked every time.
import { existsSync, readdirSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { debianCommand, findDebianToolchain, installDebianToolchain } from "./debian-toolchain.mjs";
import { findProgram, isMain, root, toolsFolder } from "./paths.mjs";
import { checkRust, compilerFacts, sysroot } from "./rust.mjs";
import { follow, runMain, StepFailure, say, showTail, step } from "./steps.mjs";

export const wasmTarget = "wasm32-unknown-unknown";

const simd = ["-C", "target-feature=+simd128"];
// Loops that are worth vectors have them in the source, and what is worth inlining in the kernel says so: what the
// compiler adds of its own accord makes the module larger and long rows no faster.
const small = [
  ...["-C", "no-vectorize-loops", "-C", "llvm-args=-inline-threshold=25"],
  ...["-C", "llvm-args=-unroll-runtime=false", "-C", "llvm-args=-unroll-allow-partial=false"],
];
// Where a call broke off, js/ puts the stack back to its beginning before it reads what is left.
const stack = ["-C", "link-arg=--export=__stack_pointer"];
// Tests fill the whole memory: it is to be no more than they need.
const little = ["-C", `link-arg=--max-memory=${2 ** 26}`];
// Outside of JavaScript there is no source of fresh seeds, and a module without imports has none to ask.
const withoutSeeds = ["--cfg", 'getrandom_backend="unsupported"'];

/** Ways of compiling for wasm32, each with a target folder of its own: another flag rebuilds everything. */
export const flagSets = {
  simd: { suffix: "-wasm-simd", flags: [...simd, ...small, ...stack] },
  scalar: { suffix: "-wasm-scalar", flags: [...small, ...stack] },
  trap: { suffix: "-wasm-trap", flags: [...simd, ...small, ...stack, ...little] },
  "plain, simd": { suffix: "-wasm-plain-simd", flags: [...simd, ...small, ...withoutSeeds] },
  "plain, scalar": { suffix: "-wasm-plain-scalar", flags: [...small, ...withoutSeeds] },
};

const rustupSeconds = 120;
const remembered = path.join(toolsFolder, "wasm-toolchain-debian");

/** The compiler in PATH, when it has the wasm32 target. */
async function findTarget() {
  const libraries = path.join(await sysroot("rustc"), "lib/rustlib", wasmTarget, "lib");
  const hasCore =
    existsSync(libraries) && readdirSync(libraries).some((file) => /^libcore-.*\.rlib$/.test(file));
  if (!hasCore) return undefined;
  return { name: "rustup", identity: (await compilerFacts("rustc")).text, env: {} };
}

async function addTarget() {
  if (!findProgram(["rustup"])) return undefined;
  const result = await follow("rustup", ["target", "add", wasmTarget], {
    env: { ...process.env, RUST_BACKTRACE: "0" },
    limitSeconds: rustupSeconds,
  });
  if (result.code !== 0) showTail(result);
  return result.code === 0 ? findTarget() : undefined;
}

async function automaticInstall() {
  const added = await addTarget();
  if (added) return added;
  say("      rustup could not add it; trying Debian's toolchain, whose library cargo builds from source");
  const debian = (await findDebianToolchain()) ?? (await installDebianToolchain());
  if (!debian) return undefined;
  await mkdir(toolsFolder, { recursive: true });
  await writeFile(
    remembered,
    "Debian's toolchain was taken because rustup could not add the target. Delete this file to choose anew.\n",
  );
  return debian;
}

const ways = {
  rustup: {
    find: findTarget,
    install: addTarget,
    advice: `rustup could not add it: check the network and run "rustup target add ${wasmTarget}", or set NUCLEUS_WASM_TOOLCHAIN=debian on Debian or Ubuntu`,
  },
  debian: {
    find: findDebianToolchain,
    install: installDebianToolchain,
    advice: `Debian's toolchain is not whole and apt could not complete it: run "${debianCommand}"`,
  },
  auto: {
    find: async () => (await findTarget()) ?? (existsSync(remembered) ? findDebianToolchain() : undefined),
    install: automaticInstall,
    advice: `neither rustup nor apt could bring it: check the network and run "rustup target add ${wasmTarget}", or on Debian "${debianCommand}"`,
  },
};

function chosenWay() {
  const name = process.env.NUCLEUS_WASM_TOOLCHAIN || "auto";
  if (!Object.hasOwn(ways, name))
    throw new StepFailure(
      `NUCLEUS_WASM_TOOLCHAIN is "${name}" and must be one of ${Object.keys(ways).join(", ")}.`,
    );
  return ways[name];
}

async function bringToolchain() {
  await checkRust();
  const way = chosenWay();
  let toolchain;
  await step({
    title: "wasm target",
    why: `the sampler is compiled to ${wasmTarget}, which Rust installs separately`,
    done: async () => {
      toolchain = await way.find();
      return toolchain && `${toolchain.name}, ${toolchain.identity}`;
    },
    run: async () => {
      toolchain = await way.install();
      if (!toolchain) throw new StepFailure(`The target ${wasmTarget} is missing and ${way.advice}.`);
      return `${toolchain.name}, ${toolchain.identity}`;
    },
  });
  return toolchain;
}

let brought;

/** The step that finds or brings the toolchain, once for all who need it; gives `{ name, identity, env }`. */
export function ensureWasmToolchain() {
  brought ??= bringToolchain();
  return brought;
}

/** The folder for a flag set's build products, beside the native `target` (or CARGO_TARGET_DIR). */
export const targetFolder = (flagSet) =>
  `${path.resolve(root, process.env.CARGO_TARGET_DIR || "target")}${flagSets[flagSet].suffix}`;

// Folders of this machine become fixed names inside the module, so that the same sources give the same bytes
// wherever they lie. Panic messages are what would carry them.
async function pathRemaps(env) {
  const metadata = ["metadata", "--locked", "--format-version", "1", "--filter-platform", wasmTarget];
  const { code, stdout, stderr } = await follow("cargo", [...metadata, "--features", "wasm"], { env });
  if (code !== 0)
    throw new StepFailure(
      `cargo could not read the crate's dependencies: ${stderr.trim().split("\n").at(-1)}`,
    );
  const folders = JSON.parse(stdout)
    .packages.filter((dependency) => dependency.source !== null)
    .map((dependency) => path.dirname(path.dirname(dependency.manifest_path)));
  const library = path.join(await sysroot(env.RUSTC ?? "rustc", env), "lib/rustlib/src/rust");
  const home = process.env.CARGO_HOME ?? path.join(os.homedir(), ".cargo");
  return [
    [home, "/cargo"],
    ...[...new Set(folders)].sort().map((folder) => [folder, "/crates"]),
    [library, "/rust"],
    [root, "/nucleus"],
  ].map(([from, to]) => `--remap-path-prefix=${from}=${to}`);
}

/** The whole environment for cargo or wasm-pack to build for wasm32 with a flag set. */
export async function wasmEnvironment(toolchain, flagSet) {
  const { RUSTFLAGS, CARGO_BUILD_RUSTFLAGS, RUSTUP_TOOLCHAIN, ...inherited } = process.env;
  const env = { ...inherited, ...toolchain.env };
  const flags = [...flagSets[flagSet].flags, ...(await pathRemaps(env))];
  return { ...env, CARGO_ENCODED_RUSTFLAGS: flags.join("\u001f"), CARGO_TARGET_DIR: targetFolder(flagSet) };
}

if (isMain(import.meta.url)) await runMain(async () => void (await ensureWasmToolchain()));
