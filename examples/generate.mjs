// Text from a model, token by token, with how many tokens each was drawn from:
//   node examples/generate.mjs model.gguf "Once upon a time"
import { openAsBlob } from "node:fs";
import process from "node:process";
import initSampler, { WasmSampler } from "nucleus-sampler";
import initModel, { Model } from "nucleus-sampler/model";

const [file, prompt = "Once upon a time"] = process.argv.slice(2);
await Promise.all([initSampler(), initModel()]);
const model = await Model.stream(await openAsBlob(file));
const { tokenizer } = model;
const ids = tokenizer.encode(prompt);
const session = model.session();
const sampler = new WasmSampler({ temperature: 0.8, topK: 40, topP: 0.95, seed: 42 });
const text = new TextDecoder();
process.stdout.write(prompt);
for (let logits = session.prefill(ids), n = 0; n < 64; n++) {
  const { token, keptCount } = sampler.sampleDetailed(logits);
  if (tokenizer.ends.includes(token)) break;
  process.stdout.write(`${text.decode(tokenizer.bytes(token), { stream: true })}\u001b[2m${keptCount}\u001b[0m`);
  logits = session.step(token);
}
process.stdout.write("\n");
