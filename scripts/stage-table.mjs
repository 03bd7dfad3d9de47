// docs/stages.md is what the sources say: says where it is not, or writes it anew.
//
//   node scripts/stage-table.mjs [--write]

import { readFile, writeFile } from "node:fs/promises";
import process from "node:process";
import { inRoot, isMain } from "./paths.mjs";
import { conclude } from "./sources.mjs";
import { document } from "./stages/document.mjs";
import { readStages } from "./stages/read.mjs";
import { runMain } from "./steps.mjs";

const page = "docs/stages.md";

/** Findings: stages that lack something, and the first line of the page that is not as it should be. */
export function tableFindings({ stages }, expected, found) {
  const lacks = ({ name, own, oracle, mutation }) => [
    ...(own.length === 0 ? [`${name} has no tests of its own`] : []),
    ...(oracle === null ? [`${name} is not in the oracle`] : []),
    ...(mutation === null ? [`${name} has no moved boundary in docs/mutations.md`] : []),
  ];
  const missing = stages.flatMap(lacks).map((sentence) => ({ file: page, line: 1, sentence }));
  if (found === expected) return missing;
  const [wanted, lines] = [expected.split("\n"), found.split("\n")];
  const at = wanted.findIndex((line, i) => line !== lines[i]);
  const line = (at < 0 ? wanted.length : at) + 1;
  const sentence = "the sources say something else: write it with node scripts/stage-table.mjs --write";
  return [...missing, { file: page, line, sentence }];
}

if (isMain(import.meta.url))
  await runMain(async () => {
    const read = await readStages();
    const expected = document(read);
    if (process.argv.includes("--write")) await writeFile(inRoot(page), expected);
    const findings = tableFindings(read, expected, await readFile(inRoot(page), "utf8"));
    return conclude("stages", findings, `${read.stages.length} stages`);
  });
