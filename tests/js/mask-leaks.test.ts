// A mask belongs to one call: what fails, or runs the caller's code on the way, leaves nothing for the next.
import { expect, test } from "vitest";
import { maskOf, scattered, seeded, thrown, untyped, type WasmSampler } from "./nucleus";

const nVocab = 70;
const logits = scattered(nVocab);
const mask = maskOf(nVocab, [3, 40, 69]);
const broken = new Error("the caller's own");

/** An array whose element `at` runs the caller's code when it is read. */
function reading<T>(array: T[], at: number, read: () => T): T[] {
  return Object.defineProperty(array, at, { get: read, enumerable: true });
}

/** Calls with a mask that fail, each at another moment between taking the mask and being done with it. */
const failures: [string, (sampler: WasmSampler) => unknown][] = [
  ["logits of another type", (sampler) => sampler.sample(untyped("0"), { mask })],
  ["a mask of another length", (sampler) => sampler.sample(logits.subarray(1), { mask: mask.subarray(1) })],
  [
    "a logit that is NaN",
    (sampler) =>
      sampler.sample(
        Float32Array.from(logits, () => Number.NaN),
        { mask },
      ),
  ],
  ["a mask that leaves nothing", (sampler) => sampler.sample(logits, { mask: new Uint32Array(3) })],
  ["an unknown row", (sampler) => sampler.sample(logits, { mask, row: 9 })],
  ["a row that is none", (sampler) => sampler.sample(logits, { mask, row: -1 })],
  ["a token outside the row", (sampler) => sampler.explain(logits, nVocab, { mask })],
  ["too many draws", (sampler) => sampler.sampleMany(logits, 2 ** 31, { mask })],
  ["a stale view", (sampler) => sampler.sample(seeded().logitsBuffer(nVocab), { mask })],
  [
    "logits that throw when they are read",
    (sampler) => {
      const array = reading([...logits], 50, () => {
        throw broken;
      });
      return sampler.sample(array, { mask });
    },
  ],
  [
    "a mask in a batch that throws when it is read",
    (sampler) => {
      const masks = reading([mask, mask], 1, () => {
        throw broken;
      });
      return sampler.sampleBatch(Float32Array.of(...logits, ...logits), 2, { masks });
    },
  ],
  ["a batch with one mask too few", (sampler) => sampler.sampleBatch(logits, 1, { masks: [] })],
];

test.each(failures)("sampler.sample(logits) after a masked call with %s knows no mask", (_, fail) => {
  const sampler = seeded();
  sampler.sample(logits);
  expect(() => fail(sampler)).toThrow();
  const fresh = seeded();
  fresh.sample(logits);
  expect(sampler.distribution(logits)).toEqual(fresh.distribution(logits));
  expect([...sampler.sampleMany(logits, 20)]).toEqual([...fresh.sampleMany(logits, 20)]);
  expect([...sampler.sampleBatch(logits, 1)]).toEqual([...fresh.sampleBatch(logits, 1)]);
});

test.each([
  ["a row as large", nVocab],
  ["a larger row", 100_000],
])(
  "sampler.sampleBatch(logits, rows, { masks }) whose masks, read, sample %s, draws from its own logits",
  (...of) => {
    const [, n] = of;
    const batch = Float32Array.of(...scattered(nVocab), ...scattered(nVocab, 2));
    const expected = [...seeded().sampleBatch(batch, 2, { masks: [mask, mask] })];
    // What would be drawn from the other call's logits.
    const wrong = expected[0] === 3 ? 40 : 3;
    const pair = seeded();
    pair.addRow();
    const third = pair.addRow({ seed: 1 });
    const masks = reading([mask, mask], 0, () => {
      pair.sample(new Float32Array(n).fill(60, wrong, wrong + 1), { row: third });
      return mask;
    });
    expect([...pair.sampleBatch(batch, 2, { masks: masks })]).toEqual(expected);
  },
);

test("sampler.sampleBatch(logits, rows, { masks }) takes a mask by its real length: none reaches the next row", () => {
  const batch = Float32Array.of(...logits, ...logits);
  const long = Object.defineProperty(new Uint32Array(6), "length", { value: 3 });
  long[0] = 1;
  const error = thrown(() => seeded().sampleBatch(batch, 2, { masks: [long, undefined] }));
  expect(error).toMatchObject({ code: "wrong_length", option: "masks.0", accepted: "3" });
  const last = thrown(() => seeded().sampleBatch(batch, 2, { masks: [undefined, long] }));
  expect(last).toMatchObject({ code: "wrong_length", option: "masks.1", accepted: "3" });
});

test("sampler.sampleBatch(logits, rows, { masks }) takes a mask as it is when it is read", () => {
  const batch = Float32Array.of(...logits, ...logits);
  const first = maskOf(nVocab, [3]);
  const masks = reading([first, mask], 1, () => {
    first.set(maskOf(nVocab, [4]));
    return maskOf(nVocab, [40]);
  });
  expect([...seeded().sampleBatch(batch, 2, { masks })]).toEqual([3, 40]);
});
