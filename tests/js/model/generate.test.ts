// The example that generates text, run as a reader would, against the package's own answers one by one.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import initSampler, { WasmSampler } from "nucleus-sampler";
import initModel, { Model } from "nucleus-sampler/model";
import { beforeAll, expect, test } from "vitest";

const example = fileURLToPath(new URL("../../../examples/generate.mjs", import.meta.url));
const tiny = fileURLToPath(new URL("../../../models/tiny.gguf", import.meta.url));
const run = (...args: string[]) => execFileSync(process.execPath, [example, ...args], { encoding: "utf8" });

beforeAll(async () => {
  await Promise.all([initSampler(), initModel()]);
});

/** What the example has to write: each token drawn among those that the distribution keeps. */
function expected(prompt: string): string {
  const model = Model.load(readFileSync(tiny));
  const { tokenizer } = model;
  const sampler = new WasmSampler({ temperature: 0.8, topK: 40, topP: 0.95, seed: 42 });
  const ids = [...tokenizer.encode(prompt)];
  const text = new TextDecoder();
  const pieces: string[] = [];
  while (pieces.length < 64) {
    // Without a cache, from the beginning every time.
    const session = model.session();
    const logits = session.prefill(ids);
    session.free();
    const { keptCount } = sampler.distribution(logits);
    const token = sampler.sample(logits);
    if (tokenizer.ends.includes(token)) break;
    ids.push(token);
    pieces.push(`${text.decode(tokenizer.bytes(token), { stream: true })}[${keptCount}]`);
  }
  model.free();
  return `${prompt}${pieces.join("")}\n`;
}

test("examples/generate.mjs writes the tiny model's tokens, each with its kept count", () => {
  const written = run();
  expect(written).toBe(expected("Once upon a time"));
  expect(written.match(/\[\d+\]/g)?.length).toBeGreaterThan(20);
});

test("examples/generate.mjs takes a prompt, and a file before it", () => {
  const prompt = "The king and the fox";
  expect(run(prompt)).toBe(expected(prompt));
  expect(run(tiny, prompt)).toBe(expected(prompt));
});
