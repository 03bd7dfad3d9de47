// What an error about an option says: its name, what it accepts, and what was given, as JavaScript would write it.
import { goodnessOfFit } from "nucleus-sampler";
import { expect, test } from "vitest";
import { maskOf, type SamplerOptions, seeded, thrown, untyped } from "../nucleus";

const logits = Float32Array.of(0, 1, 2, 3);
const message = (options: object) => thrown(() => seeded(untyped(options))).message;

const kinds: [string, unknown][] = [
  ["a function", () => 1],
  ["a symbol", Symbol("one")],
  ["a bigint", 1n],
  ["a string", "much"],
  ["a boolean", true],
  ["null", null],
  ["an object", { a: 1 }],
];

const accepted: [keyof SamplerOptions, string][] = [
  ["temperature", "a finite number at least 0"],
  ["topK", "an integer from 0 to 4294967295"],
  ["topP", "a number in [0, 1]"],
  ["typicalP", "a number in [0, 1]"],
  ["topNSigma", "a finite number at least 0"],
  ["repetitionPenalty", "a finite number above 0"],
  ["frequencyPenalty", "a finite number"],
  ["penaltyLastN", "an integer from 0 to 4294967295"],
  ["allowedTokens", "a list of token ids with at least one"],
  ["badWords", "a list of lists of token ids, each with at least one"],
  ["eosTokenIds", "a list of token ids"],
  ["noRepeatNgramSize", "an integer from 0 to 4294967295"],
  ["minKeep", "an integer from 1 to 4294967295"],
  ["stream", "an integer from 0 to 4294967295"],
];

test.each(accepted)(
  "new WasmSampler({ %s }) says that it must be %s, and what was given",
  (option, accepts) => {
    for (const [kind, value] of kinds) {
      const error = thrown(() => seeded(untyped({ [option]: value })));
      expect(error).toMatchObject({ code: "wrong_type", option, accepted: accepts });
      expect(error.message).toBe(`${option} must be ${accepts}, not ${kind}`);
    }
  },
);

test.each(kinds.slice(0, 3))(
  "new WasmSampler(options) names %s inside lists and pairs too",
  (kind, value) => {
    for (const options of [
      { allowedTokens: [1, value] },
      { logitBias: { 1: value } },
      { logitBias: [[value, 1]] },
      { order: ["top_k", value] },
    ]) {
      const [option = ""] = Object.keys(options);
      const error = thrown(() => seeded(untyped(options)));
      expect(error).toMatchObject({ code: "wrong_type", option });
      expect(error.message).toContain(`${option} must be `);
      expect(error.message).toMatch(new RegExp(`, not ${kind}$`));
    }
  },
);

test("new WasmSampler({ unknown }) is unknown_option for a function, a symbol or a bigint", () => {
  for (const [, value] of kinds)
    expect(thrown(() => seeded(untyped({ topQ: value })))).toMatchObject({
      code: "unknown_option",
      option: "topQ",
    });
});

test.each([
  ["topP", 1e300, "1e+300"],
  ["topP", -1e300, "-1e+300"],
  ["topP", Number.MAX_VALUE, "1.7976931348623157e+308"],
  ["topP", 1e21, "1e+21"],
  ["topP", 123456789012345680000, "123456789012345680000"],
  ["topP", 1.5, "1.5"],
  ["topP", -5e-324, "-5e-324"],
  ["topP", -1e-7, "-1e-7"],
  ["topP", -0.000001, "-0.000001"],
  ["topP", Number.NaN, "NaN"],
  ["topP", Number.NEGATIVE_INFINITY, "-Infinity"],
  ["temperature", -1e300, "-1e+300"],
  ["topK", 1e300, "1e+300"],
  ["topK", 2 ** 32, "4294967296"],
  ["repetitionPenalty", -0, "0"],
  ["seed", 1e300, "1e+300"],
  ["seed", 2 ** 53, "9007199254740992"],
] as const)("new WasmSampler({ %s: %d }) writes the number as %s", (option, value, text) => {
  expect(String(value)).toBe(text);
  expect(message({ [option]: value })).toMatch(new RegExp(`, not ${text.replace("+", "\\+")}$`));
});

test("new WasmSampler(options) writes infinities as JavaScript does, whatever the option", () => {
  for (const option of "temperature topK topP minP repetitionPenalty frequencyPenalty presencePenalty".split(
    " ",
  ))
    for (const value of [Infinity, -Infinity])
      expect(message({ [option]: value })).toMatch(new RegExp(`, not ${value}$`));
  for (const option of ["penaltyLastN", "minKeep", "seed", "stream"])
    expect(message({ [option]: Infinity })).toMatch(/, not Infinity$/);
});

test("new WasmSampler({ logitBias }) writes the number, and whose it is", () => {
  expect(message({ logitBias: { 7: Number.POSITIVE_INFINITY } })).toMatch(/, not Infinity for token 7$/);
  expect(message({ logitBias: [[1e300, 1]] })).toMatch(/, not 1e\+300$/);
});

test("goodnessOfFit(counts, probs) writes the number", () => {
  const error = thrown(() => goodnessOfFit(Uint32Array.of(1), Float64Array.of(1e300)));
  expect(error.message).toBe("probs must be numbers in [0, 1], not 1e+300");
});

test.each([
  ["the bigint -1", -1n, "-1"],
  ["the bigint 2^64", 2n ** 64n, "18446744073709551616"],
  ["the bigint -2^70", -(2n ** 70n), "-1180591620717411303424"],
  ["a bigint of a thousand digits", 10n ** 999n, "a bigint of 1000 digits"],
  ["the string -1", "-1", '"-1"'],
  ["the number -1", -1, "-1"],
] as const)("new WasmSampler({ seed }) shows %s as it was given", (_, seed, text) => {
  const error = thrown(() => seeded(untyped({ seed })));
  expect(error).toMatchObject({ code: "out_of_range", option: "seed" });
  expect(error.message).toMatch(new RegExp(`, not ${text}$`));
});

test("sampler.sample(logits) writes the logit that is not finite", () => {
  const said = (logit: number) => thrown(() => seeded().sample(Float32Array.of(0, logit))).message;
  expect(said(Number.POSITIVE_INFINITY)).toBe(
    "the logit at index 1 is Infinity: logits must be finite or -Infinity",
  );
  expect(said(Number.NaN)).toContain("is NaN:");
});

test("sampler.explain(logits, token) and logprobs say what the token must be", () => {
  const said = "token must be a token id below 4, not 7";
  expect(thrown(() => seeded().explain(logits, 7)).message).toBe(said);
  expect(thrown(() => seeded().logprobs(logits, 1, { token: 7 })).message).toBe(said);
});

test("sampler.sample(logits) says which option or history holds a token that the row does not have", () => {
  const said = "holds token 7, but the row has token ids below 4";
  const history = seeded({ presencePenalty: 1 });
  history.accept(7);
  expect(thrown(() => history.sample(logits)).message).toBe(`the history ${said}`);
  for (const option of ["allowedTokens", "logitBias"]) {
    const value = option === "logitBias" ? { 7: 1 } : [7];
    expect(thrown(() => seeded({ [option]: value }).sample(logits)).message).toBe(`${option} ${said}`);
  }
});

test("sampler.sample(logits) says what stands in the place of logits", () => {
  const said = (value: unknown) => thrown(() => seeded().sample(untyped(value))).message;
  expect(said({})).toMatch(/, not an object$/);
  expect(said(Object.create(null))).toMatch(/, not an object$/);
  expect(said(new Int32Array(4))).toMatch(/, not an Int32Array$/);
  expect(said(new Map())).toMatch(/, not a Map$/);
  expect(said({ constructor: { name: {} } })).toMatch(/, not an object$/);
});

test("sampler.sample(logits, { mask }) says what stands in the place of a mask", () => {
  const said = (mask: unknown) => thrown(() => seeded().sample(logits, { mask: untyped(mask) })).message;
  expect(said({})).toMatch(/, not an object$/);
  expect(said([...maskOf(4, [1])])).toMatch(/, not an array$/);
});

test("new WasmSampler(options) and sampler.sample(logits, last) cut names of a million letters short", () => {
  const name = "x".repeat(1_000_000);
  // A list of all options is the longest there is.
  for (const call of [
    () => seeded(untyped({ [name]: 1 })),
    () => seeded({ logitBias: { [name]: 1 } as never }),
    () => seeded().sample(logits, untyped({ [name]: 1 })),
  ])
    expect(thrown(call).message.length).toBeLessThan(1200);
});
