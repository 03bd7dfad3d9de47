// rustfmt and clippy: parts of Rust that a minimal installation leaves out, and that Debian packages apart.
import { existsSync } from "node:fs";
import path from "node:path";
import { aptInstall } from "./apt.mjs";
import { findProgram, isMain } from "./paths.mjs";
import { capture } from "./processes.mjs";
import { follow, runMain, StepFailure, showTail, step } from "./steps.mjs";

const debianFolder = "/usr/bin";

async function nativeComponents() {
  const answers = ["fmt", "clippy"].map((name) => capture("cargo", [name, "--version"]));
  return (await Promise.all(answers)).every(({ code }) => code === 0);
}

async function installNative() {
  if (!findProgram(["rustup"])) return aptInstall(["rustfmt-web", "rust-web-clippy"]);
  const result = await follow("rustup", ["component", "add", "rustfmt", "clippy"], { limitSeconds: 300 });
  if (result.code !== 0) showTail(result);
}

/** The step that brings rustfmt and clippy for the compiler in PATH. */
export const ensureComponents = () =>
  step({
    title: "rustfmt and clippy",
    why: "the checks of the crate's layout and lints need them",
    done: async () => (await nativeComponents()) && "installed",
    run: async () => {
      await installNative();
      if (!(await nativeComponents()))
        throw new StepFailure(
          'rustfmt or clippy is missing: run "rustup component add rustfmt clippy", then run this again.',
        );
    },
  });

/** The program that lints for wasm32 with a toolchain: its own clippy, never another compiler's. */
export const wasmClippy = ({ name }) =>
  name === "debian" ? path.join(debianFolder, "cargo-clippy") : "cargo-clippy";

/** The step that brings clippy for the wasm toolchain, where that is not the compiler in PATH. */
export const ensureWasmClippy = (toolchain) =>
  step({
    title: "clippy for wasm32",
    why: "code that only the module has is linted by the compiler that builds it",
    done: () => (toolchain.name !== "debian" || existsSync(wasmClippy(toolchain))) && toolchain.name,
    run: async () => {
      await aptInstall(["rust-web-clippy"]);
      if (!existsSync(wasmClippy(toolchain)))
        throw new StepFailure(
          'Clippy for Debian\'s compiler is missing: run "sudo apt-get install rust-web-clippy", then run this again.',
        );
    },
  });

if (isMain(import.meta.url)) await runMain(ensureComponents);
