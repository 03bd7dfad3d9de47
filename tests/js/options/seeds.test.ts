// Seeds: 64 bits, in three ways of writing them.
import { expect, test } from "vitest";
import { scattered, seeded, throughJson, thrown, untyped, WasmSampler } from "../nucleus";

const logits = scattered(100);
const first = (seed: number | bigint | string) => [...new WasmSampler({ seed }).sampleMany(logits, 20)];

const readBack: [string, number | bigint | string, number | string][] = [
  ["the number 0", 0, 0],
  ["the number 42", 42, 42],
  ["the number 2^53 - 1", 2 ** 53 - 1, 2 ** 53 - 1],
  ["the digits of 0", "0", 0],
  ["twenty digits that begin with zeros", "00000000000000000042", 42],
  ["the digits of 2^53 - 1", "9007199254740991", 2 ** 53 - 1],
  ["the digits of 2^53", "9007199254740992", "9007199254740992"],
  ["the digits of 2^64 - 1", "18446744073709551615", "18446744073709551615"],
  ["the bigint 0", 0n, 0],
  ["the bigint 2^53 - 1", 2n ** 53n - 1n, 2 ** 53 - 1],
  ["the bigint 2^53", 2n ** 53n, "9007199254740992"],
  ["the bigint 2^64 - 1", 2n ** 64n - 1n, "18446744073709551615"],
];

test.each(readBack)(
  "new WasmSampler({ seed }) accepts %s; it is a number when safe, else digits",
  (_, seed, back) => {
    const sampler = new WasmSampler({ seed });
    expect(sampler.options.seed).toBe(back);
    expect(sampler.state().seed).toBe(back);
    expect(WasmSampler.fromState(throughJson(sampler.state())).options.seed).toBe(back);
  },
);

test("new WasmSampler({ seed }) means the same seed however it is written", () => {
  expect(first("42")).toEqual(first(42));
  expect(first(42n)).toEqual(first(42));
  expect(first("18446744073709551615")).toEqual(first(2n ** 64n - 1n));
});

test("new WasmSampler({ seed }) uses all 64 bits", () => {
  const seeds = [0n, 1n, 2n ** 32n, 2n ** 53n, 2n ** 63n, 2n ** 64n - 1n];
  const drawn = seeds.map((seed) => first(seed).join());
  expect(new Set(drawn).size).toBe(seeds.length);
});

const outOfRange: [string, unknown][] = [
  ["-1", -1],
  ["1.5", 1.5],
  ["2^53, which a number cannot tell from its neighbour", 2 ** 53],
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["the bigint -1", -1n],
  ["the bigint 2^64", 2n ** 64n],
  ["the digits of 2^64", "18446744073709551616"],
  ["twenty-one digits", "000000000000000000001"],
  ["an empty string", ""],
  ["a sign", "+1"],
  ["a negative number in digits", "-1"],
  ["a space", " 1"],
  ["a fraction in digits", "1.0"],
  ["a hexadecimal number", "0x10"],
  ["other digits than 0 to 9", "٤٢"],
  ["a word", "random"],
];

test.each(outOfRange)("new WasmSampler({ seed }) is out_of_range for %s", (_, seed) => {
  const error = thrown(() => new WasmSampler(untyped({ seed })));
  expect(error).toMatchObject({ code: "out_of_range", option: "seed" });
  expect(error.accepted).toContain("2^64 - 1");
});

const wrongTypes: [string, unknown][] = [
  ["null", null],
  ["true", true],
  ["a list", [1]],
  ["an object", { seed: 1 }],
  ["a function", () => 1],
];

test.each(wrongTypes)("new WasmSampler({ seed }) is wrong_type for %s", (_, seed) => {
  expect(thrown(() => new WasmSampler(untyped({ seed })))).toMatchObject({
    code: "wrong_type",
    option: "seed",
  });
});

test("new WasmSampler() takes a fresh seed that can be read back and given again", () => {
  const sampler = new WasmSampler();
  const drawn = [...sampler.sampleMany(logits, 20)];
  expect(first(sampler.options.seed)).toEqual(drawn);
  expect(new WasmSampler().options.seed).not.toBe(sampler.options.seed);
});

test("sampler.update({ seed }) leaves the position, so the next word is the new seed's at that place", () => {
  const sampler = seeded();
  sampler.sampleMany(logits, 7);
  sampler.update({ seed: 43 });
  expect([...sampler.sampleMany(logits, 13)]).toEqual(first(43).slice(7));
});

test("sampler.update({ stream }) changes the stream and leaves the position", () => {
  const other = [...seeded({ stream: 9 }).sampleMany(logits, 20)];
  const sampler = seeded();
  sampler.sampleMany(logits, 7);
  sampler.update({ stream: 9 });
  expect([...sampler.sampleMany(logits, 13)]).toEqual(other.slice(7));
  expect(other).not.toEqual(first(42));
});
