// Stand-ins for programs, so that set-up's branches are tested the same on every machine: a folder of small shell
// scripts that becomes the whole PATH of a set-up script.
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { capture } from "../processes.mjs";

/** A new empty folder. */
export const temporaryFolder = () => mkdtemp(path.join(os.tmpdir(), "nucleus-"));

/** A folder with the given programs: name to the body of a shell script. */
export async function fakePrograms(bodies) {
  const folder = await temporaryFolder();
  for (const [name, body] of Object.entries(bodies))
    await writeFile(path.join(folder, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
  return folder;
}

/** A compiler of a release, with an empty library folder. */
export async function fakeCompiler(release) {
  const sysroot = await temporaryFolder();
  const facts = `echo "rustc ${release}"; echo "host: none"; echo "release: ${release}"`;
  const body = `if [ "$1" = -vV ]; then ${facts}; else echo "${sysroot}"; fi`;
  return { sysroot, body };
}

/** Where a compiler keeps the target's library, made with its core in it. */
export async function addTargetTo(sysroot) {
  const folder = path.join(sysroot, "lib/rustlib/wasm32-unknown-unknown/lib");
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, "libcore-0.rlib"), "");
}

/** Runs one of the scripts with only the given programs in PATH, and a tools folder of its own. */
export async function runScript(name, programs, variables = {}) {
  const env = { PATH: programs, HOME: programs, NUCLEUS_TOOLS: await temporaryFolder(), ...variables };
  return capture(process.execPath, [new URL(`../${name}.mjs`, import.meta.url).pathname], { env });
}
