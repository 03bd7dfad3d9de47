// What the documentation tells a newcomer to write runs as it stands there, in a process where nothing ran before.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { makeProject, root, run } from "./fresh-process";

const project = makeProject();
afterAll(project.remove);

const readme = readFileSync(join(root, "README.md"), "utf8");
const examples = [...readme.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => text);

/** What the examples take as there already: a model, and the tokens of a prompt. */
const prelude = `
  globalThis.tokens = [1, 2, 3];
  globalThis.model = {
    forward(tokens, logits) {
      for (let id = 0; id < logits.length; id += 1) logits[id] = Math.sin(id * 12.9898 + tokens.length) * 8;
    },
  };
`;

test("README.md has the examples that are run here", () => {
  expect(examples.map((text) => text.includes("await init()"))).toEqual([true, true, true]);
});

test.each(examples.map((text, i) => [i + 1, text] as const))(
  "README.md's JavaScript example %i runs as it stands",
  (_, text) => {
    const written = run(project.folder, text, prelude);
    expect(written.trim().split("\n").length).toBeGreaterThan(5);
  },
);

/** The usual loop with one view for all calls of a step: it does not grow memory, so the view stays valid. */
const loop = (n: number, options: object) => `
  import init, { WasmSampler } from "nucleus-sampler";
  await init();
  const sampler = new WasmSampler(${JSON.stringify({ seed: 42, ...options })});
  const row = Float32Array.from({ length: ${n} }, (_, id) => Math.sin(id * 12.9898) * 8);
  for (let step = 0; step < 4; step += 1) {
    const logits = sampler.logitsBuffer(${n});
    logits.set(row);
    sampler.distribution(logits);
    sampler.accept(sampler.sample(logits));
    sampler.report(logits, { tokens: true });
    sampler.accept(sampler.sampleDetailed(logits).token);
    sampler.explain(logits, 5);
    sampler.logprobs(logits, 20);
    sampler.sample(logits);
    if (logits !== sampler.logitsBuffer(${n})) throw new Error("the view was replaced");
  }
  console.log("valid");
`;

const chains: [string, object][] = [
  ["no options", {}],
  ["a nucleus", { temperature: 0.8, topK: 40, topP: 0.95 }],
  ["half the vocabulary kept", { temperature: 1.2, topP: 0.8, minP: 0.001 }],
  ["penalties", { temperature: 0.8, topP: 0.95, repetitionPenalty: 1.1, presencePenalty: 0.2 }],
];

test.each(chains)("sampler.logitsBuffer(n) stays valid for a step of every call, with %s", (_, options) => {
  for (const n of [1000, 49_152, 152_064, 524_288])
    expect(run(project.folder, loop(n, options))).toBe("valid\n");
});

test("sampler.logitsBuffer(n) makes memory grow once, by at most 68 bytes a logit", () => {
  const grown = run(
    project.folder,
    `
    import init, { WasmSampler } from "nucleus-sampler";
    await init();
    const sampler = new WasmSampler({ seed: 42 });
    const before = sampler.logitsBuffer(1).buffer.byteLength;
    console.log(sampler.logitsBuffer(262_144).buffer.byteLength - before, sampler.logitsBuffer(2 ** 22).buffer.byteLength);
    `,
  );
  const [once = 0, all = 0] = grown.trim().split(" ").map(Number);
  expect(once / 262_144).toBeLessThan(69);
  // A batch is sampled a row at a time: the room for its calls is that of the largest vocabulary.
  expect(all).toBeLessThan(2 ** 22 * 4 + 80 * 2 ** 19 + 262_144 * 4);
});
