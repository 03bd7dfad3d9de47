// The two builds of the module, with SIMD and without: how one is chosen, and that both say the same.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import binaryen from "binaryen";
import { expect, test } from "vitest";
import { inFreshThread, type Scenario } from "./fresh-thread";
import { seeded } from "./nucleus";

const expected = [...seeded().sampleMany([0, 1, 2, 3], 16)];

/** How the package is started, and in what engine; `source` undefined is `init()`. */
interface Start {
  name: string;
  engineHasSimd: boolean;
  source: { simd: boolean | undefined } | "the scalar bytes" | undefined;
  /** The build that then runs. */
  simd: boolean;
}

const starts: Start[] = [
  { name: "init() where SIMD is", engineHasSimd: true, source: undefined, simd: true },
  { name: "init() where no SIMD is", engineHasSimd: false, source: undefined, simd: false },
  { name: "init({ simd: undefined })", engineHasSimd: false, source: { simd: undefined }, simd: false },
  { name: "init({ simd: false })", engineHasSimd: true, source: { simd: false }, simd: false },
  { name: "init({ simd: true })", engineHasSimd: false, source: { simd: true }, simd: true },
  { name: "init(bytes)", engineHasSimd: true, source: "the scalar bytes", simd: false },
];

test.each(starts)("$name starts the build where simd() is $simd, and draws the same", async (start) => {
  const found = await inFreshThread(async ({ given, nucleus, scalarBytes, draw }) => {
    if (!given.engineHasSimd) WebAssembly.validate = () => false;
    await nucleus.default(given.source === "the scalar bytes" ? scalarBytes : given.source);
    return { simd: nucleus.simd(), drawn: draw() };
  }, start);
  expect(found).toEqual({ simd: start.simd, drawn: expected });
});

test("init() asks an engine without SIMD about SIMD: with a module that this engine, which has it, accepts", async () => {
  const asked = await inFreshThread(async ({ nucleus }) => {
    const answers: [number[], boolean][] = [];
    const validate = WebAssembly.validate;
    WebAssembly.validate = (bytes) => {
      answers.push([[...new Uint8Array((bytes as Uint8Array).slice().buffer)], validate(bytes)]);
      return false;
    };
    await nucleus.default();
    return answers;
  });
  const bytes = Uint8Array.from(asked[0]?.[0] ?? []);
  expect(asked).toEqual([[[...bytes], true]]);
  expect(needsSimd(bytes)).toBe(true);
});

test("simd() before init is not_initialized", async () => {
  expect(await inFreshThread(({ nucleus, outcome }) => outcome(nucleus.simd))).toBe("not_initialized");
});

/** Whether anything in a module is or takes a vector, which is what an engine without SIMD does not know. */
function needsSimd(bytes: Uint8Array): boolean {
  const module = binaryen.readBinary(bytes);
  const text = module.emitText();
  module.dispose();
  return /\bv128\b/.test(text);
}

test.each([
  ["nucleus_sampler_bg.wasm", true],
  ["nucleus_sampler_scalar_bg.wasm", false],
])("the module %s needs an engine with SIMD: %s", (name, needs) => {
  const file = fileURLToPath(import.meta.resolve(`nucleus-sampler/${name}`));
  expect(needsSimd(readFileSync(file))).toBe(needs);
});

/** Draws, kept sets and numbers of many chains over a row without order, in a thread that runs one of the builds. */
const answers: Scenario<object[], { simd: boolean }> = async ({ given, nucleus }) => {
  await nucleus.default(given);
  const row = Float32Array.from({ length: 5003 }, (_, id) => Math.fround(Math.sin(id * 12.9898) * 9));
  const temperatures = [0.3, 0.7, 1, 1.9];
  const truncations = [{}, { topK: 40 }, { topP: 0.95 }, { minP: 0.05 }, { topK: 300, topP: 0.8 }];
  const chains = temperatures.flatMap((temperature) =>
    truncations.map((truncation) => ({ temperature, ...truncation, repetitionPenalty: 1.1, seed: 42 })),
  );
  return chains.map((options) => {
    const sampler = new nucleus.WasmSampler(options);
    sampler.prompt([1, 5, 1000]);
    const drawn = sampler.sampleMany(row, 100);
    const { tokenIds, probs, cumulative, keptMass, entropy } = sampler.distribution(row);
    const { stages } = sampler.report(row);
    const numbers = { tokenIds, probs, cumulative, keptMass, entropy, stages };
    return { simd: nucleus.simd(), drawn, token: sampler.sample(row), ...numbers };
  });
};

test("both builds draw the same tokens, keep the same sets and report the same numbers", async () => {
  const withSimd = await inFreshThread(answers, { simd: true });
  const without = await inFreshThread(answers, { simd: false });
  expect(withSimd).toHaveLength(20);
  expect(without).toEqual(withSimd.map((answer) => ({ ...answer, simd: false })));
});
