// What a build was made from, by content: a build is skipped only when its inputs and its outputs are byte for
// byte those of the last successful one. Times of files decide nothing (a fresh clone has none worth trusting).
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { inRoot, root, toolsFolder } from "./paths.mjs";

const stampFile = (name) => path.join(toolsFolder, "stamps", `${name}.json`);

/** Every file under the given paths of the checkout (files or folders), sorted; missing paths add nothing. */
export async function filesUnder(...paths) {
  const found = [];
  for (const relative of paths) {
    const absolute = inRoot(relative);
    if (!existsSync(absolute)) continue;
    if ((await stat(absolute)).isFile()) found.push(relative);
    else
      for (const entry of await readdir(absolute, { withFileTypes: true, recursive: true }))
        if (entry.isFile())
          found.push(path.relative(root, path.join(entry.parentPath ?? entry.path, entry.name)));
  }
  return [...new Set(found)].sort();
}

async function fileHashes(files) {
  const hashes = {};
  for (const file of files)
    hashes[file] = createHash("sha256")
      .update(await readFile(inRoot(file)))
      .digest("hex");
  return hashes;
}

/** One hash for the files under `paths` and for `facts` (versions, flags: anything that JSON can hold). */
export async function inputsHash(paths, facts = {}) {
  const hashes = await fileHashes(await filesUnder(...paths));
  return createHash("sha256").update(JSON.stringify({ hashes, facts })).digest("hex");
}

/** True when the stamp names these inputs and all outputs are still as it left them. */
export async function isFresh(name, inputs) {
  if (!existsSync(stampFile(name))) return false;
  const stamp = JSON.parse(await readFile(stampFile(name), "utf8"));
  const files = Object.keys(stamp.outputs);
  if (stamp.inputs !== inputs || !files.every((file) => existsSync(inRoot(file)))) return false;
  return JSON.stringify(await fileHashes(files)) === JSON.stringify(stamp.outputs);
}

/** Remembers a successful build. */
export async function recordStamp(name, inputs, outputPaths) {
  const outputs = await fileHashes(await filesUnder(...outputPaths));
  await mkdir(path.dirname(stampFile(name)), { recursive: true });
  await writeFile(stampFile(name), `${JSON.stringify({ inputs, outputs }, null, 1)}\n`);
}

/** Forgets a build before it is made again, so that a half-made one is never taken for whole. */
export const forgetStamp = (name) => rm(stampFile(name), { force: true });
