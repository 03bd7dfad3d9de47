// Text from a model, each token followed by the number of tokens that it was drawn from. Without a file, the tiny model's:
//   node examples/generate.mjs [model.gguf] "Once upon a time"
import { openAsBlob } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import initSampler, { WasmSampler } from "nucleus-sampler";
import initModel, { Model } from "nucleus-sampler/model";

const args = process.argv.slice(2);
const tiny = fileURLToPath(import.meta.resolve("nucleus-sampler/tiny.gguf"));
const file = args[0]?.endsWith(".gguf") ? args.shift() : tiny;
const [prompt = "Once upon a time"] = args;
await Promise.all([initSampler(), initModel()]);
const model = await Model.stream(await openAsBlob(file));
const { tokenizer } = model;
const ids = tokenizer.encode(prompt);
const session = model.session();
const sampler = new WasmSampler({ temperature: 0.8, topK: 40, topP: 0.95, seed: 42 });
sampler.prompt(ids);
const text = new TextDecoder(); // a character may be spread over several tokens
process.stdout.write(prompt);
for (let logits = session.prefill(ids), n = 0; n < 64; n++) {
  const { token, keptCount } = sampler.sampleDetailed(logits);
  if (tokenizer.ends.includes(token)) break;
  process.stdout.write(`${text.decode(tokenizer.bytes(token), { stream: true })}[${keptCount}]`);
  sampler.accept(token);
  logits = session.step(token);
}
process.stdout.write("\n");
