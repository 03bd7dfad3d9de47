// What an error says: name, code, message, and of option, index, row, stage and accepted those that apply.
import { afterEach, expect, test, vi } from "vitest";
import { call } from "../../../dist/instance.js";
import { inFreshThread } from "../fresh-thread";
import { NucleusError, scattered, seeded, throughJson, thrown, untyped, WasmSampler } from "../nucleus";

afterEach(() => vi.unstubAllGlobals());

const logits = Float32Array.of(0, 1, 2, 3);
const dead = Number.NEGATIVE_INFINITY;
const some = expect.stringMatching(/./);

/** Every field that an error has beside its message and its stack. */
const fields = (error: NucleusError) => ({ ...error });

const shapes: [string, () => unknown, object][] = [
  ["unknown_option", () => seeded(untyped({ tpoK: 1 })), { option: "tpoK", accepted: "topK" }],
  ["wrong_type", () => seeded(untyped({ topP: "1" })), { option: "topP", accepted: "a number in [0, 1]" }],
  ["wrong_type", () => seeded().sample(untyped("1")), { option: "logits", accepted: some }],
  ["out_of_range", () => seeded({ topP: 2 }), { option: "topP", accepted: "a number in [0, 1]" }],
  ["out_of_range", () => seeded().accept(-1), { option: "token", accepted: some }],
  ["out_of_range", () => seeded().removeRow(0), { option: "row", accepted: some }],
  ["not_finite", () => seeded().sample(Float32Array.of(1, Number.NaN)), { index: 1, accepted: some }],
  ["empty", () => seeded().sample(new Float32Array(0)), { option: "logits" }],
  ["empty", () => seeded({ allowedTokens: [] }), { option: "allowedTokens" }],
  [
    "wrong_length",
    () => seeded().sample(logits, { mask: new Uint32Array(2) }),
    { option: "mask", accepted: "1" },
  ],
  [
    "bad_token",
    () => seeded().explain(logits, 9),
    { option: "token", index: 9, accepted: "token ids below 4" },
  ],
  ["nothing_left", () => seeded().sample(Float32Array.of(dead)), {}],
  ["nothing_left", () => seeded().sample(logits, { mask: new Uint32Array(1) }), { stage: "mask" }],
  ["bad_order", () => seeded({ order: ["draw", "top_k"] }), { option: "order", stage: "draw" }],
  ["row_unknown", () => seeded().sample(logits, { row: 3 }), { row: 3 }],
  ["too_large", () => seeded().sampleMany(logits, 2 ** 31), { accepted: "at most 134217728" }],
  ["stale_buffer", () => seeded().sample(seeded().logitsBuffer(4)), {}],
  ["state_version", () => WasmSampler.fromState({ version: 7 }), { accepted: "1" }],
  ["state_invalid", () => WasmSampler.fromState(untyped({})), { option: "version", accepted: some }],
];

test.each(shapes)(
  "an error with code %s has the fields that apply, and no others",
  (code, attempt, details) => {
    const error = thrown(attempt);
    expect(fields(error)).toEqual({ name: "NucleusError", code, ...details });
  },
);

test("an error with code freed has no further field", () => {
  const sampler = seeded();
  sampler.free();
  expect(fields(thrown(() => sampler.sample(logits)))).toEqual({ name: "NucleusError", code: "freed" });
});

test("an error of a stage's arithmetic is not_finite with stage and token", () => {
  const sampler = seeded({ logitBias: { 2: 3e38 } });
  const error = thrown(() => sampler.sample(Float32Array.of(0, 0, 3e38)));
  expect(fields(error)).toEqual({ name: "NucleusError", code: "not_finite", stage: "logit_bias", index: 2 });
});

test.each(shapes)(
  "an error with code %s is an Error with a sentence, and the caller's stack",
  (_, attempt) => {
    const error = thrown(attempt);
    expect(error).toBeInstanceOf(Error);
    expect(error).toBeInstanceOf(NucleusError);
    expect(error.message).toMatch(/^[^\n]{10,400}[^.\s]$/);
    expect(String(error)).toBe(`NucleusError: ${error.message}`);
    expect(error.stack).toContain("shapes.test.ts");
    expect(error.cause).toBeUndefined();
  },
);

test.each(shapes)("an error with code %s survives JSON as its fields", (code, attempt) => {
  expect(throughJson(thrown(attempt))).toMatchObject({ name: "NucleusError", code });
});

test("an error before init is not_initialized", async () => {
  const found = await inFreshThread(({ nucleus, outcome }) => outcome(() => new nucleus.WasmSampler()));
  expect(found).toBe("not_initialized");
});

test("new WasmSampler() is internal, and says what to do, where the platform gives no random numbers", () => {
  vi.stubGlobal("crypto", {
    getRandomValues: () => {
      throw new Error("no randomness here");
    },
  });
  const error = thrown(() => new WasmSampler());
  expect(fields(error)).toEqual({ name: "NucleusError", code: "internal" });
  expect(error.message).toContain("seed");
  expect(seeded().sample(logits)).toBeLessThan(4);
});

test("call(f) turns whatever else the module throws into internal, with its cause", () => {
  for (const cause of [new WebAssembly.RuntimeError("unreachable"), new RangeError("stack"), "text"]) {
    const throwing = () => {
      throw cause;
    };
    const error = thrown(() => call(throwing));
    expect(error).toMatchObject({ name: "NucleusError", code: "internal" });
    expect(error.cause).toBe(cause);
  }
  expect(call(() => 5)).toBe(5);
});

test("an error found in the row names the lowest place", () => {
  const bad = scattered(10_000);
  for (const index of [9999, 5000, 1234]) {
    bad[index] = index % 2 === 0 ? Number.NaN : Number.POSITIVE_INFINITY;
    expect(thrown(() => seeded().sample(bad)).index).toBe(index);
  }
});
