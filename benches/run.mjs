// `npm run bench`: every runner in turn, then the tables. `--write` puts them into docs/.
import { writeFile } from "node:fs/promises";
import os from "node:os";
import process from "node:process";
import { parseArgs } from "node:util";
import { buildPackage } from "../scripts/build-package.mjs";
import { ensurePackages } from "../scripts/packages.mjs";
import { distFolder, inRoot, isMain } from "../scripts/paths.mjs";
import { runMain, StepFailure, say } from "../scripts/steps.mjs";
import { buildYardstick } from "./build.mjs";
import { runNative } from "./native.mjs";
import { runNode } from "./node.mjs";
import { runPage } from "./page.mjs";
import { runPeers } from "./peers.mjs";
import { report, resultText } from "./report.mjs";
import { allRows } from "./rows.mjs";

/** Runners by the name that `--only` takes, in the order in which they run. */
const runners = { node: runNode, native: runNative, page: runPage, peers: runPeers };

const usage = `npm run bench -- [--only ${Object.keys(runners).join("|")}]... [--quick] [--write] [--rows words] [--package dist]`;

/** How long each task is run in before it is timed, how long a group of calls takes, and how many there are. */
const timings = {
  full: { rounds: 60, warmMilliseconds: 150, groupMilliseconds: 1 },
  quick: { rounds: 15, warmMilliseconds: 30, groupMilliseconds: 0.4 },
};
const drawCounts = { full: 1_000_000, quick: 100_000 };

const options = {
  only: { type: "string", multiple: true },
  quick: { type: "boolean", default: false },
  write: { type: "boolean", default: false },
  rows: { type: "string", multiple: true },
  package: { type: "string" },
};

function readArguments(args) {
  let values;
  try {
    values = parseArgs({ args, options }).values;
  } catch (error) {
    throw new StepFailure(`${error.message} Usage: ${usage}`);
  }
  const only = (values.only ?? Object.keys(runners)).flatMap((names) => names.split(","));
  const unknown = only.find((name) => !Object.hasOwn(runners, name));
  if (unknown !== undefined) throw new StepFailure(`There is no runner "${unknown}". Usage: ${usage}`);
  const narrowing = ["only", "quick", "rows", "package"].filter((name) => values[name]);
  if (values.write && narrowing.length > 0)
    throw new StepFailure(
      `Only a whole run of this checkout is written: leave out --${narrowing.join(", --")}.`,
    );
  return { ...values, only };
}

/** The rows whose name and size contain every word of one of the wishes: `--rows "flat 1000"`. */
function chooseRows(rows, wishes) {
  const fits = ({ name, n }, wish) =>
    wish.split(" ").every((word) => `${name} ${n}`.split(" ").includes(word));
  const chosen = wishes ? rows.filter((row) => wishes.some((wish) => fits(row, wish))) : rows;
  if (chosen.length === 0)
    throw new StepFailure(
      `--rows names no row: the rows are ${rows.map(({ name, n }) => `"${name} ${n}"`).join(", ")}.`,
    );
  return chosen;
}

async function measureAll(args) {
  if (!args.package) {
    await ensurePackages();
    await buildPackage();
  }
  const size = args.quick ? "quick" : "full";
  const context = {
    dist: args.package ?? distFolder,
    yardstickBytes: await buildYardstick(),
    rows: chooseRows(await allRows(), args.rows),
    timing: timings[size],
    draws: drawCounts[size],
    // A busy machine fails the check too; a rough look may be had all the same.
    check: !args.quick,
    see: say,
  };
  const result = { records: [], versions: {}, passes: {}, missing: [] };
  for (const name of args.only) {
    const { records = [], versions = {}, missing = [], passes } = await runners[name](context);
    if (passes !== undefined) result.passes[name] = passes;
    result.records.push(...records);
    result.missing.push(...missing);
    Object.assign(result.versions, versions);
  }
  return result;
}

const machine = () => ({
  cpu: os.cpus()[0]?.model.trim() ?? "an unknown processor",
  cores: os.availableParallelism(),
  system: `${os.type()} ${os.arch()}`,
});

/** Both say the same: the Markdown is made of the JSON as it is written. */
async function write(result) {
  const text = resultText(result);
  await writeFile(inRoot("docs/benchmarks.json"), text);
  await writeFile(inRoot("docs/benchmarks.md"), report(JSON.parse(text)));
  say("Written: docs/benchmarks.md and docs/benchmarks.json");
}

async function main(words) {
  const args = readArguments(words);
  const measured = await measureAll(args);
  const date = new Date().toISOString().slice(0, 10);
  const result = { date, machine: machine(), quick: args.quick, ...measured };
  process.stdout.write(`\n${report(result)}`);
  if (args.write) await write(result);
}

if (isMain(import.meta.url)) await runMain(main);
