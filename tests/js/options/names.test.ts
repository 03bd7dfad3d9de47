// Names that no option has, and things that are no options.
import { expect, test } from "vitest";
import { type SamplerOptions, seeded, thrown, untyped, WasmSampler } from "../nucleus";

const nearest: [string, string][] = [
  ["top_p", "topP"],
  ["topp", "topP"],
  ["TopK", "topK"],
  ["min_p", "minP"],
  ["temprature", "temperature"],
  ["TEMPERATURE", "temperature"],
  ["repetition_penalty", "repetitionPenalty"],
  ["logit_bias", "logitBias"],
  ["allowed_tokens", "allowedTokens"],
  ["seeds", "seed"],
  ["penaltyLastn", "penaltyLastN"],
  ["orders", "order"],
  ["temp", "temperature"],
  ["tempertaure", "temperature"],
];

test.each(nearest)("new WasmSampler({ %s }) is unknown_option and suggests %s", (given, suggested) => {
  const error = thrown(() => seeded(untyped({ [given]: 1 })));
  expect(error).toMatchObject({ code: "unknown_option", option: given, accepted: suggested });
  expect(error.message).toBe(`unknown option "${given}": did you mean "${suggested}"?`);
});

const near: [string, string][] = [
  ["typical_p", "typicalP"],
  ["top_a", "topA"],
  ["topNsigma", "topNSigma"],
  ["epsilon_cutoff", "epsilonCutoff"],
  ["tailfree", "tailFree"],
  ["p_less", "pLess"],
];

test.each(near)("new WasmSampler({ %s }) suggests the stage's option %s", (given, suggested) => {
  const error = thrown(() => seeded(untyped({ [given]: 1 })));
  expect(error).toMatchObject({ code: "unknown_option", option: given, accepted: suggested });
});

test.each([
  ["smoothing", "faktor", "smoothing.factor"],
  ["smoothing", "curves", "smoothing.curve"],
  ["dynamicTemperature", "ranges", "dynamicTemperature.range"],
])("new WasmSampler({ %s: { %s } }) is unknown_option and suggests %s", (group, given, suggested) => {
  const error = thrown(() => seeded(untyped({ [group]: { [given]: 1 } })));
  expect(error).toMatchObject({ code: "unknown_option", option: `${group}.${given}`, accepted: suggested });
});

const elsewhere = ["beams", "watermark", "noSuchThing", "repeat_last_n"];

test.each(["", ...elsewhere])("new WasmSampler({ %s }) is unknown_option and lists the options", (given) => {
  const error = thrown(() => seeded(untyped({ [given]: 1 })));
  expect(error).toMatchObject({ code: "unknown_option", option: given });
  expect(error.message).toMatch(
    /^unknown option "\w*": the options are temperature, .*topK, topP, .*stream$/,
  );
  expect(error.accepted).toMatch(/^one of temperature, .*topK, .*stream$/);
});

test.each([
  ["xtc", "probabilty", "xtc.probability"],
  ["xtc", "protected_tokens", "xtc.protectedTokens"],
  ["dry", "last_n", "dry.lastN"],
  ["dry", "allowed_length", "dry.allowedLength"],
  ["guidance", "scales", "guidance.scale"],
])("new WasmSampler({ %s: { %s } }) is unknown_option and suggests %s", (group, given, suggested) => {
  const error = thrown(() => seeded(untyped({ [group]: { [given]: 1 } })));
  expect(error).toMatchObject({ code: "unknown_option", option: `${group}.${given}`, accepted: suggested });
});

test.each(["guidance", "xtc", "dry", "dynamicTemperature", "smoothing", "mirostat", "adaptiveP"])(
  "new WasmSampler({ %s }) is wrong_type for anything but an object",
  (group) => {
    for (const value of [null, 1, "on", true, [1]])
      expect(thrown(() => seeded(untyped({ [group]: value })))).toMatchObject({
        code: "wrong_type",
        option: group,
        accepted: "an object",
      });
  },
);

test.each([
  ["topP", "top_p"],
  ["top-k", "top_k"],
  ["temprature", "temperature"],
  ["FrequencyPenalty", "frequency_penalty"],
  ["greedi", "greedy"],
])("new WasmSampler({ order: [%j] }) is out_of_range and suggests %s", (given, suggested) => {
  const error = thrown(() => seeded(untyped({ order: [given] })));
  expect(error).toMatchObject({ code: "out_of_range", option: "order" });
  expect(error.message).toMatch(new RegExp(`, not "${given}" \\(did you mean "${suggested}"\\?\\)$`));
});

test.each([
  ["order", ["mask"], "mask"],
  ["order", ["beam_search"], "beam_search"],
  ["preset", "llama.cpp", "llama.cpp"],
])("new WasmSampler({ %s: %j }) suggests nothing", (option, value, given) => {
  expect(thrown(() => seeded(untyped({ [option]: value }))).message.endsWith(`, not "${given}"`)).toBe(true);
});

test("new WasmSampler({ preset }) suggests the preset that was meant", () => {
  const said = thrown(() => seeded(untyped({ preset: "textbok" }))).message;
  expect(said).toBe('preset must be one of nucleus, textbook, not "textbok" (did you mean "textbook"?)');
});

test("sampler.update(options) and addRow(options) know the same names", () => {
  const sampler = seeded();
  const options = untyped<SamplerOptions>({ top_p: 0.5 });
  for (const call of [
    () => sampler.update(options),
    () => sampler.update(options, 0),
    () => sampler.addRow(options),
  ]) {
    expect(thrown(call)).toMatchObject({ code: "unknown_option", option: "top_p", accepted: "topP" });
  }
});

test("new WasmSampler(options) does not take inherited or symbol properties for options", () => {
  const inherited = Object.assign(Object.create({ topP: 0.5, nonsense: 1 }) as SamplerOptions, {
    topK: 3,
    seed: 42,
    [Symbol("more")]: 1,
  });
  expect(new WasmSampler(inherited).options).toEqual(seeded({ topK: 3 }).options);
});

test("new WasmSampler(options) names an unknown option whatever its value", () => {
  for (const value of [1, "1", null, {}, [], true, Number.NaN]) {
    expect(thrown(() => seeded(untyped({ top_q: value })))).toMatchObject({
      code: "unknown_option",
      option: "top_q",
    });
  }
});

const noOptions = {
  null: null,
  "a number": 5,
  "a string": "topP",
  "a list": [],
  "a Map": new Map([["topP", 0.5]]),
  "a function": () => ({}),
  "a boolean": true,
};

test.each(Object.entries(noOptions))("new WasmSampler(options) is wrong_type for %s", (_, value) => {
  const sampler = seeded();
  const options = untyped<SamplerOptions>(value);
  for (const call of [
    () => new WasmSampler(options),
    () => sampler.update(options),
    () => sampler.addRow(options),
  ]) {
    expect(thrown(call)).toMatchObject({ code: "wrong_type", option: "options", accepted: "an object" });
  }
});

test("new WasmSampler() without options has every default, and a seed of its own", () => {
  const { seed, ...rest } = new WasmSampler().options;
  expect(Number.isSafeInteger(seed)).toBe(true);
  expect(rest).toEqual({
    temperature: 1,
    dynamicTemperature: { range: 0, exponent: 1 },
    smoothing: { factor: 0, curve: 1 },
    topH: 1,
    topK: 0,
    topP: 1,
    minP: 0,
    typicalP: 1,
    topNSigma: 0,
    topA: 0,
    tailFree: 1,
    pLess: false,
    epsilonCutoff: 0,
    etaCutoff: 0,
    xtc: { probability: 0, threshold: 0.1 },
    repetitionPenalty: 1,
    frequencyPenalty: 0,
    presencePenalty: 0,
    noRepeatNgramSize: 0,
    dry: { multiplier: 0, base: 1.75, allowedLength: 2 },
    minNewTokens: 0,
    guidance: { scale: 1 },
    mirostat: { version: 0, tau: 5, eta: 0.1 },
    adaptiveP: { target: 0, decay: 0.9 },
    guard: { policy: "off", maxMaskedMass: 0.999, maxSteps: 3, breaker: { trips: 3, positions: 32 } },
    minKeep: 1,
    preset: "nucleus",
    stream: 0,
  });
});

const logits = Float32Array.of(0, 1, 2);
const lastArguments: [string, string, (sampler: WasmSampler, last: object) => unknown][] = [
  ["sample", "mask", (sampler, last) => sampler.sample(logits, last)],
  ["sampleDetailed", "mask", (sampler, last) => sampler.sampleDetailed(logits, last)],
  ["sampleMany", "mask", (sampler, last) => sampler.sampleMany(logits, 1, last)],
  ["distribution", "mask", (sampler, last) => sampler.distribution(logits, last)],
  ["report", "mask", (sampler, last) => sampler.report(logits, last)],
  ["explain", "mask", (sampler, last) => sampler.explain(logits, 1, last)],
  ["logprobs", "mask", (sampler, last) => sampler.logprobs(logits, 1, last)],
  ["sampleBatch", "masks", (sampler, last) => sampler.sampleBatch(logits, 1, last)],
  ["clone", "stream", (sampler, last) => sampler.clone(last)],
];

test.each(lastArguments)("sampler.%s(..., { %sx }) is unknown_option and suggests it", (_, name, call) => {
  const error = thrown(() => call(seeded(), { [`${name}x`]: 1 }));
  expect(error).toMatchObject({ code: "unknown_option", option: `${name}x`, accepted: name });
});

test.each(lastArguments)("sampler.%s(..., last) lists what it takes where no name is near", (...of) => {
  const [, name, call] = of;
  const error = thrown(() => call(seeded(), { temperature: 1 }));
  expect(error).toMatchObject({ code: "unknown_option", option: "temperature" });
  expect(error.message).toMatch(/^unknown option "temperature": this call takes \w+(, \w+)*$/);
  expect(error.message).toContain(name);
});

test.each(lastArguments)(
  "sampler.%s(..., last) is wrong_type for a last argument that is no object",
  (...of) => {
    const [, , call] = of;
    for (const last of [null, 0, "row", [], true, () => ({})]) {
      expect(thrown(() => call(seeded(), untyped(last)))).toMatchObject({ code: "wrong_type" });
    }
  },
);
