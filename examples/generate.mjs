// Text from a model, token by token, each with how many tokens it was drawn from:
//   node examples/generate.mjs [model.gguf] "Once upon a time"
import { openAsBlob } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import initSampler, { WasmSampler } from "nucleus-sampler";
import initModel, { Model } from "nucleus-sampler/model";

const [prompt = "Once upon a time", file] = process.argv.slice(2).reverse();
const tiny = fileURLToPath(import.meta.resolve("nucleus-sampler/tiny.gguf")); // comes with the package
await Promise.all([initSampler(), initModel()]);
const model = await Model.stream(await openAsBlob(file ?? tiny));
const { tokenizer } = model;
const session = model.session();
const sampler = new WasmSampler({ temperature: 0.8, topK: 40, topP: 0.95, seed: 42 });
const text = new TextDecoder(); // a character may be spread over several tokens
process.stdout.write(prompt);
for (let logits = session.prefill(tokenizer.encode(prompt)), n = 0; n < 64; n++) {
  const { token, keptCount } = sampler.sampleDetailed(logits);
  if (tokenizer.ends.includes(token)) break;
  process.stdout.write(`${text.decode(tokenizer.bytes(token), { stream: true })}\u001b[2m${keptCount}\u001b[0m`);
  logits = session.step(token);
}
process.stdout.write("\n");
