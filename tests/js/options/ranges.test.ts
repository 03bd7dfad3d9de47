// Every option that is a number: what is accepted and what is not, one step to either side of each limit.
import { expect, test } from "vitest";
import { type SamplerOptions, seeded, thrown, untyped, type WasmSampler } from "../nucleus";

const least = Number.MIN_VALUE;
const most = Number.MAX_VALUE;
const justBelowOne = 1 - 2 ** -53;
const justAboveOne = 1 + 2 ** -52;
const notFinite = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
const u32 = 2 ** 32 - 1;
const notIntegers = [0.5, 1 + 2 ** -52, u32 + 0.5, ...notFinite];

interface Range {
  /** With a dot where it is inside a group. */
  option: string;
  accepted: number[];
  rejected: number[];
}

const unit = {
  accepted: [0, -0, least, justBelowOne, 1],
  rejected: [-least, justAboveOne, ...notFinite],
};
const atLeast = (low: number, below: number) => ({
  accepted: [low, low + 1, most],
  rejected: [below, -1, ...notFinite],
});
const count = { accepted: [0, 1, u32], rejected: [-1, u32 + 1, ...notIntegers] };
const finite = { accepted: [-most, -1, 0, most], rejected: notFinite };

const ranges: Range[] = [
  { option: "guidance.scale", ...finite },
  { option: "noRepeatNgramSize", ...count },
  { option: "minNewTokens", ...count },
  { option: "dry.multiplier", ...atLeast(0, -least) },
  { option: "dry.base", ...atLeast(1, justBelowOne) },
  { option: "dry.allowedLength", ...count },
  { option: "dry.lastN", accepted: [0, 1, u32 - 1], rejected: [-1, u32 + 1, ...notIntegers] },
  { option: "xtc.probability", ...unit },
  {
    option: "xtc.threshold",
    accepted: [least, 0.1, 0.5],
    rejected: [0, -0, -least, 0.5 + 2 ** -53, 1, ...notFinite],
  },
  ...["topH", "typicalP", "topA", "tailFree", "epsilonCutoff", "etaCutoff"].map((option) => ({
    option,
    ...unit,
  })),
  { option: "topNSigma", ...atLeast(0, -least) },
  { option: "smoothing.factor", ...atLeast(0, -least) },
  { option: "smoothing.curve", ...atLeast(1, justBelowOne) },
  { option: "dynamicTemperature.range", ...atLeast(0, -least) },
  { option: "dynamicTemperature.exponent", ...atLeast(0, -least) },
  { option: "temperature", accepted: [0, -0, least, 1, most], rejected: [-least, -1, ...notFinite] },
  { option: "topK", accepted: [0, -0, 1, u32], rejected: [-1, u32 + 1, ...notIntegers] },
  {
    option: "topP",
    accepted: [0, -0, least, justBelowOne, 1],
    rejected: [-least, justAboveOne, ...notFinite],
  },
  {
    option: "minP",
    accepted: [0, -0, least, justBelowOne, 1],
    rejected: [-least, justAboveOne, ...notFinite],
  },
  { option: "repetitionPenalty", accepted: [least, 1, most], rejected: [0, -0, -least, ...notFinite] },
  { option: "frequencyPenalty", accepted: [-most, -1, 0, most], rejected: notFinite },
  { option: "presencePenalty", accepted: [-most, -1, 0, most], rejected: notFinite },
  { option: "penaltyLastN", accepted: [0, 1, u32 - 1], rejected: [-1, u32 + 1, ...notIntegers] },
  { option: "minKeep", accepted: [1, 2, u32], rejected: [0, -1, u32 + 1, ...notIntegers] },
  { option: "stream", accepted: [0, 1, u32], rejected: [-1, u32 + 1, ...notIntegers] },
];

/** Options with a value where the option stands; what ends a text is always said. */
function given(option: string, value: unknown): SamplerOptions {
  const [group = "", inner] = option.split(".");
  return untyped({ eosTokenIds: [0], [group]: inner === undefined ? value : { [inner]: value } });
}

/** The option's value in force. */
function inForce(sampler: WasmSampler, option: string): unknown {
  return option
    .split(".")
    .reduce((inside: unknown, name) => (inside as Record<string, unknown>)[name], sampler.options);
}

const each = (list: "accepted" | "rejected") =>
  ranges.flatMap((range) => range[list].map((value) => ({ option: range.option, value })));

test.each(each("accepted"))("new WasmSampler({ $option }) accepts $value", ({ option, value }) => {
  // What is read back is a number equal to it; -0 may come back as 0.
  expect(inForce(seeded(given(option, value)), option) === value).toBe(true);
});

test.each(each("rejected"))(
  "new WasmSampler({ $option }) is out_of_range for $value",
  ({ option, value }) => {
    const error = thrown(() => seeded(given(option, value)));
    expect(error).toMatchObject({ code: "out_of_range", option });
    expect(error.message).toContain(`${option} must be ${error.accepted}, not `);
  },
);

test("new WasmSampler({ penaltyLastN }) takes 4294967295 as all tokens, which is the default", () => {
  expect(seeded({ penaltyLastN: u32 }).options).toEqual(seeded().options);
});

const notNumbers = {
  null: null,
  true: true,
  "the string 1": "1",
  "an empty list": [],
  "an empty object": {},
  "a Number object": new Number(1),
  "a function": () => 1,
  "a symbol": Symbol("one"),
  "a bigint": 1n,
};

const wrong = ranges.flatMap(({ option }) =>
  Object.entries(notNumbers).map(([name, value]) => ({ option, name, value })),
);

test.each(wrong)("new WasmSampler({ $option }) is wrong_type for $name", ({ option, value }) => {
  const error = thrown(() => seeded(given(option, value)));
  expect(error).toMatchObject({ code: "wrong_type", option, accepted: expect.stringMatching(/./) });
  expect(error.message).toContain(option);
});

test.each(ranges)("new WasmSampler({ $option: undefined }) is as if it were not given", ({ option }) => {
  const [sampler, without] = [seeded(given(option, undefined)), seeded({ eosTokenIds: [0] })];
  expect(sampler.options).toEqual(without.options);
  expect(sampler.rowOptions(0)).toEqual(without.rowOptions(0));
});

test.each(ranges)("sampler.update({ $option }) checks the same range", ({ option, accepted, rejected }) => {
  const sampler = seeded();
  const row = sampler.addRow();
  for (const value of rejected) {
    for (const id of [undefined, row]) {
      const error = thrown(() => sampler.update(given(option, value), id));
      expect(error).toMatchObject({ code: "out_of_range", option });
    }
    expect(thrown(() => sampler.addRow(given(option, value)))).toMatchObject({
      code: "out_of_range",
      option,
    });
  }
  for (const value of accepted) {
    sampler.update(given(option, value));
    expect(inForce(sampler, option) === value).toBe(true);
  }
});

test.each(["dynamicTemperature", "smoothing"])("new WasmSampler({ %s }) is an object", (group) => {
  expect(seeded(untyped({ [group]: {} })).options).toEqual(seeded().options);
  for (const value of [null, 1, "1", true, []])
    expect(thrown(() => seeded(untyped({ [group]: value })))).toMatchObject({
      code: "wrong_type",
      option: group,
      accepted: "an object",
    });
});

test("new WasmSampler({ pLess }) is true or false", () => {
  expect(seeded({ pLess: true }).options.pLess).toBe(true);
  expect(seeded({ pLess: false }).options).toEqual(seeded().options);
  for (const value of [null, 0, 1, "true", [], {}])
    expect(thrown(() => seeded(untyped({ pLess: value })))).toMatchObject({
      code: "wrong_type",
      option: "pLess",
      accepted: "true or false",
    });
});
