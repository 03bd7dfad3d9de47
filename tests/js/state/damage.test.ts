// States that are none: every field missing, of another type, out of range, and fields that nobody wrote.
import { expect, test } from "vitest";
import { type SamplerState, scattered, seeded, throughJson, thrown, untyped, WasmSampler } from "../nucleus";

/** A sampler with something in every field. */
function whole(): SamplerState {
  const sampler = seeded({ topK: 5, logitBias: { 1: Number.NEGATIVE_INFINITY } });
  sampler.addRow({ seed: "18446744073709551615", topP: 0.5 });
  sampler.prompt([1, 2, 3]);
  sampler.accept(4);
  sampler.accept(5, 1);
  sampler.sampleMany(scattered(10), 3, { row: 1 });
  return throughJson(sampler.state());
}

type Fields = Record<string, unknown>;

const paths = [
  ...["version", "options", "seed", "nextRow", "rows"],
  ...[0, 1].flatMap((i) =>
    ["id", "options", "prompt", "output", "stream", "position", "controllers"].map(
      (name) => `rows.${i}.${name}`,
    ),
  ),
];

/** A damaged copy: the fields that hold the one at `path`, and its name, are given to `damage`. */
function damaged(path: string, damage: (holder: Fields, name: string) => void): SamplerState {
  const state = whole();
  const names = path.split(".");
  const last = names.pop() ?? "";
  const holder = names.reduce((found, name) => found[name] as Fields, state as Fields);
  damage(holder, last);
  return state;
}

const refused = (state: unknown) => thrown(() => WasmSampler.fromState(untyped(state)));

test("WasmSampler.fromState(state) takes the state that the cases below damage", () => {
  expect(WasmSampler.fromState(whole()).state()).toEqual(whole());
});

test.each(paths)("WasmSampler.fromState(state) is state_invalid without %s, and names it", (path) => {
  const error = refused(damaged(path, (holder, name) => delete holder[name]));
  expect(error).toMatchObject({ code: "state_invalid", accepted: expect.stringMatching(/./) });
  expect(error.message).toContain(path.split(".").at(-1));
});

const wrongValues = [
  ...[null, undefined, true, "much", [null], -1, 1.5, 2 ** 53],
  ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
];

test.each(paths)("WasmSampler.fromState(state) is state_invalid where %s is of another kind", (path) => {
  for (const value of wrongValues) {
    const error = refused(damaged(path, (holder, name) => Object.assign(holder, { [name]: value })));
    expect([value, error.code]).toEqual([value, "state_invalid"]);
  }
});

test("WasmSampler.fromState(state) is state_invalid for what is not plain data, wherever it stands", () => {
  for (const path of paths) {
    for (const value of [() => 1, Symbol("state"), 2n ** 70n]) {
      const error = refused(damaged(path, (holder, name) => Object.assign(holder, { [name]: value })));
      expect([path, value, error.code]).toEqual([path, value, "state_invalid"]);
    }
  }
  for (const state of [() => whole(), Symbol("state"), 2n ** 70n])
    expect(refused(state).code).toBe("state_invalid");
});

test.each([
  ["an object for a list", "rows", {}],
  ["no row", "rows", []],
  ["an object for a list", "rows.0.prompt", { 0: 1 }],
  ["a negative token", "rows.0.prompt", [1, -1]],
  ["a fraction for a token", "rows.0.output", [1.5]],
  ["a token of 2^32", "rows.0.output", [2 ** 32]],
  ["a word for a token", "rows.1.output", ["1"]],
  ["a list for an object", "rows.0.options", []],
  ["an unknown option", "options", { top_k: 5 }],
  ["an option out of range", "options", { topP: 2 }],
  ["an option of another type", "options", { topP: "1" }],
  ["an option that is null", "rows.1.options", { topP: null }],
  ["an order that cannot be run", "options", { topK: 5, order: [] }],
  ["an order that the row's own options make impossible", "rows.1.options", { seed: 1, order: [] }],
  ["a seed of 2^64", "seed", "18446744073709551616"],
  ["a negative seed", "seed", "-1"],
  ["a row's id twice", "rows.1.id", 0],
  ["no row 0", "rows.0.id", 7],
  ["a row's id above the next", "rows.1.id", 2],
  ["a next id that is taken", "nextRow", 1],
  ["a next id of 2^32", "nextRow", 2 ** 32],
  ["another stream than the options give", "rows.0.stream", 1],
  ["a stream of 2^32", "rows.0.stream", 2 ** 32],
  ["a position of 2^53", "rows.0.position", 2 ** 53],
])("WasmSampler.fromState(state) is state_invalid for %s in %s", (_, path, value) => {
  const error = refused(damaged(path, (holder, name) => Object.assign(holder, { [name]: value })));
  expect(error).toMatchObject({ code: "state_invalid", accepted: expect.stringMatching(/./) });
});

test.each(["", "rows.0", "rows.1"])(
  "WasmSampler.fromState(state) is state_invalid for a field in '%s' that it does not know",
  (path) => {
    const inside = path === "" ? "anything" : `${path}.anything`;
    const error = refused(damaged(inside, (holder, name) => Object.assign(holder, { [name]: 1 })));
    expect(error.code).toBe("state_invalid");
    expect(error.message).toContain("anything");
  },
);

const noStates: [string, unknown][] = [
  ["null", null],
  ["undefined", undefined],
  ["a number", 1],
  ["a boolean", true],
  ["a string", "state"],
  ["the state's own text", JSON.stringify(whole())],
  ["an empty object", {}],
  ["an empty list", []],
  ["a state inside a list", [whole()]],
  ["a bigint", 1n],
  ["a Map", new Map(Object.entries(whole()))],
  ["a typed array", Uint8Array.of(1, 2)],
  ["a sampler", seeded()],
];

test.each(noStates)("WasmSampler.fromState(state) is state_invalid for %s", (_, state) => {
  expect(refused(state).code).toBe("state_invalid");
});

test.each([0, 2, 3, 2 ** 53 - 1])(
  "WasmSampler.fromState(state) is state_version for version %d",
  (version) => {
    const error = refused({ ...whole(), version });
    expect(error).toMatchObject({ code: "state_version", accepted: "1" });
    expect(error.message).toContain(String(version));
  },
);

test("WasmSampler.fromState(state) looks at the version first: another version has other fields", () => {
  expect(refused({ version: 2 }).code).toBe("state_version");
  expect(refused({ version: 2, layout: "new" }).code).toBe("state_version");
  expect(refused({ version: "1" }).code).toBe("state_invalid");
});

test("WasmSampler.fromState(state) is state_invalid for every text cut short that is still JSON", () => {
  const rows = untyped<Fields[]>(whole().rows);
  for (const found of [
    { ...whole(), rows: rows.slice(1) },
    { ...whole(), rows: [rows[0], {}] },
  ]) {
    expect(refused(found).code).toBe("state_invalid");
  }
});
