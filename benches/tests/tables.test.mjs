import assert from "node:assert/strict";
import { test } from "node:test";
import { goals, judgeGoals } from "../goals.mjs";
import { quantities } from "../quantities.mjs";
import { comparisonTable, report, resultText } from "../report.mjs";
import { figure, goalCell, goalSummary, goalTable, grouped, markdownTable } from "../tables.mjs";

const place = { who: "node", shape: "flat", row: "flat", n: 128_256, temperature: 0.8 };
const record = (chain, limits, more = {}) => ({
  ...place,
  chain,
  limits,
  milliseconds: limits * 0.07,
  ...more,
});

test("figure(value) has three figures, grouped(n) commas", () => {
  assert.deepEqual([0.1534, 2.214, 34.52, 512.4].map(figure), ["0.153", "2.21", "34.5", "512"]);
  assert.deepEqual([1000, 128_256, 49].map(grouped), ["1,000", "128,256", "49"]);
});

test("markdownTable(header, lines) aligns numbers to the right", () => {
  assert.equal(markdownTable(["a", "b"], [["x", "1"]]), "| a | b |\n| --- | ---: |\n| x | 1 |");
});

test("judgeGoals(quantities) takes the worst of the large sizes, and knows shapes and small sizes apart", () => {
  const item = (n, shape, value) => ({ quantity: "top-p", shape, row: shape, n, temperature: 0.8, value });
  const cells = judgeGoals([
    item(128_256, "flat", 3.9),
    item(262_144, "flat", 4.1),
    item(32_000, "flat", 4.5),
    item(32_000, "peaked", 2.6),
    item(49_152, "real", 2.2),
  ]);
  const of = (column) => cells.find((cell) => cell.column === column);
  assert.deepEqual([of("flat").reached, of("flat").met, of("flat").aim], [4.1, false, 2.8]);
  assert.deepEqual([of("32000").where.shape, of("32000").met], ["peaked", false]);
  assert.deepEqual([of("real").met, of("peaked"), of("1000")], [true, undefined, undefined]);
});

test("judgeGoals(quantities, { allowance }) raises each goal by it", () => {
  const at = { quantity: "greedy", shape: "flat", row: "flat", n: 128_256, temperature: 0.7, value: 0.3 };
  assert.equal(judgeGoals([at])[0].met, false);
  assert.equal(judgeGoals([at], { allowance: 0.2 })[0].met, true);
});

test("every goal names a quantity that records can give", () => {
  const penalised = ["top-p", "top-k + top-p"].flatMap((chain) => [
    record(`${chain}, 32 penalised`, 4, { tokens: 32 }),
    record(`${chain}, 1000 penalised`, 5, { tokens: 1000 }),
  ]);
  const names = [
    "greedy",
    "no truncation",
    "top-p",
    "top-k + top-p",
    "top-p + min-p",
    "from an array",
    "copy",
  ];
  const distributions = ["distribution", "distribution of a nucleus"].flatMap((name) => [
    record(name, 10),
    record(`${name}, copied out`, 4),
  ]);
  const draws = [
    record("many draws, top-p", 4, { draws: 1000 }),
    record("twice as many, top-p", 104, { draws: 2000 }),
  ];
  const found = quantities([
    ...names.map((name) => record(name, 3)),
    ...penalised,
    ...distributions,
    ...draws,
  ]);
  assert.deepEqual(
    [...new Set(found.map(({ quantity }) => quantity))].sort(),
    goals.map(({ quantity }) => quantity).sort(),
  );
  const value = (name) => found.find(({ quantity }) => quantity === name).value;
  assert.equal(value("distribution, inside wasm"), 6);
  assert.ok(Math.abs(value("sampleMany, a draw") - 0.1 * 0.07 * 1e6) < 1e-6);
  assert.ok(Math.abs(value("penalties, a distinct token") - (0.07 * 1e6) / 968) < 1e-6);
  assert.ok(Math.abs(value("penalties, beyond their tokens") - (1 - 32 / 968)) < 1e-9);
  assert.equal(value("from an array, beyond the copy"), -3);
});

test("goalCell, goalTable and goalSummary show what was reached, bold where it was missed", () => {
  const cells = judgeGoals([
    { ...place, quantity: "top-p", value: 4.5 },
    { ...place, quantity: "greedy", value: 0.1 },
  ]);
  assert.equal(goalCell(cells.find(({ quantity }) => quantity === "greedy")), "0.100 of 0.15");
  assert.match(goalTable(cells), /\| top-p \| {2}\| {2}\| {2}\| \*\*4\.50 of 4 \(2\.8\)\*\* \|/);
  assert.match(
    goalSummary(cells),
    /^1 of 2 goals reached\.\n\nMissed:\n\n- top-p, flat: 4\.50 and not 4 \(flat, 128,256\)$/,
  );
});

test("comparisonTable(records) leaves empty what a sampler lacks", () => {
  const other = { who: "other" };
  const table = comparisonTable([
    record("top-p", 80, other),
    record("top-p", 70, { ...other, shape: "peaked" }),
  ]);
  assert.match(table, /\| other \| 70\.0 \/ – \/ 80\.0 \| {2}\| {2}\| {2}\| {2}\| {2}\|$/);
});

test("report(result) judges a batch by the shape that gains least from a second core", () => {
  const batch = (cores, row, milliseconds) => ({
    ...{ who: "native", chain: `batch, ${cores}`, shape: row, row, n: 32_000, temperature: 0.8 },
    ...{ milliseconds, limits: 1, rounds: 1 },
  });
  const verdict = (slow) => {
    const both = ["peaked", "flat"].map((row) => batch("one thread", row, 2));
    const records = [...both, batch("two threads", "peaked", 1), batch("two threads", "flat", slow)];
    const facts = { date: "", machine: {}, versions: {}, passes: {}, quick: false, missing: [] };
    return /Goal: 2 cores .*: (.*)\.\n/.exec(report({ ...facts, records }))?.[1];
  };
  assert.equal(verdict(1.1), "reached");
  assert.equal(verdict(1.3), "**missed**");
});

test("report(result) names who is missing and why, and says when it is rough", () => {
  const text = report({
    date: "2026-01-01",
    machine: { cpu: "a processor", cores: 2, system: "Linux x64" },
    versions: { Node: "20" },
    passes: { node: 11.2 },
    quick: true,
    records: [record("limit", 1), record("greedy", 0.1)],
    missing: [{ who: "torch", why: "not installed" }],
  });
  assert.match(text, /- torch: not installed/);
  assert.match(text, /these figures are rough/);
  assert.match(text, /in node 11\.2/);
});

test("resultText(result) is JSON with a record a line, times to five figures, sizes whole", () => {
  const text = resultText({ date: "2026-01-01", records: [record("greedy", 1 / 3), record("top-p", 2)] });
  const { date, records } = JSON.parse(text);
  assert.equal(date, "2026-01-01");
  assert.deepEqual([records[0].limits, records[0].n, records[1].chain], [0.33333, 128_256, "top-p"]);
  assert.equal(text.split("\n").filter((line) => line.includes('"chain"')).length, 2);
});
