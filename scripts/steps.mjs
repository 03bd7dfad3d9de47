// Set-up as steps: each says what it does and why, is skipped when already done, shows progress, and fails
// with one sentence that says what to do.
import process from "node:process";
import { endWithParent } from "./parent.mjs";
import { capture } from "./processes.mjs";

/** A failure that the reader can mend. Its message is one sentence: what is wrong, and what to do. */
export class StepFailure extends Error {
  name = "StepFailure";
}

/** One line for the reader. */
export const say = (line) => process.stdout.write(`${line}\n`);

/** "0.4 s", "2 min 5 s". */
export function duration(milliseconds) {
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/**
 * One step. `done` returns a phrase for what is there already (then nothing runs), or a false value;
 * `run` does the work and may return a phrase for what it found.
 */
export async function step({ title, why, done, run }) {
  const already = await done?.();
  if (already) return say(`  ok  ${title}: ${already}`);
  say(`  ..  ${title}: ${why}`);
  const began = performance.now();
  const outcome = await run();
  say(`  ok  ${title}: ${outcome ?? "done"}, ${duration(performance.now() - began)}`);
}

const quietSeconds = 10;

// A terminal gets one line that rewrites itself; a log gets a line every ten seconds, and none for short work.
function progressLine() {
  const began = performance.now();
  let latest = "working";
  let shownAt = began;
  const draw = () => {
    const elapsed = `      ${Math.round((performance.now() - began) / 1000)} s`;
    const text = `${elapsed}  ${latest}`.slice(0, (process.stdout.columns ?? 100) - 1);
    process.stdout.write(process.stdout.isTTY ? `\r\u001b[K${text}` : `${text}\n`);
    shownAt = performance.now();
  };
  const timer = setInterval(() => {
    if (process.stdout.isTTY || performance.now() - shownAt >= quietSeconds * 1000 - 50) draw();
  }, 500);
  return {
    see(text) {
      const lines = text.split(/[\r\n]+/).filter((line) => line.trim() !== "");
      if (lines.length > 0) latest = lines.at(-1).trim();
    },
    end() {
      clearInterval(timer);
      if (process.stdout.isTTY) process.stdout.write("\r\u001b[K");
    },
  };
}

const tailLines = 30;

/** Prints the end of what a failed program wrote, so that the sentence after it can stay short. */
export function showTail(result) {
  const lines = `${result.stdout}${result.stderr}`.trimEnd().split("\n").slice(-tailLines);
  for (const line of lines) say(`      | ${line}`);
}

/** Runs a program with a progress line; returns what `capture` returns. */
export async function follow(command, args, options = {}) {
  const progress = progressLine();
  try {
    return await capture(command, args, { ...options, onText: (text) => progress.see(text) });
  } finally {
    progress.end();
  }
}

/** As `follow`, but a failure shows the program's last lines and throws `StepFailure(sentence)`. */
export async function must(command, args, options, sentence) {
  const result = await follow(command, args, options);
  if (result.code === 0) return result;
  showTail(result);
  const cause = result.timedOut ? `after ${options.limitSeconds} s without an end` : `exit ${result.code}`;
  throw new StepFailure(`${sentence} (${cause}).`);
}

/** Runs a script's main function: a `StepFailure` is printed as its sentence and ends with exit code 1. */
export async function runMain(main) {
  endWithParent();
  try {
    process.exitCode = (await main(process.argv.slice(2))) ?? 0;
  } catch (error) {
    if (!(error instanceof StepFailure)) throw error;
    process.stderr.write(`\nFailed: ${error.message}\n`);
    process.exitCode = 1;
  }
}
