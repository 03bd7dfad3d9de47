// The same tokens everywhere: asks every engine for all of tests/golden/same.json.
//
//   node scripts/test-engines.mjs [engine ...] [--write]
//
// Without names every engine runs that is installed or can be fetched, and what is missing is named; an engine that
// is named must be there. `--write` writes the table, dated, to docs/engines.md.
import { writeFile } from "node:fs/promises";
import os from "node:os";
import { browserEngines } from "./engines/browsers.mjs";
import { javascriptEngines } from "./engines/javascript.mjs";
import { nativeEngines } from "./engines/native.mjs";
import { pythonEngines } from "./engines/python.mjs";
import { ensurePackages } from "./packages.mjs";
import { inRoot, isMain } from "./paths.mjs";
import { runMain, StepFailure, say } from "./steps.mjs";

export const engines = { ...nativeEngines, ...javascriptEngines, ...browserEngines, ...pythonEngines };

const result = ({ missing, problem }) => (missing ? `missing: ${missing}` : (problem ?? "the same"));

/** The outcomes as a Markdown table. */
export function table(rows) {
  const cells = rows.map((row) => [row.name, row.version, row.draws.toLocaleString("en"), result(row)]);
  const lines = [["engine", "version", "draws compared", "result"], ["---", "---", "---:", "---"], ...cells];
  return lines.map((line) => `| ${line.join(" | ")} |`).join("\n");
}

/** The exit code: a missing engine is no failure unless it was named. */
export function verdict(rows, named) {
  const bad = rows.filter(({ problem, missing }) => problem || (missing && named.length > 0));
  const same = rows.filter(({ problem, missing }) => !problem && !missing);
  say(
    `engines: ${same.length} draw the same, ${bad.length} failed, ${rows.length - same.length - bad.length} missing`,
  );
  return bad.length > 0 ? 1 : 0;
}

const document = (rows) => `# The same in every engine

Every row of this table drew the tokens of \`tests/golden/same.json\`: chains of all stages, orders and temperatures over
recorded and synthetic rows, many seeds, streams, positions and batch shapes. Tokens, kept sets, probabilities, kept
masses and entropies were compared bit for bit; each way of drawing (\`sampleMany\`, \`sample\`, \`sampleDetailed\`,
\`sampleBatch\`) is counted. *simd* and *scalar* are the module compiled with and without \`simd128\`. The
native build without optimisation is asked for one in eight of the cases over large rows.

Written by \`npm run test:engines -- --write\` on ${new Date().toISOString().slice(0, 10)}: ${os.type()} on ${os.arch()}, ${os.cpus()[0].model}.

${table(rows)}

"The reference in NumPy" is \`tests/golden/reference.py\`, which shares no code with the crate: it confirms the file itself
(entropies to twelve digits, everything else to the bit).
`;

async function main(args) {
  const named = args.filter((arg) => !arg.startsWith("--"));
  const unknown = named.find((name) => !Object.hasOwn(engines, name));
  if (unknown)
    throw new StepFailure(`There is no engine "${unknown}": use ${Object.keys(engines).join(", ")}.`);
  await ensurePackages();
  const rows = [];
  for (const name of named.length > 0 ? named : Object.keys(engines)) rows.push(...(await engines[name]()));
  say(`\n${table(rows)}`);
  for (const { name, first = [] } of rows) for (const text of first) say(`${name}: ${text.slice(0, 1000)}`);
  if (args.includes("--write")) await writeFile(inRoot("docs/engines.md"), document(rows));
  return verdict(rows, named);
}

if (isMain(import.meta.url)) await runMain(main);
