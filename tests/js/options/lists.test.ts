// Options that are lists: biases by token, allowed tokens, and what is no such list.
import { expect, test } from "vitest";
import { seeded, thrown, untyped } from "../nucleus";

const logits = Float32Array.of(1, 2, 3, 4);
const banned = Number.NEGATIVE_INFINITY;

const biases: [string, unknown][] = [
  ["an object", { 1: 5, 3: banned }],
  ["an object without a prototype", Object.assign(Object.create(null), { 1: 5, 3: banned })],
  [
    "a Map",
    new Map([
      [3, banned],
      [1, 5],
    ]),
  ],
  [
    "pairs",
    [
      [1, 5],
      [3, banned],
    ],
  ],
  [
    "a Set of pairs",
    new Set([
      [1, 5],
      [3, banned],
    ]),
  ],
  ["pairs that are typed arrays", [Float64Array.of(1, 5), Float64Array.of(3, banned)]],
  [
    "a generator of pairs",
    new Map([
      [1, 5],
      [3, banned],
    ]).entries(),
  ],
];

test.each(biases)("new WasmSampler({ logitBias }) accepts %s", (_, logitBias) => {
  const sampler = seeded(untyped({ logitBias }));
  const { tokenIds, logits: biased } = sampler.distribution(logits);
  expect([...tokenIds]).toEqual([1, 2, 0]);
  expect([...biased]).toEqual([7, 3, 1]);
  const pairs = [...(sampler.options.logitBias ?? [])].sort(([a], [b]) => a - b);
  expect(pairs).toEqual([
    [1, 5],
    [3, banned],
  ]);
});

test.each([
  ["an empty object", {}],
  ["an empty Map", new Map()],
  ["no pairs", []],
])("new WasmSampler({ logitBias }) is off for %s", (_, logitBias) => {
  const sampler = seeded(untyped({ logitBias }));
  expect([...sampler.distribution(logits).tokenIds]).toEqual([3, 2, 1, 0]);
  expect(sampler.report(logits).stages.find(({ name }) => name === "logit_bias")?.active).toBe(false);
});

test("new WasmSampler({ logitBias }) leaves out a token whose bias is undefined", () => {
  expect(seeded(untyped({ logitBias: { 0: undefined, 1: 5 } })).options.logitBias).toEqual([[1, 5]]);
});

const notBiases: [string, string, unknown][] = [
  ["out_of_range", "NaN", { 1: Number.NaN }],
  ["out_of_range", "+Infinity", new Map([[1, Number.POSITIVE_INFINITY]])],
  ["out_of_range", "a token id of -1", { "-1": 1 }],
  ["out_of_range", "a token id that is a fraction", [[1.5, 1]]],
  ["out_of_range", "a key that is a fraction", { "1.5": 1 }],
  ["out_of_range", "a key that is a word", { one: 1 }],
  ["out_of_range", "an empty key", { "": 1 }],
  ["out_of_range", "a token id of 2^32", { 4294967296: 1 }],
  [
    "out_of_range",
    "a token twice",
    [
      [1, 1],
      [1, 2],
    ],
  ],
  ["out_of_range", "a token twice in two spellings", { 1: 1, "01": 2 }],
  ["wrong_type", "a bias that is null", { 1: null }],
  ["wrong_type", "a bias that is a word", { 1: "2" }],
  ["wrong_type", "a bias that is the word -Infinity, which only states use", [[1, "-Infinity"]]],
  ["wrong_type", "a bias that is the word -Infinity in an object", { 1: "-Infinity" }],
  ["wrong_type", "a token id that is a word", [["1", 2]]],
  ["wrong_type", "a bias that is a bigint", [[1, 2n]]],
  ["wrong_type", "a token id that is a bigint", [[1n, 2]]],
  ["wrong_type", "a pair of one", [[1]]],
  ["wrong_type", "a pair of three", [[1, 2, 3]]],
  ["wrong_type", "numbers in place of pairs", [1, 2]],
  ["wrong_type", "null", null],
  ["wrong_type", "a number", 1],
  ["wrong_type", "a string", "1:2"],
  // biome-ignore lint/suspicious/noSparseArray: the hole is what is tested
  ["wrong_type", "a list with a hole", [[1, 2], , [3, 4]]],
];

test.each(notBiases)("new WasmSampler({ logitBias }) is %s for %s", (code, _, logitBias) => {
  expect(thrown(() => seeded(untyped({ logitBias })))).toMatchObject({ code, option: "logitBias" });
});

const allowed: [string, Iterable<number>][] = [
  ["a list", [2, 0]],
  ["a Uint32Array", Uint32Array.of(2, 0)],
  ["a Uint8Array", Uint8Array.of(2, 0)],
  ["a Set", new Set([2, 0])],
  ["a list with repetitions", [2, 0, 2, 2]],
  [
    "the keys of a Map",
    new Map([
      [2, "c"],
      [0, "a"],
    ]).keys(),
  ],
];

test.each(allowed)("new WasmSampler({ allowedTokens }) accepts %s", (_, allowedTokens) => {
  expect([...seeded({ allowedTokens }).distribution(logits).tokenIds]).toEqual([2, 0]);
});

const notAllowed: [string, string, unknown][] = [
  ["empty", "an empty list", []],
  ["empty", "an empty Uint32Array", new Uint32Array(0)],
  ["empty", "an empty Set", new Set()],
  ["out_of_range", "-1", [-1]],
  ["out_of_range", "a fraction", [0.5]],
  ["out_of_range", "2^32", [4294967296]],
  ["out_of_range", "NaN", [Number.NaN]],
  ["wrong_type", "a word", ["1"]],
  ["wrong_type", "a bigint", [1n]],
  ["wrong_type", "bigints", BigUint64Array.of(1n)],
  ["wrong_type", "null inside", [1, null]],
  ["wrong_type", "undefined inside", [1, undefined]],
  // biome-ignore lint/suspicious/noSparseArray: the hole is what is tested
  ["wrong_type", "a list with a hole", [1, , 2]],
  ["wrong_type", "a list inside", [[1]]],
  ["wrong_type", "null", null],
  ["wrong_type", "a number", 1],
  ["wrong_type", "a string", "12"],
  ["wrong_type", "an object", { 0: 1 }],
];

test.each(notAllowed)("new WasmSampler({ allowedTokens }) is %s for %s", (code, _, allowedTokens) => {
  expect(thrown(() => seeded(untyped({ allowedTokens })))).toMatchObject({ code, option: "allowedTokens" });
});

test("sampler.sample(logits) is bad_token for a bias or an allowed token outside the row", () => {
  for (const [option, options] of [
    ["logitBias", { logitBias: { 1: 1, 4: 1 } }],
    ["logitBias", { logitBias: { 4: banned } }],
    ["allowedTokens", { allowedTokens: [4, 1] }],
  ] as const) {
    const sampler = seeded(options);
    expect(thrown(() => sampler.sample(logits))).toMatchObject({
      code: "bad_token",
      option,
      index: 4,
      accepted: "token ids below 4",
    });
    expect(sampler.sample(Float32Array.of(1, 2, 3, 4, 5))).toBeLessThan(5);
  }
});
