// Which files the checks look at: what git tracks or would track, so that a new file is seen before it is added.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { inRoot } from "./paths.mjs";
import { capture } from "./processes.mjs";
import { StepFailure } from "./steps.mjs";

/** Paths relative to the checkout, sorted. */
export async function projectFiles() {
  const { code, stdout } = await capture("git", [
    "ls-files",
    "-z",
    "--cached",
    "--others",
    "--exclude-standard",
  ]);
  if (code !== 0)
    throw new StepFailure(
      "git cannot list this folder's files: run the checks in a clone of the repository.",
    );
  return [...new Set(stdout.split("\0"))].filter((file) => file && existsSync(inRoot(file))).sort();
}

/** `[{ file, text }]` for the project's files that the pattern matches. */
export async function readSources(pattern) {
  const files = (await projectFiles()).filter((file) => pattern.test(file));
  return Promise.all(files.map(async (file) => ({ file, text: await readFile(inRoot(file), "utf8") })));
}

/** Prints findings as `file:line: sentence` and the check's own summary; returns the exit code. */
export function conclude(check, findings, summary) {
  for (const { file, line, sentence } of findings) console.log(`${file}:${line}: ${sentence}`);
  console.log(
    `${check}: ${summary}, ${findings.length === 0 ? "nothing found" : `${findings.length} found`}`,
  );
  return findings.length === 0 ? 0 : 1;
}
