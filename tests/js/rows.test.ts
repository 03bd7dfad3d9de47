// Rows: their ids, their options over the sampler's, their streams.
import { expect, test } from "vitest";
import { ln, scattered, seeded, thrown, untyped, type WasmSampler } from "./nucleus";

const halves = ln(0.5, 0.3, 0.15, 0.05);
const logits = scattered(100);

const counts = (sampler: WasmSampler, ids: number[]) =>
  ids.map((row) => sampler.distribution(halves, { row }).keptCount);

test("sampler.addRow() returns ids from 1 on, for row 0 is there already", () => {
  const sampler = seeded();
  expect([sampler.addRow(), sampler.addRow({ topK: 1 }), sampler.addRow()]).toEqual([1, 2, 3]);
});

test("sampler.removeRow(id) removes it for good: its id is never used again", () => {
  const sampler = seeded();
  sampler.addRow();
  sampler.addRow();
  sampler.removeRow(2);
  expect(sampler.addRow()).toBe(3);
  sampler.removeRow(1);
  for (const row of [1, 2]) {
    expect(thrown(() => sampler.sample(logits, { row }))).toMatchObject({ code: "row_unknown", row });
    expect(thrown(() => sampler.removeRow(row))).toMatchObject({ code: "row_unknown", row });
  }
  expect(sampler.state().nextRow).toBe(4);
});

test("sampler.removeRow(0) is out_of_range: row 0 stays", () => {
  const sampler = seeded();
  expect(thrown(() => sampler.removeRow(0))).toMatchObject({ code: "out_of_range", option: "row" });
  expect(sampler.sample(logits)).toBeLessThan(100);
});

const rowCalls: [string, (sampler: WasmSampler, row: number) => unknown][] = [
  ["sample(logits, { row })", (sampler, row) => sampler.sample(logits, { row })],
  ["sampleDetailed(logits, { row })", (sampler, row) => sampler.sampleDetailed(logits, { row })],
  ["sampleMany(logits, n, { row })", (sampler, row) => sampler.sampleMany(logits, 2, { row })],
  ["distribution(logits, { row })", (sampler, row) => sampler.distribution(logits, { row })],
  ["report(logits, { row })", (sampler, row) => sampler.report(logits, { row })],
  ["explain(logits, token, { row })", (sampler, row) => sampler.explain(logits, 1, { row })],
  ["logprobs(logits, n, { row })", (sampler, row) => sampler.logprobs(logits, 2, { row })],
  ["accept(token, row)", (sampler, row) => sampler.accept(1, row)],
  ["prompt(tokens, row)", (sampler, row) => sampler.prompt([1], row)],
  ["update(options, row)", (sampler, row) => sampler.update({ topK: 1 }, row)],
  ["removeRow(row)", (sampler, row) => sampler.removeRow(row)],
];

test.each(rowCalls)("sampler.%s is row_unknown for a row that was never added", (_, call) => {
  const error = thrown(() => call(seeded(), 7));
  expect(error).toMatchObject({ code: "row_unknown", row: 7 });
  expect(error.message).toContain("7");
});

test.each(rowCalls)("sampler.%s is about that row only", (_, call) => {
  const sampler = seeded();
  const row = sampler.addRow();
  const [before] = sampler.state().rows as unknown[];
  call(sampler, row);
  expect((sampler.state().rows as unknown[])[0]).toEqual(before);
});

test.each(rowCalls)("sampler.%s takes a row that is an integer from 0 to 2^32 - 1", (_, call) => {
  for (const row of [-1, 0.5, 2 ** 32, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(thrown(() => call(seeded(), row))).toMatchObject({ code: "out_of_range", option: "row" });
  }
  for (const row of [null, "0", 0n, [0], {}, true]) {
    expect(thrown(() => call(seeded(), untyped(row)))).toMatchObject({ code: "wrong_type", option: "row" });
  }
});

test("sampler.addRow(options) lets the row's own options win over the sampler's", () => {
  const sampler = seeded({ topK: 3 });
  const own = sampler.addRow({ topK: 1 });
  const plain = sampler.addRow();
  expect(counts(sampler, [0, own, plain])).toEqual([3, 1, 3]);
  sampler.update({ topK: 2 });
  expect(counts(sampler, [0, own, plain])).toEqual([2, 1, 2]);
});

test("sampler.rowOptions(row) has what is in force for the row: its own over the sampler's, its seed and stream", () => {
  const sampler = seeded({ topP: 0.9, topK: 5 });
  const [plain, own] = [
    sampler.addRow(),
    sampler.addRow({ topK: 3, seed: "18446744073709551615", order: ["top_k", "top_p"] }),
  ];
  expect(sampler.rowOptions(0)).toEqual(sampler.options);
  expect(sampler.rowOptions(plain)).toEqual({ ...sampler.options, stream: plain });
  const expected = { topP: 0.9, topK: 3, seed: "18446744073709551615", order: ["top_k", "top_p"], stream: 0 };
  expect(sampler.rowOptions(own)).toMatchObject(expected);
  sampler.update({ topK: 7, topP: 0.5 });
  expect(sampler.rowOptions(plain)).toMatchObject({ topK: 7, topP: 0.5 });
  expect(sampler.rowOptions(own)).toMatchObject({ topK: 3, topP: 0.5 });
  sampler.update({ topK: 2 }, own);
  expect(sampler.rowOptions(own).topK).toBe(2);
});

test("sampler.rowOptions(row) changes nothing, and is an error for what is no row", () => {
  const sampler = seeded();
  const before = sampler.state();
  sampler.rowOptions(0).topK = 9;
  expect(thrown(() => sampler.rowOptions(1))).toMatchObject({ code: "row_unknown", row: 1 });
  expect(thrown(() => sampler.rowOptions(untyped(undefined)))).toMatchObject({
    code: "wrong_type",
    option: "row",
  });
  expect(sampler.state()).toEqual(before);
  sampler.free();
  expect(thrown(() => sampler.rowOptions(0)).code).toBe("freed");
});

test("sampler.sampleBatch(logits, rows) says what rows may be", () => {
  const said = (rows: unknown) => thrown(() => seeded().sampleBatch(logits, untyped(rows))).message;
  const wanted = "rows must be a number of rows or an array of row ids";
  expect(said(undefined)).toBe(`${wanted}, not undefined`);
  expect(said("2")).toBe(`${wanted}, not a string`);
  expect(said(BigInt64Array.of(0n))).toMatch(new RegExp(`^${wanted} \\(.*\\), not a BigInt64Array$`));
});

test("sampler.sampleBatch(logits, rows) takes ids from whatever lists them", () => {
  const expected = seeded().sampleBatch(logits, [0]);
  for (const rows of [new Set([0]), [0].values(), { length: 1, 0: 0 }, Uint8Array.of(0)])
    expect(seeded().sampleBatch(logits, rows)).toEqual(expected);
});

test("sampler.update(options, row) changes that row, and what it gave stays given", () => {
  const sampler = seeded();
  const row = sampler.addRow();
  sampler.update({ topK: 2 }, row);
  expect(counts(sampler, [0, row])).toEqual([4, 2]);
  sampler.update({ topK: 3 });
  expect(counts(sampler, [0, row])).toEqual([3, 2]);
  sampler.update({ minP: 0.5 });
  expect(counts(sampler, [0, row])).toEqual([2, 2]);
  sampler.update({ topK: 1 }, row);
  expect(counts(sampler, [0, row])).toEqual([2, 1]);
});

test("sampler.update(options, row) with a value equal to the default is still the row's own", () => {
  const sampler = seeded();
  const row = sampler.addRow({ topK: 0 });
  sampler.update({ topK: 1 });
  expect(counts(sampler, [0, row])).toEqual([1, 4]);
});

test("sampler.update(options, 0) gives row 0 options of its own; sampler.options are the sampler's", () => {
  const sampler = seeded({ topK: 3 });
  sampler.update({ topK: 1 }, 0);
  expect(counts(sampler, [0, sampler.addRow()])).toEqual([1, 3]);
  expect(sampler.options.topK).toBe(3);
});

test("sampler.update(options) keeps histories and positions", () => {
  const sampler = seeded({ presencePenalty: 100 });
  sampler.prompt([1]);
  sampler.accept(sampler.sample(halves));
  const before = sampler.state();
  sampler.update({ topK: 2 });
  expect(sampler.state().rows).toEqual(before.rows);
  sampler.update({});
  sampler.update(untyped(undefined));
  expect(sampler.state().rows).toEqual(before.rows);
});

test("sampler.sample(logits, { row }) draws from the row's id as its stream", () => {
  const sampler = seeded();
  const row = sampler.addRow();
  const drawn = [...sampler.sampleMany(logits, 30, { row })];
  expect(drawn).toEqual([...seeded({ stream: row }).sampleMany(logits, 30)]);
  expect(drawn).not.toEqual([...sampler.sampleMany(logits, 30)]);
});

test("sampler.addRow({ seed }) draws from stream 0 of that seed", () => {
  const sampler = seeded();
  sampler.addRow();
  const row = sampler.addRow({ seed: 7 });
  expect([...sampler.sampleMany(logits, 30, { row })]).toEqual([
    ...seeded({ seed: 7 }).sampleMany(logits, 30),
  ]);
});

test("sampler.addRow({ stream }) draws from that stream", () => {
  const sampler = seeded();
  const row = sampler.addRow({ stream: 2 ** 32 - 1 });
  const expected = seeded({ stream: 2 ** 32 - 1 }).sampleMany(logits, 30);
  expect([...sampler.sampleMany(logits, 30, { row })]).toEqual([...expected]);
});

test("sampler.sample(logits, { row }) does not depend on what other rows do in between", () => {
  const alone = seeded();
  alone.addRow();
  const expected = Array.from({ length: 20 }, () => alone.sample(logits, { row: 1 }));
  const busy = seeded();
  busy.addRow();
  const found = expected.map(() => {
    busy.sampleMany(logits, 3);
    busy.accept(5);
    const token = busy.sample(logits, { row: 1 });
    busy.addRow();
    return token;
  });
  expect(found).toEqual(expected);
});
