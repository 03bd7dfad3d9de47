// A failed call changes nothing: not the state, not the options, not the errors of the latest batch, not the next draw.
import { expect, test } from "vitest";
import { maskOf, scattered, seeded, thrown, untyped, type WasmSampler } from "../nucleus";

const logits = scattered(40);
const dead = Number.NEGATIVE_INFINITY;
const broken = logits.map((logit, id) => (id === 7 ? Number.NaN : logit));
const nothing = new Float32Array(40).fill(dead);

/** A sampler in the middle of something: three rows, one of them removed, and a failed row in the latest batch. */
function busy(): WasmSampler {
  const sampler = seeded({ topP: 0.95, presencePenalty: 0.5, logitBias: { 3: 1, 39: -3e38 } });
  sampler.addRow({ topK: 20, seed: 5 });
  sampler.removeRow(sampler.addRow());
  sampler.prompt([1, 2, 3]);
  sampler.accept(sampler.sample(logits));
  sampler.sampleBatch(Float32Array.from([...logits, ...nothing]), 2);
  return sampler;
}

type Call = (sampler: WasmSampler) => unknown;

const failures: [string, string, Call][] = [
  ["unknown_option", "update", (sampler) => sampler.update(untyped({ topK: 1, topQ: 1 }))],
  ["unknown_option", "addRow", (sampler) => sampler.addRow(untyped({ topK: 1, topQ: 1 }))],
  ["wrong_type", "update", (sampler) => sampler.update(untyped({ topK: 1, topP: "1" }))],
  ["wrong_type", "update of a row", (sampler) => sampler.update(untyped({ topK: 1, minP: null }), 1)],
  ["wrong_type", "sample", (sampler) => sampler.sample(untyped(Float64Array.of(1)))],
  ["wrong_type", "accept", (sampler) => sampler.accept(untyped("1"))],
  ["wrong_type", "prompt", (sampler) => sampler.prompt(untyped([1, 2, "3"]))],
  ["out_of_range", "update", (sampler) => sampler.update({ topK: 1, seed: 9, topP: 1.5 })],
  ["out_of_range", "update of the seed", (sampler) => sampler.update({ topK: 1, seed: -1 })],
  ["out_of_range", "addRow", (sampler) => sampler.addRow({ topK: 1, minKeep: 0 })],
  ["out_of_range", "removeRow", (sampler) => sampler.removeRow(0)],
  ["out_of_range", "accept", (sampler) => sampler.accept(2 ** 32)],
  ["out_of_range", "prompt", (sampler) => sampler.prompt([1, 2, -3])],
  ["out_of_range", "sampleBatch", (sampler) => sampler.sampleBatch(logits, [0, 1, 0, 1])],
  ["out_of_range", "logitsBuffer", (sampler) => sampler.logitsBuffer(0)],
  ["not_finite", "sample", (sampler) => sampler.sample(broken)],
  ["not_finite", "sampleDetailed", (sampler) => sampler.sampleDetailed(broken)],
  ["not_finite", "sampleMany", (sampler) => sampler.sampleMany(broken, 5)],
  ["not_finite", "distribution", (sampler) => sampler.distribution(broken)],
  ["not_finite", "report", (sampler) => sampler.report(broken, { tokens: true })],
  ["not_finite", "explain", (sampler) => sampler.explain(broken, 7)],
  ["not_finite", "logprobs", (sampler) => sampler.logprobs(broken, 7)],
  ["not_finite", "sample, by a stage", (sampler) => sampler.sample(logits.map(() => -3e38))],
  ["empty", "sample", (sampler) => sampler.sample([])],
  ["empty", "sampleBatch", (sampler) => sampler.sampleBatch(logits, 0)],
  ["empty", "update", (sampler) => sampler.update({ topK: 1, allowedTokens: [] })],
  ["wrong_length", "sample", (sampler) => sampler.sample(logits, { mask: new Uint32Array(1) })],
  ["wrong_length", "sampleBatch", (sampler) => sampler.sampleBatch(logits, 7)],
  ["wrong_length", "sampleBatch with masks", (sampler) => sampler.sampleBatch(logits, 4, { masks: [] })],
  ["bad_token", "explain", (sampler) => sampler.explain(logits, 40)],
  ["bad_token", "logprobs", (sampler) => sampler.logprobs(logits, 1, { token: 40 })],
  ["bad_token", "sample of a row too short", (sampler) => sampler.sample(logits.slice(0, 2))],
  ["nothing_left", "sample", (sampler) => sampler.sample(nothing)],
  [
    "nothing_left",
    "sampleMany with a mask",
    (sampler) => sampler.sampleMany(logits, 3, { mask: maskOf(40, []) }),
  ],
  ["bad_order", "update", (sampler) => sampler.update({ order: ["top_k"] })],
  ["bad_order", "addRow", (sampler) => sampler.addRow({ order: ["draw", "top_p"] })],
  ["bad_order", "update that only row 1 cannot follow", (sampler) => sampler.update(badForRowOne)],
  ["row_unknown", "sample", (sampler) => sampler.sample(logits, { row: 2 })],
  ["row_unknown", "sampleBatch", (sampler) => sampler.sampleBatch(logits, 4)],
  ["row_unknown", "accept", (sampler) => sampler.accept(1, 9)],
  ["row_unknown", "prompt", (sampler) => sampler.prompt([1], 9)],
  ["row_unknown", "update", (sampler) => sampler.update({ topK: 1 }, 9)],
  ["row_unknown", "removeRow", (sampler) => sampler.removeRow(2)],
  ["too_large", "sampleMany", (sampler) => sampler.sampleMany(logits, 2 ** 28)],
  ["too_large", "sample", (sampler) => sampler.sample(new Float32Array(2 ** 19 + 1))],
  ["stale_buffer", "sample", (sampler) => sampler.sample(seeded().logitsBuffer(40))],
];

/** Row 1 has top-k, which this order leaves out. */
const badForRowOne = { order: ["logit_bias", "presence_penalty", "top_p"] } as const;

const everything = (sampler: WasmSampler) => ({
  state: sampler.state(),
  options: sampler.options,
  errors: sampler.rowErrors(),
  view: [...sampler.logitsBuffer(3)],
});

test.each(failures)("%s: sampler.%s that fails changes nothing", (code, _, fail) => {
  const [sampler, undisturbed] = [busy(), busy()];
  for (const each of [sampler, undisturbed]) each.logitsBuffer(3).set([1, 2, 3]);
  const before = everything(sampler);
  expect(thrown(() => fail(sampler)).code).toBe(code);
  expect(everything(sampler)).toEqual(before);
  expect(thrown(() => fail(sampler)).code).toBe(code);
  for (const row of [0, 1]) {
    const next = [sampler, undisturbed].map((each) => [...each.sampleMany(logits, 5, { row })]);
    expect(next[0]).toEqual(next[1]);
  }
  expect([sampler.addRow(), everything(sampler)]).toEqual([undisturbed.addRow(), everything(undisturbed)]);
});

test("state() that is too_large changes nothing", () => {
  const state = busy().state();
  const rows = untyped<{ position: number }[]>(state.rows);
  for (const row of rows) row.position = Number.MAX_SAFE_INTEGER;
  const resume = () => (seeded().constructor as typeof WasmSampler).fromState(state);
  const [sampler, undisturbed] = [resume(), resume()];
  for (const each of [sampler, undisturbed]) each.sample(logits);
  expect(thrown(() => sampler.state()).code).toBe("too_large");
  expect([...sampler.sampleMany(logits, 9)]).toEqual([...undisturbed.sampleMany(logits, 9)]);
});
