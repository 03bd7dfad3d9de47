// A fresh project: a folder of its own outside of the checkout, the packed tarball installed there by npm, tools linked
// beside it, programs copied.
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { buildPackage } from "../build-package.mjs";
import { inRoot } from "../paths.mjs";
import { capture } from "../processes.mjs";
import { must, StepFailure } from "../steps.mjs";
import { goldenModule } from "./golden.mjs";

const programs = inRoot("tests/package/programs");
const made = [];

/** A folder that is removed at the end. */
export async function temporary(name) {
  const folder = await mkdtemp(path.join(os.tmpdir(), `nucleus-${name}-`));
  made.push(folder);
  return folder;
}

/** Removes every folder that was made. */
export async function removeProjects() {
  for (const folder of made.splice(0)) await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}

async function pack() {
  await buildPackage();
  const folder = await temporary("pack");
  // What `prepack` would build is built; npm's own words say what the file is called.
  const args = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
  const sentence = "npm could not pack the package: read its message above";
  const { stdout } = await must("npm", args, { limitSeconds: 120 }, sentence);
  const said = JSON.parse(stdout);
  const [{ filename, files }] = Array.isArray(said) ? said : Object.values(said);
  return { tarball: path.join(folder, filename), files: files.map((file) => file.path) };
}

let packed;

/** The packed tarball, once for all: `{ tarball, files }`. */
export function packedPackage() {
  packed ??= pack();
  return packed;
}

/** A folder with the programs and what they are asked by; nothing is installed in it. */
export async function makeFolder(name) {
  const folder = await temporary(name);
  await cp(programs, folder, { recursive: true });
  for (const shared of ["compare.mjs", "rows.mjs"])
    await cp(inRoot("tests/engines", shared), path.join(folder, shared));
  await writeFile(path.join(folder, "golden.mjs"), await goldenModule());
  return folder;
}

/** Installs the tarball, as `npm install` does. */
export async function install(folder, name) {
  const { tarball } = await packedPackage();
  const args = ["install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", tarball];
  const sentence = `npm could not install the tarball for ${name}: read its message above`;
  await must("npm", args, { cwd: folder, limitSeconds: 120 }, sentence);
}

/**
 * A project with the tarball installed. `tools` are packages by the folder that they lie in, linked beside it;
 * `files` are written over the programs.
 */
export async function makeProject(name, { tools = {}, files = {} } = {}) {
  const folder = await makeFolder(name);
  await writeFile(path.join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  await install(folder, name);
  for (const [tool, from] of Object.entries(tools)) {
    const link = path.join(folder, "node_modules", tool);
    await mkdir(path.dirname(link), { recursive: true });
    await symlink(path.join(from, "node_modules", tool), link, "dir");
  }
  for (const [file, content] of Object.entries(files)) await writeFile(path.join(folder, file), content);
  return folder;
}

/** Runs a program of a project; what it says last, as data. */
export async function outcomeOf(folder, command, { limitSeconds = 300, env = process.env } = {}) {
  const [program, ...args] = command;
  const { code, stdout, stderr, timedOut } = await capture(program, args, { cwd: folder, limitSeconds, env });
  if (timedOut) return { failed: "did not end in time" };
  const line = stdout.trim().split("\n").at(-1) ?? "";
  if (code === 0 && line.startsWith("{")) return JSON.parse(line);
  return { failed: `exit ${code}: ${(stderr.trim() || line).slice(-1500)}` };
}

/** Builds something in a project; a build that fails is said with its own words. */
export async function build(folder, command, env = process.env) {
  const [program, ...args] = command;
  const { code, stdout, stderr } = await capture(program, args, { cwd: folder, env, limitSeconds: 600 });
  if (code !== 0) throw new StepFailure(`exit ${code}: ${`${stdout}\n${stderr}`.trim().slice(-1500)}`);
}
