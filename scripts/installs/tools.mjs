// The bundlers and checkers that only the long run needs: in an ignored folder with a lock file of its own.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { inRoot } from "../paths.mjs";
import { must, step } from "../steps.mjs";

/** Where they lie, and whose lock file says which versions. */
export const toolHome = inRoot("tests/package");

const read = async (file) => JSON.parse(await readFile(path.join(toolHome, file), "utf8")).packages;

async function areHere() {
  const copy = "node_modules/.package-lock.json";
  if (!existsSync(path.join(toolHome, copy))) return false;
  const [wanted, installed] = [await read("package-lock.json"), await read(copy)];
  return Object.entries(wanted)
    .filter(([folder, { optional }]) => folder !== "" && !optional)
    .every(([folder, { version }]) => installed[folder]?.version === version);
}

let brought;

/** The step that brings them, once for all. */
export function ensureTools() {
  brought ??= step({
    title: "bundlers",
    why: "installing what tests/package/package-lock.json names: what the package is installed beside",
    done: async () => (await areHere()) && "as their lock file names them",
    run: () =>
      must(
        "npm",
        ["ci", "--no-audit", "--no-fund"],
        { cwd: toolHome, limitSeconds: 900 },
        "npm could not install the bundlers: check that the npm registry can be reached, then run this again",
      ).then(() => undefined),
  });
  return brought;
}

/** The version of an installed tool. */
export async function versionOf(tool, home = toolHome) {
  return JSON.parse(await readFile(path.join(home, "node_modules", tool, "package.json"), "utf8")).version;
}

/** The address that a server prints when it is there. */
export function addressOf(server) {
  return new Promise((resolve, reject) => {
    let said = "";
    const see = (text) => {
      said += stripVTControlCharacters(text);
      const found = said.match(/http:\/\/[\d.]+:\d+/);
      if (found) resolve(`${found[0]}/`);
    };
    server.stdout.setEncoding("utf8").on("data", see);
    server.stderr.setEncoding("utf8").on("data", see);
    server.on("exit", () => reject(new Error(`the server ended: ${said.slice(-800)}`)));
  });
}
