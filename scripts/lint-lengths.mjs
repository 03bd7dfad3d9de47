// Lengths: a file holds one concept, a function one thought. Lines are counted as they stand, comments included;
// tests do not count.
import { isMain } from "./paths.mjs";
import * as rust from "./rust-source.mjs";
import { functions as scriptFunctions } from "./script-source.mjs";
import { conclude, readSources } from "./sources.mjs";
import { runMain } from "./steps.mjs";

const fileLimit = 250;
const functionLimit = 40;
const longFunctionLimit = 60;
const listed = 5;

/** Functions that may reach sixty lines, as `file: name`, each with the reason: parsers and forward passes only. */
const longFunctions = {};

/** What is counted in a Rust file: its lines without test items, and its functions. */
export function measureRust(text) {
  const code = rust.withoutProse(text);
  const testLines = rust
    .testItems(code)
    .spans.reduce((sum, [start, end]) => sum + code.slice(start, end).split("\n").length, 0);
  return {
    lines: text.trimEnd().split("\n").length - testLines,
    functions: rust.functions(rust.productCode(text)),
  };
}

const measureScript = (file, text) => ({
  lines: text.trimEnd().split("\n").length,
  functions: scriptFunctions(file, text),
});

/** Findings, and the functions that the table above names without need. */
export function lengthFindings(measured, allowed = longFunctions) {
  const findings = [];
  const needed = new Set();
  for (const { file, lines, functions } of measured) {
    if (lines > fileLimit)
      findings.push({ file, line: 1, sentence: `${lines} lines, and a file may have ${fileLimit}` });
    for (const { name, line, lines: length } of functions) {
      if (length <= functionLimit) continue;
      const key = `${file}: ${name}`;
      needed.add(key);
      const limit = Object.hasOwn(allowed, key) ? longFunctionLimit : functionLimit;
      if (length > limit)
        findings.push({ file, line, sentence: `${name} has ${length} lines, and may have ${limit}` });
    }
  }
  for (const key of Object.keys(allowed))
    if (!needed.has(key))
      findings.push({
        file: "scripts/lint-lengths.mjs",
        line: 1,
        sentence: `"${key}" needs no allowance any more`,
      });
  return findings;
}

function report(measured) {
  const longest = (items) => items.sort((a, b) => b.lines - a.lines).slice(0, listed);
  console.log("longest files");
  for (const { file, lines } of longest([...measured]))
    console.log(`  ${String(lines).padStart(4)}  ${file}`);
  console.log("longest functions");
  const all = measured.flatMap(({ file, functions }) => functions.map((item) => ({ ...item, file })));
  for (const { file, name, line, lines } of longest(all))
    console.log(`  ${String(lines).padStart(4)}  ${file}:${line} ${name}`);
  return all.length;
}

/** What is measured: the crate and its trainer, and the scripts beside them. */
export const rustFiles = /^(?:trainer\/)?src\/.*\.rs$/;
export const scriptFiles = /^(js|www|scripts|benches)\/(?!tests\/).*\.(m?js|tsx?)$/;

if (isMain(import.meta.url))
  await runMain(async () => {
    const crates = await readSources(rustFiles);
    const tests = rust.testFiles(crates);
    const scripts = await readSources(scriptFiles);
    const measured = [
      ...crates
        .filter(({ file }) => !tests.has(file))
        .map(({ file, text }) => ({ file, ...measureRust(text) })),
      ...scripts.map(({ file, text }) => ({ file, ...measureScript(file, text) })),
    ];
    const functionCount = report(measured);
    return conclude(
      "lengths",
      lengthFindings(measured),
      `${measured.length} files, ${functionCount} functions`,
    );
  });
