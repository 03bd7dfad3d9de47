// Where things lie in the checkout. No script depends on the folder that it was called from.
import { existsSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

/** The checkout's own folder. */
export const root = fileURLToPath(new URL("..", import.meta.url)).replace(/[/\\]$/, "");

/** A path inside the checkout. */
export const inRoot = (...parts) => path.join(root, ...parts);

/** Ignored folder for what set-up installs and remembers: tools, drivers, stamps. NUCLEUS_TOOLS names another. */
export const toolsFolder = path.resolve(root, process.env.NUCLEUS_TOOLS || ".tools");

/** The built npm package, and the built page. */
export const distFolder = inRoot("dist");
export const siteFolder = inRoot("site");

/** Where a package of `benches/` is compiled natively, beside the crate's own `target` (or CARGO_TARGET_DIR). */
export const benchTarget = (name) =>
  path.join(path.resolve(root, process.env.CARGO_TARGET_DIR || "target"), "benches", name);

/** A program installed by npm, to be run with this Node: no shell wrapper needed. */
export const nodeProgram = (...parts) => [process.execPath, inRoot("node_modules", ...parts)];

/** The first of the named programs found in PATH (or a given list of folders), as an absolute path. */
export function findProgram(names, folders = (process.env.PATH ?? "").split(path.delimiter)) {
  for (const name of names) {
    for (const folder of folders) {
      const candidate = path.join(folder, name);
      if (folder && existsSync(candidate)) return candidate;
    }
  }
  return undefined;
}

/** True when the module with this URL is the program that Node was started with. */
export const isMain = (moduleUrl) =>
  process.argv[1] !== undefined && path.resolve(process.argv[1]) === fileURLToPath(moduleUrl);
