// examples/generate.mjs, run as its first lines say: on the tiny model, or on the file that is named.
//
//   node scripts/test-example.mjs [model.gguf]    needs the built package
import process from "node:process";
import { inRoot, isMain } from "./paths.mjs";
import { capture } from "./processes.mjs";
import { runMain, StepFailure, say } from "./steps.mjs";

const prompt = "Once upon a time";
/** The most tokens that the example writes, and the most that each may be drawn from, which is its top-k. */
const nTokens = 64;
const topK = 40;

/** `{ text, counts }` of what the example wrote: the text, and the numbers behind the tokens. */
export function readOutput(written) {
  const count = /\[(\d+)\]/g;
  return {
    text: written.replaceAll(count, ""),
    counts: [...written.matchAll(count)].map(([, n]) => Number(n)),
  };
}

/** What is wrong with what the example wrote, or undefined. */
export function wrongIn(written) {
  const { text, counts } = readOutput(written);
  if (!text.startsWith(prompt)) return `it does not begin with its prompt: ${text.slice(0, 80)}`;
  if (text.trim().length <= prompt.length) return "it wrote nothing after its prompt";
  if (counts.length === 0 || counts.length > nTokens) return `it wrote ${counts.length} tokens`;
  const odd = counts.find((count) => !(Number.isInteger(count) && count >= 1 && count <= topK));
  if (odd !== undefined) return `a kept count is ${odd}, and may be 1 to ${topK}`;
  return counts.every((count) => count === counts[0]) ? "every kept count is the same" : undefined;
}

/** Runs the example twice: what it writes has to be in order, and the same. */
export async function testExample(file) {
  const args = ["examples/generate.mjs", ...(file ? [file] : []), prompt];
  const written = [];
  for (let i = 0; i < 2; i++) {
    const { code, stdout, stderr } = await capture(process.execPath, args, {
      cwd: inRoot(),
      limitSeconds: 300,
    });
    if (code !== 0) throw new StepFailure(`The example ended with ${code}: ${stderr.trim().slice(-600)}`);
    written.push(stdout);
  }
  say(written[0].trimEnd());
  const wrong = wrongIn(written[0]) ?? (written[0] === written[1] ? undefined : "its seed gave another text");
  if (wrong) throw new StepFailure(`The example is wrong: ${wrong}.`);
  say(`example: ${readOutput(written[0]).counts.length} tokens, twice the same`);
}

if (isMain(import.meta.url)) await runMain(([file]) => testExample(file));
