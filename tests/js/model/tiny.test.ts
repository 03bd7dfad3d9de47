// The model that comes with the package: it loads, gives every text back, and goes on as its golden file says.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { Model } from "./nucleus";

const path = (place: string) => fileURLToPath(new URL(place, import.meta.url));
const bytes = readFileSync(path("../../../models/tiny.gguf"));
const model = Model.load(bytes);
const { tokenizer } = model;

interface Golden {
  cases: { prompt: string; prompt_ids: number[]; greedy_ids: number[]; text: string }[];
}
const golden: Golden = JSON.parse(readFileSync(path("../../golden/tiny.json"), "utf8"));

test("nucleus-sampler/tiny.gguf is the model of the repository, and small", () => {
  const exported = readFileSync(createRequire(import.meta.url).resolve("nucleus-sampler/tiny.gguf"));
  expect(exported.equals(bytes)).toBe(true);
  expect(bytes.length).toBeLessThanOrEqual(2_500_000);
  expect(model.config.architecture).toBe("llama");
});

test("tiny: tokenizer.decode(tokenizer.encode(text)) is the text, whatever it is", () => {
  const texts = [
    "",
    "Once upon a time there was a little girl.",
    "  two  spaces\tand\r\nlines\n\n",
    "naïve café, 狐と葡萄, שועל, 🦊👩‍👩‍👧",
    "\u0000\u0001\ufeff\ufffd",
    "<|endoftext|> is text",
    "1234567890",
    "x".repeat(1000),
  ];
  for (const text of texts) expect(tokenizer.decode(tokenizer.encode(text))).toBe(text);
  const everyByte = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)).join("");
  expect(tokenizer.decode(tokenizer.encode(everyByte))).toBe(everyByte);
  expect(tokenizer.encode("<|endoftext|>").some((id) => tokenizer.ends.includes(id))).toBe(false);
});

test("tiny: every token has bytes of its own, and one of them ends a text", () => {
  const seen = new Set<string>();
  for (let id = 0; id < model.config.vocabSize; id++) seen.add(tokenizer.bytes(id).join());
  expect(seen.size).toBe(model.config.vocabSize);
  expect(tokenizer.ends).toHaveLength(1);
});

test.each(golden.cases)("tiny: the likeliest text after $prompt is the golden one", (expected) => {
  expect([...tokenizer.encode(expected.prompt)]).toEqual(expected.prompt_ids);
  const session = model.session();
  let logits = session.prefill(expected.prompt_ids);
  const ids = expected.greedy_ids.map((id) => {
    const best = logits.indexOf(Math.max(...logits));
    logits = session.step(id);
    return best;
  });
  expect(ids).toEqual(expected.greedy_ids);
  expect(tokenizer.decode(ids)).toBe(expected.text);
});
