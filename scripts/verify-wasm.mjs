// Are the package's modules what its sources compile to? Builds them anew in another folder, from nothing but the
// sources and the toolchain that provenance.json names, and compares byte for byte.
//
//   npm run verify:wasm                     # dist/ of this checkout
//   npm run verify:wasm -- package.tgz      # a packed tarball, or the folder of an installed package
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { buildPackage } from "./build-package.mjs";
import { ensurePackages } from "./packages.mjs";
import { inRoot, isMain, root } from "./paths.mjs";
import { provenanceFile } from "./provenance.mjs";
import { projectFiles } from "./sources.mjs";
import { must, runMain, StepFailure, say, step } from "./steps.mjs";
import { ensureTools } from "./tools.mjs";

const modulesFolder = "dist/wasm";

/** The folder with the modules to be verified. */
async function givenFolder(given, scratch) {
  if (given === undefined) {
    await buildPackage();
    return inRoot(modulesFolder);
  }
  if (!given.endsWith(".tgz")) return path.resolve(given, modulesFolder);
  const sentence = `tar could not unpack ${given}: name a tarball that npm pack wrote`;
  await must("tar", ["-xzf", path.resolve(given), "-C", scratch], { limitSeconds: 60 }, sentence);
  return path.join(scratch, "package", modulesFolder);
}

/** Paths in two values of JSON that differ, as words. */
export function differences(wanted, found, at = "") {
  if (JSON.stringify(wanted) === JSON.stringify(found)) return [];
  const both = [wanted, found];
  if (both.some((value) => typeof value !== "object" || value === null || Array.isArray(value)))
    return [`${at || "it"} is ${JSON.stringify(found)} here and was ${JSON.stringify(wanted)}`];
  const keys = [...new Set(both.flatMap(Object.keys))];
  return keys.flatMap((key) => differences(wanted[key], found[key], at === "" ? key : `${at}, ${key}`));
}

/** The files in which two folders differ: those that only one has among them. */
export async function differingFiles(one, other) {
  const names = [...new Set([...(await readdir(one)), ...(await readdir(other))])].sort();
  const read = (folder, name) => readFile(path.join(folder, name)).catch(() => undefined);
  const differing = [];
  for (const name of names) {
    const [left, right] = [await read(one, name), await read(other, name)];
    if (left === undefined || right === undefined || !left.equals(right)) differing.push(name);
  }
  return { names, differing };
}

/** The sources in a folder of their own, with nothing that was ever built. */
async function copySources(folder) {
  for (const file of await projectFiles()) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await cp(inRoot(file), path.join(folder, file));
  }
  await symlink(inRoot("node_modules"), path.join(folder, "node_modules"), "dir");
}

async function rebuild(folder) {
  const tools = await ensureTools(["wasm-bindgen-cli"]);
  const { CARGO_TARGET_DIR, ...inherited } = process.env;
  const env = {
    ...inherited,
    NUCLEUS_TOOLS: ".tools",
    PATH: [...tools, inherited.PATH].join(path.delimiter),
  };
  await step({
    title: "modules, anew",
    why: `building them in ${folder}, the standard library too where it is built from source: minutes`,
    run: () =>
      must(
        process.execPath,
        ["scripts/build-wasm.mjs"],
        { cwd: folder, env, limitSeconds: 3000 },
        "The modules could not be built anew: read the message above",
      ).then(() => undefined),
  });
  return path.join(folder, modulesFolder);
}

const readProvenance = async (folder) =>
  JSON.parse(await readFile(path.join(folder, provenanceFile), "utf8").catch(() => "null"));

/** Prints what differs, or that nothing does; the exit code. */
async function conclude(given, rebuilt) {
  const [wanted, found] = [await readProvenance(given), await readProvenance(rebuilt)];
  const { names, differing } = await differingFiles(given, rebuilt);
  const wasm = names.filter((name) => name.endsWith(".wasm"));
  for (const name of wasm)
    say(`      ${name}: ${differing.includes(name) ? "DIFFERS" : `the same, ${found.files[name].sha256}`}`);
  for (const line of differences(wanted, found)) say(`      ${line}`);
  say(
    `provenance: ${wasm.length} modules and ${names.length - wasm.length} files beside them, ${differing.length === 0 ? "every byte the same" : `${differing.join(", ")} differ`}`,
  );
  return differing.length === 0 ? 0 : 1;
}

async function main([given]) {
  const scratch = await mkdtemp(path.join(os.tmpdir(), "nucleus-verify-"));
  try {
    await ensurePackages();
    const folder = await givenFolder(given, scratch);
    if ((await readProvenance(folder)) === null)
      throw new StepFailure(`There is no ${provenanceFile} in ${folder}: name a package that has one.`);
    const sources = path.join(scratch, "sources");
    if (sources.startsWith(root)) throw new StepFailure("The other folder lies in the checkout: set TMPDIR.");
    await copySources(sources);
    return await conclude(folder, await rebuild(sources));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

if (isMain(import.meta.url)) await runMain(main);
