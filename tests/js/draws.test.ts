// The draws of an independent reference of the contract, through JavaScript.
import { expect, test } from "vitest";
import { type SamplerOptions, WasmSampler } from "./nucleus";
import { drawCases, row, rowNames } from "./recorded";

const names: Record<string, keyof SamplerOptions> = {
  T: "temperature",
  top_k: "topK",
  top_p: "topP",
  min_p: "minP",
};

function optionsOf(short: Record<string, number>): SamplerOptions {
  const entries = Object.entries(short).map(([name, value]) => {
    const key = names[name];
    if (key === undefined)
      throw new Error(`draws.json has the option ${name}, which this test does not know`);
    return [key, value];
  });
  return Object.fromEntries(entries) as SamplerOptions;
}

const rows = new Map(rowNames.map((name) => [name as string, row(name)]));
const cases = drawCases().map((found) => {
  const logits = rows.get(found.row);
  if (logits === undefined) throw new Error(`draws.json has the row ${found.row}, which is not recorded`);
  return { ...found, logits, samplerOptions: { ...optionsOf(found.options), seed: found.seed } };
});

test("sampler.distribution(logits) keeps as many tokens of each recorded row as the reference", () => {
  const found = cases.map(({ logits, samplerOptions }) => {
    const sampler = new WasmSampler(samplerOptions);
    const { keptCount } = sampler.distribution(logits);
    sampler.free();
    return keptCount;
  });
  expect(found).toEqual(cases.map(({ kept_count }) => kept_count));
});

test("sampler.sample(logits) draws the reference's 4,800 tokens, one after the other", () => {
  const drawn = cases.map(({ logits, samplerOptions, tokens }) => {
    const sampler = new WasmSampler(samplerOptions);
    const found = tokens.map(() => sampler.sample(logits));
    sampler.free();
    return found;
  });
  expect(drawn.flat()).toHaveLength(4800);
  expect(drawn).toEqual(cases.map(({ tokens }) => tokens));
});

test("sampler.sampleMany(logits, n) draws the reference's 4,800 tokens, a case at a time", () => {
  const drawn = cases.map(({ logits, samplerOptions, tokens }) => {
    const sampler = new WasmSampler(samplerOptions);
    const found = sampler.sampleMany(logits, tokens.length);
    sampler.free();
    return [...found];
  });
  expect(drawn).toEqual(cases.map(({ tokens }) => tokens));
});
