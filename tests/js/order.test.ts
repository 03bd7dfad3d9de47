// Which stages run, and in what order.
import { expect, test } from "vitest";
import { kept, ln, type SamplerOptions, seeded, thrown, untyped } from "./nucleus";

const halves = ln(0.5, 0.3, 0.15, 0.05);

const stageNames = (options: SamplerOptions) =>
  seeded(options)
    .report(halves)
    .stages.map(({ name }) => name);

test("new WasmSampler() runs the default order, inactive stages included", () => {
  expect(stageNames({})).toEqual([
    "guidance",
    "logit_bias",
    "allowed_tokens",
    "bad_words",
    "min_new_tokens",
    "repetition_penalty",
    "frequency_penalty",
    "presence_penalty",
    "no_repeat_ngram",
    "dry",
    "temperature",
    "smoothing",
    "top_h",
    "top_k",
    "top_p",
    "min_p",
    "typical_p",
    "top_n_sigma",
    "top_a",
    "tail_free",
    "p_less",
    "epsilon_cutoff",
    "eta_cutoff",
    "xtc",
  ]);
});

test("new WasmSampler({ order }) runs these stages in this order", () => {
  expect(stageNames({ order: ["min_p", "top_p", "temperature"] })).toEqual(["min_p", "top_p", "temperature"]);
  expect(stageNames({ order: ["top_k", "draw"] })).toEqual(["top_k"]);
  expect(stageNames({ order: [] })).toEqual([]);
});

test("new WasmSampler({ order }) reads back what was given", () => {
  const order = ["top_p", "temperature", "draw"] as const;
  expect(seeded({ order }).options.order).toEqual(order);
  expect(seeded({ order: [] }).options.order).toEqual([]);
  expect(seeded().options.order).toBeUndefined();
});

test("new WasmSampler({ order }) makes a difference: top-p before and after temperature", () => {
  const options = { temperature: 4, topP: 0.45 };
  expect(kept({ ...options, order: ["top_p", "temperature"] }, halves)).toEqual([0]);
  expect(kept({ ...options, order: ["temperature", "top_p"] }, halves)).toEqual([0, 1]);
});

test("new WasmSampler({ order }) may list temperature twice, and it then acts twice", () => {
  const options: SamplerOptions = { temperature: 0.5, order: ["temperature", "top_k", "temperature"] };
  expect([...seeded(options).distribution(Float32Array.of(1, 2)).logits]).toEqual([8, 4]);
});

test("new WasmSampler({ order }) that ends in greedy takes the best token and reads no word", () => {
  const sampler = seeded({ order: ["top_k", "greedy"] });
  const logits = Float32Array.of(1, 3, 3);
  expect(sampler.sampleDetailed(logits)).toMatchObject({ token: 1, keptCount: 1, target: null });
  expect([...sampler.distribution(logits).tokenIds]).toEqual([1]);
});

test("new WasmSampler({ preset: 'textbook' }) is the classic exercise", () => {
  expect(stageNames({ preset: "textbook" })).toEqual(["temperature", "top_k", "top_p", "repetition_penalty"]);
  expect(seeded({ preset: "textbook" }).options).toMatchObject({
    preset: "textbook",
    order: ["temperature", "top_k", "top_p", "repetition_penalty", "draw"],
  });
});

test("new WasmSampler({ preset, order }) lets the given order win", () => {
  expect(stageNames({ preset: "textbook", order: ["top_k"] })).toEqual(["top_k"]);
});

test("sampler.update({ preset }) re-bases and keeps what was ever given", () => {
  const sampler = seeded({ topK: 2 });
  sampler.update({ preset: "textbook" });
  expect(sampler.options).toMatchObject({ preset: "textbook", topK: 2 });
  expect(sampler.report(halves).stages.map(({ name }) => name)).toContain("repetition_penalty");
  sampler.update({ preset: "nucleus" });
  expect(sampler.options).toEqual(seeded({ topK: 2 }).options);
});

const badOrders: [string, string, SamplerOptions][] = [
  ["an active stage that is not listed", "top_p", { topP: 0.9, order: ["top_k"] }],
  ["an active stage that an empty order leaves out", "top_k", { topK: 1, order: [] }],
  ["an active stage that the preset does not have", "min_p", { minP: 0.1, preset: "textbook" }],
  ["temperature 0 that is not listed", "temperature", { temperature: 0, order: ["top_k"] }],
  ["a bias that is not listed", "logit_bias", { logitBias: { 1: 1 }, order: ["top_k"] }],
  ["allowed tokens that are not listed", "allowed_tokens", { allowedTokens: [1], order: ["top_k"] }],
  ["a stage twice", "top_k", { order: ["top_k", "top_p", "top_k"] }],
  ["draw before the end", "draw", { order: ["draw", "top_k"] }],
  ["greedy before the end", "greedy", { order: ["greedy", "top_k"] }],
  ["two terminal stages", "greedy", { order: ["greedy", "draw"] }],
];

test.each(badOrders)("new WasmSampler({ order }) is bad_order for %s", (_, stage, options) => {
  const error = thrown(() => seeded(options));
  expect(error).toMatchObject({ code: "bad_order", option: "order", stage });
  expect(error.message).toContain(stage);
});

const noOrders: [string, string, unknown][] = [
  ["out_of_range", "a stage that does not exist", ["top_q"]],
  ["out_of_range", "a stage in camelCase", ["topP"]],
  ["out_of_range", "the mask, which is no option", ["mask"]],
  ["wrong_type", "a number inside", [1]],
  ["wrong_type", "null inside", ["top_k", null]],
  ["wrong_type", "null", null],
  ["wrong_type", "a string", "top_k"],
  ["wrong_type", "an object", { 0: "top_k" }],
];

test.each(noOrders)("new WasmSampler({ order }) is %s for %s", (code, _, order) => {
  const error = thrown(() => seeded(untyped({ order })));
  expect(error).toMatchObject({ code, option: "order" });
  expect(error.accepted).toContain("top_p");
});

const noPresets: [string, unknown][] = [
  ["out_of_range", "llama"],
  ["out_of_range", ""],
  ["wrong_type", null],
  ["wrong_type", 1],
  ["wrong_type", ["textbook"]],
];

test.each(noPresets)("new WasmSampler({ preset }) is %s for %o", (code, preset) => {
  const error = thrown(() => seeded(untyped({ preset })));
  expect(error).toMatchObject({ code, option: "preset", accepted: "one of nucleus, textbook" });
});

test("sampler.update(options) that makes any row's order impossible changes no row", () => {
  const sampler = seeded();
  const row = sampler.addRow({ order: ["top_k"] });
  const before = sampler.state();
  expect(thrown(() => sampler.update({ topP: 0.5 }))).toMatchObject({ code: "bad_order", stage: "top_p" });
  expect(sampler.state()).toEqual(before);
  expect(sampler.distribution(halves).keptCount).toBe(4);
  expect(sampler.distribution(halves, { row }).keptCount).toBe(4);
});
