// What an error about a state says: the path of the field at fault, what it accepts, and what stands there.
import { expect, test } from "vitest";
import { type SamplerState, seeded, throughJson, thrown, untyped, WasmSampler } from "../nucleus";

type Fields = Record<string, unknown>;

/** A state of three rows, the last with options of its own, in which the field at `path` is `value`. */
function changed(path: string, value: unknown): SamplerState {
  const sampler = seeded({ logitBias: { 1: Number.NEGATIVE_INFINITY } });
  sampler.addRow();
  sampler.addRow({ topK: 5, logitBias: { 2: 1 } });
  sampler.prompt([1, 2], 2);
  const state = throughJson(sampler.state());
  const names = path.split(".");
  const last = names.pop() ?? "";
  const holder = names.reduce((found, name) => found[name] as Fields, state as Fields);
  holder[last] = value;
  return state;
}

const refused = (state: unknown) => thrown(() => WasmSampler.fromState(untyped(state)));

const token = "a list of token ids";
const id = "an integer from 0 to 4294967295";
const inVocabulary = "an integer from 0 to 524287";
const integer = "an integer from 0 to 9007199254740991";
const unit = "a number in [0, 1]";
const bias = "pairs of a token id and a finite number or -Infinity, each id at most once";

const cases: [path: string, value: unknown, accepted: string, found: string][] = [
  ["options", 5, "an object", "5"],
  ["options", [], "an object", "an empty list"],
  ["options.topP", 2, unit, "2"],
  ["options.topP", -1e300, unit, "-1e+300"],
  ["options.topP", "0.5", unit, "a string"],
  ["options.topP", "NaN", unit, "NaN"],
  ["options.topP", null, unit, "null"],
  ["options.logitBias", [[1, "Infinity"]], bias, "Infinity for token 1"],
  ["options.logitBias", [[1, "much"]], bias, "a string"],
  ["options.logitBias", { 1: "2" }, bias, "a string"],
  ["rows", {}, "a list", "an object"],
  ["rows", [], "a list that has row 0", "an empty list"],
  ["rows.2", null, "an object", "null"],
  ["rows.2", [1], "an object", "a list"],
  ["rows.2.id", -1, id, "-1"],
  ["rows.2.id", "2", id, '"2"'],
  ["rows.2.id", 1, "above the ids of the rows before it", "1"],
  ["rows.2.options", null, "an object", "null"],
  ["rows.2.options.topK", "5", id, "a string"],
  ["rows.2.options.topK", 1.5, id, "1.5"],
  ["rows.2.options.topK", 2 ** 32, id, "4294967296"],
  ["rows.2.options.allowedTokens", [], "a list of token ids with at least one", "an empty list"],
  ["rows.2.options.seed", "-1", expect.stringContaining("2^64 - 1") as never, '"-1"'],
  ["rows.2.prompt", {}, token, "an object"],
  ["rows.2.prompt.1", -1, inVocabulary, "-1"],
  ["rows.2.prompt.1", "1", inVocabulary, '"1"'],
  ["rows.2.prompt.1", 2 ** 19, inVocabulary, "524288"],
  ["rows.2.prompt.0", 0xffffffff, inVocabulary, "4294967295"],
  ["rows.2.output", 5, token, "5"],
  ["rows.2.output", null, token, "null"],
  ["rows.2.stream", 2 ** 32, id, "4294967296"],
  ["rows.2.stream", 7, "2, the stream that the options give", "7"],
  ["rows.2.position", 0.5, integer, "0.5"],
  ["rows.2.position", true, integer, "a boolean"],
  ["nextRow", 2, "above every row's id", "2"],
  ["nextRow", "3", id, '"3"'],
  ["seed", -1, expect.stringContaining("2^64 - 1") as never, "-1"],
  ["seed", true, expect.stringContaining("2^64 - 1") as never, "a boolean"],
  ["version", "1", "1", '"1"'],
];

test.each(cases)("WasmSampler.fromState(state) says where %s is %j", (path, value, accepted, found) => {
  const error = refused(changed(path, value));
  expect({ ...error }).toEqual({ name: "NucleusError", code: "state_invalid", option: path, accepted });
  expect(error.message).toBe(`the state's ${path} must be ${error.accepted}, not ${found}`);
});

const missing = ["version", "options", "seed", "nextRow", "rows", "rows.1.id", "rows.1.options"];

test.each([
  ...missing,
  "rows.2.prompt",
  "rows.2.output",
  "rows.2.stream",
  "rows.2.position",
  "rows.2.controllers",
  "rows.2.pending",
])("WasmSampler.fromState(state) says that %s is missing", (path) => {
  const error = refused(changed(path, undefined));
  expect(error).toMatchObject({ code: "state_invalid", option: path });
  expect(error.message).toBe(`the state's ${path} must be present`);
});

test.each([
  ["surplus", "absent: no state has it"],
  ["rows.2.surplus", "absent: no state has it"],
  ["options.top_k", 'absent: no option has this name, did you mean "topK"?'],
  [
    "options.xtc",
    expect.stringMatching(/^absent: no option has this name, the options are temperature, topK, /),
  ],
  ["rows.2.options.top_k", 'absent: no option has this name, did you mean "topK"?'],
])("WasmSampler.fromState(state) says that %s is no field", (path, accepted) => {
  const error = refused(changed(path, 1));
  expect(error).toMatchObject({ code: "state_invalid", option: path });
  expect(error).toMatchObject({ accepted });
  expect(error.message).toBe(`the state's ${path} must be ${error.accepted}`);
});

test("WasmSampler.fromState(state) says where an order cannot be run", () => {
  const error = refused(changed("rows.2.options.order", []));
  expect(error).toMatchObject({ code: "state_invalid", option: "rows.2.options.order" });
  expect(error.message).toMatch(/^the state's rows\.2\.options\.order must be .*, not one where logit_bias /);
});

test.each([
  ["a function", () => 1],
  ["a symbol", Symbol("state")],
  ["a bigint", 5n],
])("WasmSampler.fromState(state) says where %s stands", (kind, value) => {
  for (const path of ["seed", "rows", "rows.1.options", "rows.2.options.topK", "rows.2.prompt.1"]) {
    const error = refused(changed(path, value));
    expect(error).toMatchObject({ code: "state_invalid", option: path });
    expect(error.message).toBe(`the state's ${path} must be plain data, as JSON holds it, not ${kind}`);
  }
});

test.each([
  ["null", null],
  ["undefined", undefined],
  ["a number", 1],
  ["a string", "{}"],
  ["a function", () => 1],
  ["a list", []],
])("WasmSampler.fromState(state) says that the state itself is %s", (_, state) => {
  expect(refused(state).message).toMatch(/^the state must be .*, not /);
});

test("WasmSampler.fromState(text) says that the JSON is to be parsed first", () => {
  const wanted = "the state must be an object, as state() returns it";
  expect(refused(JSON.stringify(seeded().state())).message).toBe(
    `${wanted}; parse the JSON first, not a string`,
  );
  expect(refused(undefined).message).toBe(`${wanted}, not undefined`);
});

test("WasmSampler.fromState(state) says where it is nested too deep, and cuts names short", () => {
  let deep: unknown = 1;
  for (let depth = 0; depth < 100; depth += 1) deep = { a: deep };
  const error = refused(changed("rows.2.options", deep));
  expect(error.option).toMatch(/^rows\.2\.options(\.a)+$/);
  expect(error.message).toMatch(/^the state's rows\.2\.options\.a.* must be nested at most 16 deep/);
  const long = refused(changed("x".repeat(100_000), 1));
  expect(long.code).toBe("state_invalid");
  expect(long.message.length).toBeLessThan(200);
});
