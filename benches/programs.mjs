// Programs that measure in a process of their own: rows go in as files, records come out one JSON object a line.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { capture } from "../scripts/processes.mjs";
import { StepFailure } from "../scripts/steps.mjs";

const limitSeconds = 1800;

/** Writes rows as files with a list of them, and hands the list's path to `use`. */
async function withRows(rows, use) {
  const folder = await mkdtemp(path.join(process.env.TMPDIR ?? os.tmpdir(), "nucleus-rows-"));
  try {
    const lines = rows.map(({ shape, name, n }, i) =>
      [shape, name, n, path.join(folder, `${i}.f32`)].join("\t"),
    );
    for (const [i, { logits }] of rows.entries())
      await writeFile(path.join(folder, `${i}.f32`), new Uint8Array(logits.buffer));
    const list = path.join(folder, "rows.tsv");
    await writeFile(list, `${lines.join("\n")}\n`);
    return await use(list);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The JSON objects that a program printed. */
const parseLines = (text) =>
  text
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));

/**
 * Runs a program on rows; its arguments are the list of rows, the timing, and what is in `more`. Returns its objects; fails
 * with its last line.
 */
export function runProgram(command, before, { rows, timing, check }, more = []) {
  const { rounds, warmMilliseconds, groupMilliseconds } = timing;
  return withRows(rows, async (list) => {
    const numbers = [rounds, warmMilliseconds, groupMilliseconds].map(String);
    const args = [...before, list, ...numbers, ...(check ? [] : ["unchecked"]), ...more];
    const { code, stdout, stderr } = await capture(command, args, { limitSeconds });
    if (code !== 0)
      throw new StepFailure(`${path.basename(command)} failed: ${stderr.trim().split("\n").at(-1)}`);
    return parseLines(stdout);
  });
}

/** Objects of a program, told apart. */
export const sortObjects = (objects) => ({
  records: objects.filter((object) => "milliseconds" in object),
  drawn: objects.filter((object) => "drawn" in object),
  others: objects.filter((object) => !("milliseconds" in object || "drawn" in object)),
});
