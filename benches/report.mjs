// The whole report as Markdown, from the same data that is written as JSON.
import { boundsOf } from "./bounds.mjs";
import { comparedChains, temperatures } from "./chains.mjs";
import { batchGoal } from "./goals.mjs";
import { median } from "./measure.mjs";
import { comparedSize } from "./rows.mjs";
import {
  detailTable,
  figure,
  goalSummary,
  goalTable,
  goalTables,
  grouped,
  markdownTable,
} from "./tables.mjs";

const oneThread = "batch, one thread";
const titles = { node: "In Node", page: "In a page", native: "Natively" };
const comparedShapes = ["peaked", "medium", "flat"];

const method = `The yardstick is the *two-pass limit*: one pass for the maximum of a row and one for the sum of its exponentials, with 128-bit
SIMD and a polynomial of degree 5 (\`benches/yardstick\`). All figures are multiples of it unless a unit is given.

- What is timed of the sampler is \`sample(buffer)\` of the public JavaScript face, checks included, logits already in wasm
  memory (\`logitsBuffer\`); natively \`Sampler::sample\`.
- Rows: *real*, five of a model with 49,152 tokens (\`tests/golden/rows\`); *peaked*, 48 Zipf peaks that hold 98% of the mass;
  *medium*, a gaussian whose nucleus has 1,000 tokens (100 of 1,000); *flat*, N(0,1). They come from a fixed seed
  (\`benches/rows.mjs\`) and are the same for everyone.
- Calls are timed in groups, and every task takes its turn in every round. A group is compared with the limit
  measured just before it in the same process; a figure is the median over the rounds of that ratio. Medians of real rows are over
  the five.
- A goal is judged by the worst row, shape and size that it covers. At temperature 0.7 a chain may cost 0.2 more.
- top-p is 0.95, top-k 40, min-p 0.05, the temperature 0.8 unless said. Penalties: two histories of distinct tokens, the
  difference of which is what one token costs. \`sampleMany\`: what each draw of the second half costs. \`distribution\`: less what
  handing its arrays over to JavaScript costs.`;

function goalSections(records, who) {
  return goalTables(records.filter((record) => record.who === who)).flatMap(({ temperature, cells }) => [
    `### ${titles[who]}, temperature ${temperature}`,
    "Reached, of the goal (in brackets: the aim); bold where the goal was missed.",
    goalTable(cells),
    goalSummary(cells),
  ]);
}

/** Why goals were missed. */
function boundsSection(records) {
  const tables = ["node", "page"].flatMap((who) =>
    goalTables(records.filter((record) => record.who === who)),
  );
  const list = boundsOf(tables);
  return list === "" ? [] : ["### What bounds what was missed", list];
}

/** Several cores against one, from the native runner's records of a batch. */
function batchSection(records) {
  const batches = records.filter(({ chain }) => chain.startsWith("batch, "));
  if (batches.length === 0) return [];
  const alone = (row) => batches.find((one) => one.chain === oneThread && one.row === row).milliseconds;
  const gains = batches.map(({ row, milliseconds }) => alone(row) / milliseconds);
  const lines = batches.map(({ chain, row, n, milliseconds }, i) => [
    `${chain}: ${batchGoal.rows} rows, ${row}, ${grouped(n)}`,
    figure(milliseconds),
    figure(gains[i]),
  ]);
  const worst = Math.min(...gains.filter((_, i) => batches[i].chain !== oneThread));
  const verdict = Number.isFinite(worst)
    ? worst >= batchGoal.atLeast
      ? "reached"
      : "**missed**"
    : "not measured";
  return [
    "### A batch, natively",
    markdownTable(["batch", "ms", "times one thread"], lines),
    `Goal: ${batchGoal.cores} cores at least ${batchGoal.atLeast} times one: ${verdict}.`,
  ];
}

/** "17.2 / 102 / 121" over the shapes, or the median over the real rows. */
function comparedCells(own, chain) {
  const here = own.filter((record) => record.chain === chain && record.temperature === temperatures[0]);
  const large = comparedShapes.map((shape) =>
    here.find((record) => record.shape === shape && record.n === comparedSize),
  );
  const real = here.filter(({ shape }) => shape === "real").map(({ limits }) => limits);
  const text = large.some(Boolean)
    ? large.map((record) => (record ? figure(record.limits) : "–")).join(" / ")
    : "";
  return [text, real.length > 0 ? figure(median(real)) : ""];
}

/** Everyone beside each other. */
export function comparisonTable(records) {
  const everyone = [...new Set(records.map(({ who }) => who))];
  const header = ["who", ...comparedChains.flatMap((chain) => [chain, "real"])];
  const lines = everyone.map((who) => {
    const own = records.filter((record) => record.who === who);
    const name = titles[who] ? `**this sampler, ${titles[who].toLowerCase()}**` : who;
    return [name, ...comparedChains.flatMap((chain) => comparedCells(own, chain))];
  });
  return markdownTable(header, lines);
}

function detailSections(records) {
  const own = Object.keys(titles).filter((who) => records.some((record) => record.who === who));
  return own.flatMap((who) =>
    temperatures.flatMap((temperature) => [
      `### ${titles[who]}, temperature ${temperature}`,
      detailTable(
        records.filter((record) => record.who === who),
        temperature,
      ),
    ]),
  );
}

/** How well each engine compiles the limit: a limit that is slow in one flatters everything measured against it there. */
function passesSection(passes) {
  const each = Object.entries(passes).map(([who, value]) => `${titles[who].toLowerCase()} ${figure(value)}`);
  if (each.length === 0) return [];
  return [
    `A maximum alone fits into the limit so often: ${each.join(", ")}. The more, the worse the engine compiles the limit.`,
  ];
}

/** The report. `result` is what the JSON holds. */
export function report({ date, machine, versions, passes, quick, records, missing }) {
  const facts = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  const sections = [
    "# Benchmarks",
    `${date}, ${machine.cpu}, ${machine.cores} cores, ${machine.system}. ${facts.join(", ")}.`,
    ...(quick ? ["**Few rounds: these figures are rough.**"] : []),
    "Made by `npm run bench -- --write`, all in one run. The figures of every row are in `benchmarks.json`.",
    "## Method",
    method,
    ...passesSection(passes),
    "## Goals",
    ...goalSections(records, "node"),
    ...goalSections(records, "page"),
    ...batchSection(records),
    ...boundsSection(records),
    "## Everyone",
    `${comparedShapes.join(" / ")} at ${grouped(comparedSize)} logits, and the median of the real rows. Multiples of the limit.`,
    comparisonTable(records),
    ...(missing.length > 0
      ? ["Not measured:", missing.map(({ who, why }) => `- ${who}: ${why}`).join("\n")]
      : []),
    "## Every row",
    "Where a cell has two figures, they are for the two chains that the quantity is measured with.",
    ...detailSections(records),
  ];
  return `${sections.join("\n\n")}\n`;
}

const digits = 5;
const rounded = (_, value) => (typeof value === "number" ? Number(value.toPrecision(digits)) : value);

/** The result as JSON, a record a line, so that two runs can be laid side by side. */
export function resultText({ records, ...facts }) {
  const head = JSON.stringify(facts, null, 1).replace(/\n\}$/, "");
  const lines = records.map((record) => {
    const { n, ...rest } = record;
    return `  ${JSON.stringify({ n, ...JSON.parse(JSON.stringify(rest, rounded)) })}`;
  });
  return `${head},\n "records": [\n${lines.join(",\n")}\n ]\n}\n`;
}
