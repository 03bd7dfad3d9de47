// Other samplers, each with the limit measured beside it in its own process; what is missing is named, with the reason.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { findProgram, inRoot } from "../scripts/paths.mjs";
import { follow, StepFailure } from "../scripts/steps.mjs";
import { buildNative } from "./build.mjs";
import { runJavaScript } from "./js/run.mjs";
import { keptBy } from "./kept.mjs";
import { clock, loadPackage } from "./node.mjs";
import { runProgram, sortObjects } from "./programs.mjs";
import { comparedSize } from "./rows.mjs";
import { startYardstick } from "./yardstick.mjs";

const crates = ["candle-transformers", "llm-samplers"];

/** The rows that others are measured on: the compared size, and the real ones. */
const comparedRows = (rows) => rows.filter(({ shape, n }) => shape === "real" || n === comparedSize);

/** Installs what benches/js names; where that fails, loading says who is missing. */
async function installJavaScript(see) {
  const folder = inRoot("benches/js");
  if (existsSync(path.join(folder, "node_modules"))) return;
  see?.("JavaScript samplers: installing what benches/js/package-lock.json names");
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
  await follow("npm", args, { cwd: folder, limitSeconds: 900 });
}

/** A failure becomes a line about who is missing: one sampler's trouble is no other's. */
async function orMissing(who, run) {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof StepFailure)) throw error;
    return { missing: [{ who, why: error.message }] };
  }
}

async function runRust(context) {
  context.see?.("Rust samplers: compiling, then every row");
  const program = path.join(await buildNative("peers"), "rust-peers");
  const { records, drawn } = sortObjects(await runProgram(program, [], context));
  const lock = await readFile(inRoot("benches/peers/Cargo.lock"), "utf8");
  const version = (crate) => lock.match(new RegExp(`name = "${crate}"\nversion = "([^"]+)"`))?.[1];
  // The limit is measured with each sampler, and one record of it is enough.
  const versions = Object.fromEntries(crates.map((crate) => [crate, version(crate)]));
  return { records: records.filter(({ chain }) => chain !== "limit"), drawn, versions };
}

const libraryNames = ["libtwo_pass_limit.so", "libtwo_pass_limit.dylib", "two_pass_limit.dll"];

async function runPython(context) {
  context.see?.("Python samplers: every row");
  const python = findProgram(["python3", "python"]);
  if (!python) throw new StepFailure("no Python is in PATH");
  const folder = await buildNative("yardstick");
  const library = libraryNames.map((name) => path.join(folder, name)).find(existsSync);
  if (!library) throw new StepFailure("the limit could not be built as a shared library");
  const script = inRoot("benches/python/peers.py");
  const { records, drawn, others } = sortObjects(await runProgram(python, [script], context, [library]));
  return { records, drawn, versions: others[0].versions, missing: others[0].missing };
}

/** Holds what others drew against this sampler's kept sets; a token outside is an error, not a figure. */
function checkDrawn(WasmSampler, rows, drawn) {
  for (const { who, chain, row: name, n, drawn: tokens } of drawn) {
    const row = rows.find((row) => row.name === name && row.n === n);
    const kept = keptBy(WasmSampler, row, chain, { slack: true });
    const outside = tokens.find((token) => !kept.has(token));
    if (outside !== undefined)
      throw new Error(
        `${who} drew token ${outside} under ${chain} from ${name}, which is not among the ${kept.size} kept.`,
      );
  }
}

/** candle's top-p after top-k does not renormalise what top-k kept: its set is larger by that rule. */
const otherRule = ({ who, chain }) => who === "candle-transformers" && chain === "top-k + top-p";

/** Measures everyone who is here: `{ records, versions, missing }`. */
export async function runPeers({ dist, yardstickBytes, rows: all, timing, check, see }) {
  const rows = comparedRows(all);
  const context = { rows, timing, check, see };
  const yardstick = await startYardstick(yardstickBytes);
  await installJavaScript(see);
  const parts = [
    await runJavaScript({ ...context, yardstick, timing: { ...timing, ...clock } }),
    await orMissing("Rust samplers", () => runRust(context)),
    await orMissing("Python samplers", () => runPython(context)),
  ];
  const { WasmSampler } = await loadPackage(dist);
  const drawn = parts.flatMap((part) => part.drawn ?? []).filter((one) => !otherRule(one));
  checkDrawn(WasmSampler, rows, drawn);
  see?.(
    `${drawn.length * (drawn[0]?.drawn.length ?? 0)} tokens of others are all in this sampler's kept sets`,
  );
  return {
    records: parts.flatMap((part) => part.records ?? []),
    versions: Object.assign({}, ...parts.map((part) => part.versions ?? {})),
    missing: parts.flatMap((part) => part.missing ?? []),
  };
}
