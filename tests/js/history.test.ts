// Accepted tokens, prompt and output apart, and the penalties that look at them.
import { expect, test } from "vitest";
import { type Ids, type SamplerOptions, seeded, thrown, untyped, type WasmSampler } from "./nucleus";

const logits = Float32Array.of(4, -4, 2, 0);

/** The logits that a chain leaves, by token id, after a history: shape (4). */
function after(options: SamplerOptions, prompt: number[], output: number[]): number[] {
  const sampler = seeded(options);
  sampler.prompt(prompt);
  for (const token of output) sampler.accept(token);
  return left(sampler);
}

function left(sampler: WasmSampler, row = 0): number[] {
  const found = sampler.distribution(logits, { row });
  const byId = [...found.tokenIds].map((id, rank) => [id, found.logits[rank]] as const);
  return byId.sort(([a], [b]) => a - b).map(([, logit]) => logit ?? Number.NaN);
}

const penalties: [SamplerOptions, number[], number[], number[]][] = [
  [{}, [0, 1], [2, 3], [4, -4, 2, 0]],
  [{ repetitionPenalty: 2 }, [], [], [4, -4, 2, 0]],
  [{ repetitionPenalty: 2 }, [0, 1], [3], [2, -8, 2, 0]],
  [{ repetitionPenalty: 2 }, [0, 0, 0], [0], [2, -4, 2, 0]],
  [{ repetitionPenalty: 0.5 }, [0], [1], [8, -2, 2, 0]],
  [{ frequencyPenalty: 0.5 }, [0, 0, 0], [], [4, -4, 2, 0]],
  [{ frequencyPenalty: 0.5 }, [0], [0, 1, 1], [3.5, -5, 2, 0]],
  [{ frequencyPenalty: -0.5 }, [], [2, 2], [4, -4, 3, 0]],
  [{ presencePenalty: 0.5 }, [0, 0, 0], [], [4, -4, 2, 0]],
  [{ presencePenalty: 0.5 }, [0], [0, 1, 1], [3.5, -4.5, 2, 0]],
  [{ presencePenalty: 0.5, frequencyPenalty: 0.25 }, [], [1, 1], [4, -5, 2, 0]],
  [{ repetitionPenalty: 2, penaltyLastN: 0 }, [0], [1], [4, -4, 2, 0]],
  [{ repetitionPenalty: 2, penaltyLastN: 1 }, [0], [2], [4, -4, 1, 0]],
  [{ repetitionPenalty: 2, penaltyLastN: 2 }, [0], [2], [2, -4, 1, 0]],
  [{ frequencyPenalty: 1, penaltyLastN: 2 }, [], [0, 2, 2], [4, -4, 0, 0]],
  [{ frequencyPenalty: 1, penaltyLastN: 3 }, [0], [2, 2], [4, -4, 0, 0]],
];

test.each(penalties)(
  "sampler.distribution(logits) under %o after prompt %o and output %o has logits %o",
  (...of) => {
    const [options, prompt, output, expected] = of;
    expect(after(options, prompt, output)).toEqual(expected);
  },
);

test("sampler.accept(token) is not done by sample, sampleDetailed or sampleMany", () => {
  const sampler = seeded({ presencePenalty: 1 });
  sampler.sample(logits);
  sampler.sampleDetailed(logits);
  sampler.sampleMany(logits, 3);
  sampler.sampleBatch(logits, 1);
  expect(sampler.state().rows).toMatchObject([{ prompt: [], output: [], position: 6 }]);
});

test("sampler.accept(token, row) and prompt(tokens, row) are about that row", () => {
  const sampler = seeded({ repetitionPenalty: 2 });
  const row = sampler.addRow();
  sampler.prompt([0], row);
  sampler.accept(2, row);
  expect(left(sampler, row)).toEqual([2, -4, 1, 0]);
  expect(left(sampler)).toEqual([4, -4, 2, 0]);
});

const prompts: [string, Ids][] = [
  ["a list", [0, 1]],
  ["a Uint32Array", Uint32Array.of(0, 1)],
  ["part of a Uint32Array", Uint32Array.of(9, 0, 1, 9).subarray(1, 3)],
  ["a Uint16Array", Uint16Array.of(0, 1)],
  ["a Float64Array of integers", Float64Array.of(0, 1)],
  ["a Set", new Set([0, 1])],
  ["a generator's values", [0, 1].values()],
  ["what has only a length and elements", { length: 2, 0: 0, 1: 1 }],
];

test.each(prompts)("sampler.prompt(tokens) accepts %s", (_, tokens) => {
  const sampler = seeded();
  sampler.prompt(tokens);
  expect(sampler.state().rows).toMatchObject([{ prompt: [0, 1], output: [] }]);
});

test("sampler.prompt(tokens) adds to what is there, and nothing adds nothing", () => {
  const sampler = seeded();
  sampler.prompt([1, 2]);
  sampler.accept(3);
  sampler.prompt([4]);
  sampler.prompt([]);
  expect(sampler.state().rows).toMatchObject([{ prompt: [1, 2, 4], output: [3] }]);
});

const badPrompts: [string, string, unknown][] = [
  ["wrong_type", "a number", 1],
  ["wrong_type", "null", null],
  ["wrong_type", "undefined", undefined],
  ["wrong_type", "a string", "12"],
  ["wrong_type", "an object", { 0: 1 }],
  ["wrong_type", "a length without elements", { length: 2 }],
  ["wrong_type", "a length of 2^53 with one element", { length: 2 ** 53, 0: 1 }],
  ["wrong_type", "a BigInt64Array", BigInt64Array.of(1n)],
  ["wrong_type", "an empty BigInt64Array", new BigInt64Array()],
  ["wrong_type", "a BigUint64Array", new BigUint64Array(2)],
  ["bad_token", "the mark of a failed row", [1, 0xffffffff]],
  ["bad_token", "2^19, which no vocabulary has", Uint32Array.of(2 ** 19)],
  ["wrong_type", "a word inside", ["1"]],
  ["wrong_type", "a bigint inside", [1n]],
  ["wrong_type", "undefined inside", [1, undefined]],
  ["out_of_range", "a fraction", [0.5]],
  ["out_of_range", "-1", [1, -1]],
  ["out_of_range", "2^32", [2 ** 32]],
];

test.each(badPrompts)("sampler.prompt(tokens) is %s for %s and records none", (code, _, tokens) => {
  const sampler = seeded();
  expect(thrown(() => sampler.prompt(untyped(tokens)))).toMatchObject({ code, option: "tokens" });
  expect(sampler.state()).toEqual(seeded().state());
});

const badTokens: [string, unknown][] = [
  ["out_of_range", -1],
  ["out_of_range", 0.5],
  ["out_of_range", 2 ** 32],
  ["out_of_range", Number.NaN],
  ["wrong_type", "1"],
  ["wrong_type", null],
  ["wrong_type", undefined],
  ["wrong_type", 1n],
  ["wrong_type", [1]],
  ["bad_token", 0xffffffff],
  ["bad_token", 2 ** 19],
];

test.each(badTokens)("sampler.accept(token) is %s for %o and records nothing", (code, token) => {
  const sampler = seeded();
  expect(thrown(() => sampler.accept(untyped(token)))).toMatchObject({ code, option: "token" });
  expect(sampler.state()).toEqual(seeded().state());
});

test("sampler.sample(logits) is bad_token while the history names a token outside the row", () => {
  const sampler = seeded();
  sampler.prompt([1, 2 ** 19 - 1]);
  sampler.accept(9);
  const error = thrown(() => sampler.sample(logits));
  expect(error).toMatchObject({ code: "bad_token", option: "history", index: 524_287 });
  expect(error.message).toContain("524287");
  sampler.reset();
  expect(sampler.sample(logits)).toBeLessThan(4);
});

test("sampler.accept(token) says that no vocabulary has the mark of a failed row, and the row can be sampled on", () => {
  const sampler = seeded();
  const tokens = sampler.sampleBatch(Float32Array.of(0, 1, Number.NaN, 1), 2);
  expect(tokens[1]).toBe(0xffffffff);
  for (const record of [
    () => sampler.accept(tokens[1] ?? 0, 1),
    () => sampler.prompt(tokens.subarray(1), 1),
  ]) {
    const error = thrown(record);
    expect(error).toMatchObject({ code: "bad_token", index: 0xffffffff, accepted: "token ids below 524288" });
    expect(error.message).toBe(
      "no vocabulary has token 4294967295: token ids are below 524288, and this one marks a failed row of a batch",
    );
  }
  expect(sampler.sample(logits, { row: 1 })).toBeLessThan(4);
});

test("sampler.prompt(tokens) says what to do with 64-bit ids", () => {
  const said = thrown(() => seeded().prompt(untyped(BigInt64Array.of(1n)))).message;
  expect(said).toMatch(
    /^tokens must be a Uint32Array or .* \(Uint32Array\.from\(ids, Number\).*, not a BigInt64Array$/,
  );
});

test("sampler.distribution(logits) counts in the window as it is after update({ penaltyLastN })", () => {
  const sampler = seeded({ repetitionPenalty: 2 });
  sampler.prompt([0]);
  sampler.accept(2);
  sampler.update({ penaltyLastN: 1 });
  expect(left(sampler)).toEqual([4, -4, 1, 0]);
  sampler.update({ penaltyLastN: 2 });
  expect(left(sampler)).toEqual([2, -4, 1, 0]);
});

test("sampler.distribution(logits) writes the temperature into logits before a penalty that follows it", () => {
  const order = ["temperature", "presence_penalty"] as const;
  expect(after({ temperature: 0.5, presencePenalty: 1, order }, [], [0])).toEqual([7, -8, 4, 0]);
  const turned = ["presence_penalty", "temperature"] as const;
  expect(after({ temperature: 0.5, presencePenalty: 1, order: turned }, [], [0])).toEqual([6, -8, 4, 0]);
});

test("sampler.sample(logits) is not_finite where a stage takes a logit out of the range of floats", () => {
  const most = Float32Array.of(0, 3e38);
  const cases: [SamplerOptions, string][] = [
    [{ logitBias: { 1: 3e38 } }, "logit_bias"],
    [{ frequencyPenalty: -3e38 }, "frequency_penalty"],
    [{ presencePenalty: -3e38 }, "presence_penalty"],
    [{ repetitionPenalty: 0.5 }, "repetition_penalty"],
  ];
  for (const [options, stage] of cases) {
    const sampler = seeded(options);
    sampler.accept(1);
    expect(thrown(() => sampler.sample(most))).toMatchObject({ code: "not_finite", stage, index: 1 });
  }
});
