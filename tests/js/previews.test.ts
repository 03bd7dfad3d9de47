// Previews consume nothing: neither a word, nor a position, nor anything that a state knows.
import { expect, test } from "vitest";
import { maskOf, type SamplerOptions, scattered, seeded, type WasmSampler } from "./nucleus";

const logits = scattered(300);

const previews: [string, (sampler: WasmSampler) => unknown][] = [
  ["distribution(logits)", (sampler) => sampler.distribution(logits)],
  ["report(logits)", (sampler) => sampler.report(logits)],
  ["report(logits, { tokens: true })", (sampler) => sampler.report(logits, { tokens: true })],
  ["explain(logits, token)", (sampler) => [0, 1, 2, 299].map((token) => sampler.explain(logits, token))],
  ["logprobs(logits, n, { token })", (sampler) => sampler.logprobs(logits, 5, { token: 7 })],
  [
    "distribution(logits, { mask })",
    (sampler) => sampler.distribution(logits, { mask: maskOf(300, [1, 2]) }),
  ],
  ["rowErrors()", (sampler) => sampler.rowErrors()],
  ["options", (sampler) => sampler.options],
  ["state()", (sampler) => sampler.state()],
  ["logitsBuffer(n)", (sampler) => sampler.logitsBuffer(300).length],
];

const optionSets: SamplerOptions[] = [
  {},
  { temperature: 0.8, topK: 40, topP: 0.9, minP: 0.01 },
  { temperature: 0 },
  { mirostat: { version: 2, tau: 2 } },
  { adaptiveP: { target: 0.2 } },
];

test.each(previews)("sampler.%s leaves state and draws as they were", (_, preview) => {
  for (const options of optionSets) {
    const [watched, alone] = [seeded(options), seeded(options)];
    for (let step = 0; step < 20; step += 1) {
      const before = watched.state();
      preview(watched);
      expect(watched.state()).toEqual(before);
      const token = alone.sample(logits);
      expect(watched.sample(logits)).toBe(token);
      watched.accept(token);
      alone.accept(token);
    }
  }
});

test.each(previews)("sampler.%s says the same twice", (_, preview) => {
  const sampler = seeded({ topP: 0.9, presencePenalty: 0.5 });
  sampler.accept(3);
  expect(preview(sampler)).toEqual(preview(sampler));
});
