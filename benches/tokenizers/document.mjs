// docs/tokenizers.md: parts that scripts write, each between two marks.
import { readFile, writeFile } from "node:fs/promises";
import os from "node:os";
import { inRoot } from "../../scripts/paths.mjs";

const file = inRoot("docs/tokenizers.md");

/** Puts a table, with date and machine above it, between the marks of a name. */
export async function replacePart(name, table) {
  const text = await readFile(file, "utf8");
  const [begin, end] = [`<!-- ${name} -->\n`, `\n<!-- end of ${name} -->`];
  const [start, stop] = [text.indexOf(begin) + begin.length, text.indexOf(end)];
  if (start < begin.length || stop < start) throw new Error(`docs/tokenizers.md has no part "${name}".`);
  const date = new Date().toISOString().slice(0, 10);
  const head = `Written on ${date}: ${os.type()} on ${os.arch()}, ${os.cpus()[0].model}.\n\n`;
  await writeFile(file, `${text.slice(0, start)}${head}${table}${text.slice(stop)}`);
}
