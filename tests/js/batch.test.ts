// Batches: a token for each of several rows, each row atomic by itself.
import { expect, test } from "vitest";
import { maskOf, scattered, seeded, thrown, untyped } from "./nucleus";

const failed = 0xffffffff;
const dead = Number.NEGATIVE_INFINITY;
const nVocab = 50;

/** Rows one after the other: shape (n, nVocab). */
const rowsOf = (n: number) => scattered(n * nVocab);
const rowOf = (logits: Float32Array, i: number) => logits.subarray(i * nVocab, (i + 1) * nVocab);
const positions = (sampler: ReturnType<typeof seeded>) =>
  (sampler.state().rows as { position: number }[]).map(({ position }) => position);

test("sampler.sampleBatch(logits, n) returns for rows 0 to n - 1 what sample returns for each", () => {
  const options = { temperature: 0.8, topP: 0.9 };
  const [batch, single] = [seeded(options), seeded(options)];
  for (let row = 1; row < 4; row += 1) single.addRow();
  const logits = rowsOf(4);
  for (let step = 0; step < 20; step += 1) {
    const expected = [0, 1, 2, 3].map((row) => single.sample(rowOf(logits, row), { row }));
    const tokens = batch.sampleBatch(logits, 4);
    expect(tokens).toBeInstanceOf(Uint32Array);
    expect([...tokens]).toEqual(expected);
  }
  expect(batch.state()).toEqual(single.state());
});

test("sampler.sampleBatch(logits, n) adds the rows that were never added", () => {
  const sampler = seeded();
  sampler.addRow();
  sampler.sampleBatch(rowsOf(4), 4);
  expect(positions(sampler)).toEqual([1, 1, 1, 1]);
  expect(sampler.addRow()).toBe(4);
  sampler.sampleBatch(rowsOf(2), 2);
  expect(positions(sampler)).toEqual([2, 2, 1, 1, 0]);
});

test("sampler.sampleBatch(logits, ids) takes rows in the order of their ids, whatever else is there", () => {
  const [batch, single] = [seeded(), seeded()];
  for (const sampler of [batch, single]) for (let row = 1; row < 6; row += 1) sampler.addRow();
  const logits = rowsOf(3);
  const expected = [5, 0, 3].map((row, i) => single.sample(rowOf(logits, i), { row }));
  expect([...batch.sampleBatch(logits, Uint32Array.of(5, 0, 3))]).toEqual(expected);
  expect(batch.state()).toEqual(single.state());
  const again = [5, 0, 3].map((row, i) => single.sample(rowOf(logits, i), { row }));
  expect([...batch.sampleBatch(logits, [5, 0, 3])]).toEqual(again);
});

test("sampler.sampleBatch(logits, rows) uses each row's own options, history and stream", () => {
  const sampler = seeded();
  const greedy = sampler.addRow({ temperature: 0 });
  const other = sampler.addRow({ seed: 7, repetitionPenalty: 3 });
  sampler.prompt([1, 2, 3], other);
  const logits = scattered(nVocab);
  const three = Float32Array.from([...logits, ...logits, ...logits]);
  const single = seeded({ seed: 7, repetitionPenalty: 3 });
  single.prompt([1, 2, 3]);
  const expected = [seeded().sample(logits), logits.indexOf(Math.max(...logits)), single.sample(logits)];
  expect([...sampler.sampleBatch(three, [0, greedy, other])]).toEqual(expected);
});

test("sampler.sampleBatch(logits, n) holds 0xFFFFFFFF for a row that fails, which stays where it was", () => {
  const sampler = seeded();
  const logits = rowsOf(4);
  rowOf(logits, 1)[7] = Number.NaN;
  rowOf(logits, 3).fill(dead);
  const expected = [0, 2].map((row) => seeded({ stream: row }).sample(rowOf(logits, row)));
  const tokens = sampler.sampleBatch(logits, 4);
  expect([...tokens]).toEqual([expected[0], failed, expected[1], failed]);
  expect(positions(sampler)).toEqual([1, 0, 1, 0]);
  expect(sampler.rowErrors()).toEqual([
    { row: 1, code: "not_finite", message: expect.stringContaining("index 7") },
    { row: 3, code: "nothing_left", message: expect.stringMatching(/./) },
  ]);
});

test("sampler.sampleBatch(logits, n) goes on where a failed row stayed", () => {
  const [sampler, undisturbed] = [seeded(), seeded()];
  const good = rowsOf(2);
  const bad = good.slice();
  rowOf(bad, 1)[0] = Number.NaN;
  sampler.sampleBatch(bad, 2);
  undisturbed.sample(rowOf(good, 0));
  expect([...sampler.sampleBatch(good, 2)]).toEqual([...undisturbed.sampleBatch(good, 2)]);
});

test("sampler.rowErrors() is about the latest batch", () => {
  const sampler = seeded();
  expect(sampler.rowErrors()).toEqual([]);
  const bad = rowsOf(2).fill(dead, 0, nVocab);
  sampler.sampleBatch(bad, 2);
  expect(sampler.rowErrors()).toMatchObject([{ row: 0, code: "nothing_left" }]);
  sampler.sample(scattered(nVocab));
  expect(thrown(() => sampler.sampleBatch(bad, [9])).code).toBe("row_unknown");
  expect(sampler.rowErrors()).toMatchObject([{ row: 0, code: "nothing_left" }]);
  sampler.sampleBatch(rowsOf(2), 2);
  expect(sampler.rowErrors()).toEqual([]);
});

test("sampler.rowErrors() names a row's own error: a history outside the vocabulary", () => {
  const sampler = seeded();
  const row = sampler.addRow();
  sampler.accept(nVocab, row);
  expect(sampler.sampleBatch(rowsOf(2), 2)[1]).toBe(failed);
  expect(sampler.rowErrors()).toMatchObject([{ row, code: "bad_token" }]);
});

const wrongBatches: [string, string, unknown, number, object][] = [
  ["empty", "no row", 0, 2, { option: "rows" }],
  ["empty", "no ids", [], 2, { option: "rows" }],
  ["empty", "no logits", 2, 0, { option: "logits" }],
  ["wrong_length", "logits that the rows do not divide", 3, 2, { option: "logits" }],
  ["wrong_length", "more rows than logits", 101, 2, { option: "logits" }],
  ["out_of_range", "an id twice", [1, 0, 1], 3, { option: "rows" }],
  ["row_unknown", "an id that was never added", [0, 5], 2, { row: 5 }],
  ["row_unknown", "an id that was removed", [0, 2], 2, { row: 2 }],
  ["row_unknown", "a count that includes a removed row", 3, 3, { row: 2 }],
  ["out_of_range", "a count that is a fraction", 1.5, 2, { option: "rows" }],
  ["out_of_range", "a count of -1", -1, 2, { option: "rows" }],
  ["out_of_range", "an id of -1", [-1], 1, { option: "rows" }],
  ["wrong_type", "null", null, 2, { option: "rows" }],
  ["wrong_type", "a string", "2", 2, { option: "rows" }],
  ["wrong_type", "undefined", undefined, 2, { option: "rows" }],
  ["wrong_type", "a word inside", ["0"], 1, { option: "rows" }],
];

test.each(wrongBatches)("sampler.sampleBatch(logits, rows) is %s for %s, and no row moves", (...of) => {
  const [code, , rows, n, details] = of;
  const sampler = seeded();
  sampler.addRow();
  sampler.removeRow(sampler.addRow());
  const before = sampler.state();
  const error = thrown(() => sampler.sampleBatch(rowsOf(n), untyped(rows)));
  expect(error).toMatchObject({ code, ...details });
  expect(sampler.state()).toEqual(before);
});

test("sampler.sampleBatch(logits, rows, { masks }) takes a mask a row, in the batch's order", () => {
  const sampler = seeded();
  sampler.addRow();
  sampler.addRow();
  const logits = rowsOf(3);
  const masks = [maskOf(nVocab, [4]), undefined, maskOf(nVocab, [33])];
  const expected = [4, seeded({ stream: 0 }).sample(rowOf(logits, 1)), 33];
  expect([...sampler.sampleBatch(logits, [2, 0, 1], { masks })]).toEqual(expected);
});

test("sampler.sampleBatch(logits, rows, { masks }) takes all masks one after the other, too", () => {
  const masks = [maskOf(nVocab, [4]), maskOf(nVocab, [5, 6]), maskOf(nVocab, [33])];
  const flat = Uint32Array.from(masks.flatMap((mask) => [...mask]));
  const logits = rowsOf(3);
  expect(seeded().sampleBatch(logits, 3, { masks: flat })).toEqual(
    seeded().sampleBatch(logits, 3, { masks }),
  );
});

test("sampler.sampleBatch(logits, rows, { masks }) fails only the rows whose mask leaves nothing", () => {
  const sampler = seeded();
  const masks = [maskOf(nVocab, []), maskOf(nVocab, [8])];
  expect([...sampler.sampleBatch(rowsOf(2), 2, { masks })]).toEqual([failed, 8]);
  expect(sampler.rowErrors()).toMatchObject([{ row: 0, code: "nothing_left" }]);
});

const wrongMasks: [string, string, unknown, object][] = [
  ["wrong_length", "too few masks", [maskOf(nVocab, [1])], { option: "masks", accepted: "2" }],
  ["wrong_length", "too many masks", Array(3).fill(undefined), { option: "masks", accepted: "2" }],
  ["wrong_length", "a short mask", [undefined, Uint32Array.of(1)], { option: "masks.1", accepted: "2" }],
  ["wrong_length", "a flat array too short", new Uint32Array(3), { option: "masks", accepted: "4" }],
  ["wrong_length", "a flat array too long", new Uint32Array(5), { option: "masks", accepted: "4" }],
  ["wrong_length", "an empty list", [], { option: "masks", accepted: "2" }],
  ["wrong_type", "null", null, { option: "masks" }],
  ["wrong_type", "a number", 1, { option: "masks" }],
  ["wrong_type", "another typed array", new Uint8Array(4), { option: "masks" }],
  ["wrong_type", "null for a row", [undefined, null], { option: "masks.1" }],
  ["wrong_type", "a list for a row", [[1, 0], undefined], { option: "masks.0" }],
];

test.each(wrongMasks)("sampler.sampleBatch(logits, 2, { masks }) is %s for %s", (code, _, masks, details) => {
  const sampler = seeded();
  const before = sampler.state();
  const error = thrown(() => sampler.sampleBatch(rowsOf(2), 2, { masks: untyped(masks) }));
  expect(error).toMatchObject({ code, ...details });
  expect(sampler.state()).toEqual(before);
});

test("sampler.sampleBatch(logits, 0, { masks }) says that there is no row, whatever the masks", () => {
  for (const masks of [[], new Uint32Array(0), new Uint32Array(2), [maskOf(nVocab, [1])]]) {
    expect(thrown(() => seeded().sampleBatch(rowsOf(1), 0, { masks }))).toMatchObject({
      code: "empty",
      option: "rows",
    });
  }
});

test("sampler.sampleBatch(logits, 2, { masks }) says that the rows do not divide the logits, whatever the masks", () => {
  for (const masks of [undefined, [undefined, undefined], new Uint32Array(4)]) {
    expect(thrown(() => seeded().sampleBatch(scattered(65), 2, { masks }))).toMatchObject({
      code: "wrong_length",
      option: "logits",
    });
  }
});
