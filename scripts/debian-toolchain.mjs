// The wasm target where rustup's server is out of reach: Debian's compiler with the sources of its standard
// library, which cargo then builds for wasm32 itself (-Z build-std). All of it is environment: no file changes,
// and the native builds keep the compiler that is in PATH.
import { existsSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { aptInstall } from "./apt.mjs";
import { compareVersions, oldestRust } from "./crate.mjs";
import { findProgram } from "./paths.mjs";
import { compilerFacts, sysroot } from "./rust.mjs";

const binaries = "/usr/bin";
const packages = ["rustc-web", "cargo-web", "rust-web-src", "rust-web-llvm"];

/** What a person without apt's privileges has to type. */
export const debianCommand = `sudo apt-get install ${packages.join(" ")}`;

// rustup's own compiler may stand in RUSTC; the one in /usr/bin is asked without it.
const plainEnvironment = () => {
  const { RUSTC, CARGO, RUSTUP_TOOLCHAIN, ...rest } = process.env;
  return rest;
};

// The linker of the same LLVM first; then the one inside rustup's compiler; then LLVM's own name for it.
async function findLinker() {
  const native = await compilerFacts("rustc");
  const inside = native && path.join(await sysroot("rustc"), "lib/rustlib", native.host, "bin");
  return (
    findProgram(["rust-lld"], [binaries]) ??
    (inside && findProgram(["rust-lld"], [inside])) ??
    findProgram(["wasm-ld"])
  );
}

/** The toolchain where it is installed and whole, else undefined. */
export async function findDebianToolchain() {
  const rustc = path.join(binaries, "rustc");
  const cargo = path.join(binaries, "cargo");
  if (!existsSync(rustc) || !existsSync(cargo)) return undefined;
  const facts = await compilerFacts(rustc, plainEnvironment());
  if (!facts || compareVersions(facts.release, oldestRust()) < 0) return undefined;
  const library = path.join(
    await sysroot(rustc, plainEnvironment()),
    "lib/rustlib/src/rust/library/std/src/lib.rs",
  );
  const linker = await findLinker();
  if (!existsSync(library) || !linker) return undefined;
  return {
    name: "debian",
    identity: `${facts.text}, standard library built from source`,
    env: {
      RUSTC: rustc,
      CARGO: cargo,
      RUSTDOC: path.join(binaries, "rustdoc"),
      RUSTC_BOOTSTRAP: "1",
      CARGO_UNSTABLE_BUILD_STD: "std,panic_abort",
      CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER: linker,
      PATH: `${binaries}${path.delimiter}${process.env.PATH ?? ""}`,
    },
  };
}

/** Installs it with apt; the toolchain, or undefined where that cannot be. */
export async function installDebianToolchain() {
  return (await aptInstall(packages)) ? findDebianToolchain() : undefined;
}
