// A project of its own that has the checkout as its package, and programs that run there, each in a process of its own.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The checkout. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

/** A folder to which the checkout is linked as `npm install` links it; whoever makes one removes it. */
export function makeProject(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "nucleus-project-"));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(root, join(folder, "node_modules/nucleus-sampler"), "dir");
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}

/** What a program writes, after a prelude that runs before it; a program that fails throws what it said. */
export function run(folder: string, program: string, prelude = ""): string {
  writeFileSync(join(folder, "prelude.mjs"), prelude);
  writeFileSync(join(folder, "program.mjs"), program);
  const args = ["--import", "./prelude.mjs", "program.mjs"];
  return execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8", stdio: "pipe" });
}
