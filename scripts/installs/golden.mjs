// The part of the golden file that every install is asked for: rows that are made by a rule, and small.
import { readFile } from "node:fs/promises";
import { inRoot } from "../paths.mjs";

const largestRow = 4096;
const everyCase = 8;

/** As a module, which every engine and bundler can import. */
export async function goldenModule() {
  const { rows, chains, cases, batches } = JSON.parse(
    await readFile(inRoot("tests/golden/same.json"), "utf8"),
  );
  const isSmall = (row) => rows[row].synthetic !== undefined && rows[row].n <= largestRow;
  const small = {
    // Rows keep their places, which cases name; nothing is made of those that are not asked for.
    rows: rows.map((row, i) => (isSmall(i) ? row : { name: row.name })),
    chains,
    cases: cases.filter(([row]) => isSmall(row)).filter((_, i) => i % everyCase === 0),
    batches: batches.filter((batch) => batch.rows.every(isSmall)),
  };
  return `export default ${JSON.stringify(small)};\n`;
}
