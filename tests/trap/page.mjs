// Runs in a page that is served beside the package whose modules break.
import init, { WasmSampler } from "/web.js";
import { SamplerWorker } from "/worker.js";

globalThis.answer = async ({ given, fused, options }) => {
  await init();
  const sampler = new WasmSampler(options);
  const logits = Float32Array.from(given);
  const [codes, tokens] = [[], []];
  for (let n = 0; n < 12; n += 1) {
    try {
      sampler.sample(Float32Array.from(fused[n % fused.length]));
    } catch (error) {
      codes.push(error.code);
    }
    tokens.push(sampler.sample(logits));
  }
  while (tokens.length < 40) tokens.push(sampler.sample(logits));
  const there = await new SamplerWorker().sampler(options);
  const threadCode = await there.sample(Float32Array.from(fused[0])).catch((error) => error.code);
  return { codes, tokens, threadCode, threadTokens: [...(await there.sampleMany(logits, 40))] };
};
