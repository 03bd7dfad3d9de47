// The two programs that cargo installs: wasm-bindgen's CLI, whose version must be the crate's own, and wasm-pack,
// which runs the crate's tests in a browser.
import { rm } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { wasmBindgenVersion } from "./crate.mjs";
import { findProgram, isMain, toolsFolder } from "./paths.mjs";
import { capture } from "./processes.mjs";
import { follow, must, runMain, StepFailure, say, step } from "./steps.mjs";

const wasmPackVersion = "0.15.1";

const tools = {
  "wasm-bindgen-cli": {
    version: wasmBindgenVersion,
    programs: ["wasm-bindgen", "wasm-bindgen-test-runner"],
    why: "it writes the JavaScript beside the module, and must be of the crate's very version",
  },
  "wasm-pack": {
    version: () => wasmPackVersion,
    programs: ["wasm-pack"],
    why: "it runs the crate's tests inside a browser",
  },
};

const installedFolder = path.join(toolsFolder, "bin");
// Kept when an installation is broken off, so that the next one goes on from there.
const buildFolder = path.join(toolsFolder, "build");

// Our own folder first, then PATH: a machine that has the right version needs no second one.
async function findTool({ version, programs }) {
  for (const folder of [installedFolder, ...(process.env.PATH ?? "").split(path.delimiter)]) {
    if (!programs.every((program) => findProgram([program], [folder]))) continue;
    const { code, stdout } = await capture(path.join(folder, programs[0]), ["--version"]);
    if (code === 0 && stdout.trim().split(/\s+/)[1] === version()) return folder;
  }
  return undefined;
}

async function install(name, version) {
  const args = ["install", name, "--version", `=${version}`, "--root", toolsFolder, "--force"];
  const options = { env: { ...process.env, CARGO_TARGET_DIR: buildFolder }, limitSeconds: 1800 };
  const locked = await follow("cargo", [...args, "--locked"], options);
  if (locked.code === 0) return rm(buildFolder, { recursive: true, force: true });
  say(`      with its own lock file it does not build here; once more, with the newest versions that fit`);
  const sentence = `cargo could not install ${name} ${version}: check that the crates registry can be reached, then run this again`;
  await must("cargo", args, options, sentence);
  await rm(buildFolder, { recursive: true, force: true });
}

async function bringTool(name) {
  const tool = tools[name];
  let folder;
  await step({
    title: `${name} ${tool.version()}`,
    why: `${tool.why}; compiling it takes minutes, once`,
    done: async () => {
      folder = await findTool(tool);
      return folder && "installed";
    },
    run: async () => {
      await install(name, tool.version());
      folder = await findTool(tool);
      if (!folder)
        throw new StepFailure(
          `cargo installed ${name} but not version ${tool.version()}: delete the folder .tools and run this again.`,
        );
    },
  });
  return folder;
}

const brought = new Map();

/** The steps that bring the named tools, once for all who need them; returns the folders to put first in PATH. */
export async function ensureTools(names) {
  const folders = [];
  for (const name of names) {
    if (!brought.has(name)) brought.set(name, bringTool(name));
    folders.push(await brought.get(name));
  }
  return [...new Set(folders)];
}

/** An environment with the tools' folders first in PATH. */
export const withTools = (env, folders) => ({
  ...env,
  PATH: [...folders, env.PATH ?? ""].join(path.delimiter),
});

if (isMain(import.meta.url)) await runMain(async () => void (await ensureTools(Object.keys(tools))));
