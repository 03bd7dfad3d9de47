// Memory that ends anywhere in a call: wherever that is, the call fails as a whole and the sampler goes on.
import type { SamplerOptions } from "nucleus-sampler";
import { beforeAll, expect, test, vi } from "vitest";
import { type WasmSampler as AnySampler, lit, scattered, thrown, WasmSampler, Whole } from "./trap";

beforeAll(() => void vi.spyOn(console, "error").mockImplementation(() => {}));

const N = 3000;
const logits = scattered(N);
const options: SamplerOptions = { penaltyLastN: 3, presencePenalty: 0.2, mirostat: { version: 2 }, seed: 9 };
const prompt = Uint32Array.from({ length: 1500 }, (_, i) => (i * 7) % N);

const calls: [string, (sampler: AnySampler) => unknown][] = [
  ["sample(logits, { mask })", (sampler) => sampler.sample(logits, { mask: new Uint32Array(94).fill(-1) })],
  ["sampleDetailed(logits)", (sampler) => sampler.sampleDetailed(logits)],
  ["sampleMany(logits, n)", (sampler) => sampler.sampleMany(logits, 4000)],
  ["sampleBatch(logits, n)", (sampler) => sampler.sampleBatch(logits, 10)],
  ["distribution(logits)", (sampler) => sampler.distribution(logits)],
  ["report(logits)", (sampler) => sampler.report(logits, { tokens: true })],
  ["prompt(tokens)", (sampler) => sampler.prompt(prompt.subarray(0, 700))],
  ["update(options)", (sampler) => sampler.update({ penaltyLastN: 10_000, seed: 3, stream: 7 })],
  ["update(options, row)", (sampler) => sampler.update({ allowedTokens: prompt, stream: 7 }, 1)],
  ["addRow(options)", (sampler) => sampler.addRow({ logitBias: { 1: 2, 5: 3 } })],
  ["clone()", (sampler) => sampler.clone()],
];

/** Takes all memory that is left in pieces of a row and more; what there is smaller stays. */
function fill(views: Float32Array[]): void {
  const filler = new WasmSampler({ seed: 0 });
  for (let size = 2 ** 22; size >= 64; size /= 2) {
    for (let more = 0; more < 200; more += 1) {
      try {
        views.push(filler.logitsBuffer(size + more));
      } catch (error) {
        expect(error).toMatchObject({ code: "too_large" });
        break;
      }
    }
  }
}

/** A sampler in a module in which hardly more than room for `slack` logits is free. */
function cornered(slack: number, views: Float32Array[]): [sampler: AnySampler, twin: AnySampler] {
  const sampler = new WasmSampler(options);
  sampler.addRow();
  sampler.prompt(prompt);
  for (const row of [0, 1]) sampler.accept(sampler.sample(logits, { row }), row);
  sampler.sample(logits);
  // Of the package itself: the same sampler where there is memory enough.
  const twin = Whole.fromState(sampler.state());
  const holder = new WasmSampler({ seed: 0 });
  if (slack > 0) holder.sample(new Float32Array(slack));
  fill(views);
  holder.free();
  return [sampler, twin];
}

test.each(calls)(
  "sampler.%s fails as a whole where memory ends, and does what it does where it does not",
  (_, call) => {
    const codes: string[] = [];
    for (let slack = 0; codes.at(-1) !== "none"; slack = Math.ceil(slack * 1.5) + 20) {
      const views: Float32Array[] = [];
      const [sampler, twin] = cornered(slack, views);
      let code = "none";
      try {
        call(sampler);
      } catch (error) {
        code = (error as { code: string }).code;
      }
      codes.push(code);
      if (code === "none") call(twin);
      // As after every break, so that there is memory again for what follows.
      thrown(() => sampler.sample(lit(logits)));
      expect(sampler.state()).toEqual(twin.state());
      expect(sampler.sampleMany(logits, 5)).toEqual(twin.sampleMany(logits, 5));
      sampler.free();
    }
    expect([...new Set(codes)].sort()).toContain("internal");
  },
);
