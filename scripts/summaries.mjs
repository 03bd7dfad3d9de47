// What each test runner says of itself at its end, and how many tests that is.
import { stripVTControlCharacters } from "node:util";

const linesOf = (output) => stripVTControlCharacters(output).split(/\r?\n/);
const matching = (output, pattern) => linesOf(output).filter((line) => pattern.test(line));
const add = (lines, pattern) => lines.reduce((sum, line) => sum + Number(line.match(pattern)?.[1] ?? 0), 0);

const counted = (lines, passed, failed, skipped) => ({
  lines,
  passed: add(lines, passed),
  failed: add(lines, failed),
  skipped: add(lines, skipped),
});

/** Readers of output: each gives `{ lines }`, and for runners of tests `{ passed, failed, skipped }` too. */
export const readers = {
  /** cargo test, and wasm-pack's runner, which speaks the same way. */
  cargo: (output) =>
    counted(matching(output, /^test result: /), / (\d+) passed/, / (\d+) failed/, / (\d+) ignored/),
  vitest: (output) => {
    const lines = matching(output, /^\s*(Test Files|Tests) {2}/);
    const tests = lines.filter((line) => /^\s*Tests/.test(line));
    return { ...counted(tests, / (\d+) passed/, / (\d+) failed/, / (\d+) (?:skipped|todo)/), lines };
  },
  /** Node's own runner. */
  node: (output) => {
    const lines = matching(output, /^(ℹ|#) (tests|pass|fail|skipped) \d+$/);
    return counted(lines, / pass (\d+)/, / fail (\d+)/, / skipped (\d+)/);
  },
  /** A check that is no test runner: its last line, if it wrote any. */
  check: (output) => {
    const lines = linesOf(output).filter((line) => line.trim() !== "");
    return { lines: lines.length > 0 ? lines.slice(-1) : ["nothing to report"] };
  },
};
