// `npm run check`, `npm test` and `npm run test:long`: sets up what the suites need, runs them in order, each with
// its own runner's output, and ends with a table and the runners' own summaries.
import { existsSync } from "node:fs";
import process from "node:process";
import { browserEnvironment, ensureBrowser } from "./browser.mjs";
import { buildPackage } from "./build-package.mjs";
import { buildSite } from "./build-site.mjs";
import { buildTrap } from "./build-trap.mjs";
import { checkNode, ensurePackages } from "./packages.mjs";
import { inRoot, isMain } from "./paths.mjs";
import { capture } from "./processes.mjs";
import { checkRust } from "./rust.mjs";
import { ensureComponents, ensureWasmClippy } from "./rust-components.mjs";
import { duration, runMain, StepFailure, say } from "./steps.mjs";
import { suites } from "./suites.mjs";
import { readers } from "./summaries.mjs";
import { ensureWasmToolchain } from "./toolchain.mjs";
import { ensureTools } from "./tools.mjs";

const usualLimitMinutes = 10;
const levels = {
  check: (suite) => suite.level === "check",
  test: (suite) => suite.level !== "long",
  long: (suite) => suite.level === "long",
};

// Parts of set-up in the order they are made; a later one may use what an earlier one made.
const parts = {
  packages: ensurePackages,
  components: ensureComponents,
  toolchain: ensureWasmToolchain,
  "wasm-clippy": ({ toolchain }) => ensureWasmClippy(toolchain),
  "wasm-pack": () => ensureTools(["wasm-bindgen-cli", "wasm-pack"]),
  browser: ensureBrowser,
  package: buildPackage,
  site: buildSite,
  trap: buildTrap,
};

/** The suites of a command, or of the names given instead; a name that no suite has is a failure. */
export function chooseSuites(level, names, all = suites) {
  if (!Object.hasOwn(levels, level))
    throw new StepFailure(
      `"${level}" is no command of this script: use one of ${Object.keys(levels).join(", ")}.`,
    );
  const unknown = names.find((name) => !all.some((suite) => suite.name === name));
  if (unknown !== undefined)
    throw new StepFailure(
      `There is no suite "${unknown}": the suites are ${all.map(({ name }) => name).join("; ")}.`,
    );
  return names.length > 0 ? all.filter(({ name }) => names.includes(name)) : all.filter(levels[level]);
}

async function setUp(chosen) {
  checkNode();
  await checkRust();
  const made = {};
  for (const [part, make] of Object.entries(parts))
    if (chosen.some(({ needs = [] }) => needs.includes(part))) made[part] = await make(made);
  return { toolchain: made.toolchain, tools: made["wasm-pack"], browser: made.browser };
}

/** Whether a finished suite passed: its exit code decides, and a runner of tests must have run one. */
export function judge({ code, timedOut }, summary, limitMinutes) {
  if (timedOut) return `stopped after ${limitMinutes} minutes`;
  if (code !== 0) return `exit ${code}`;
  if (summary.passed === 0) return "ran no test";
  return "";
}

// Runners see a pipe; whether to colour is decided by where their output ends up.
const colours = process.stdout.isTTY
  ? { FORCE_COLOR: "1", CARGO_TERM_COLOR: "always" }
  : { NO_COLOR: "1", CARGO_TERM_COLOR: "never" };

async function runSuite(suite, made) {
  say(`\n=== ${suite.name}: ${suite.why}`);
  const began = performance.now();
  const finish = (problem, summary) => ({ suite, problem, summary, milliseconds: performance.now() - began });
  const missing = (suite.uses ?? []).find((path) => !existsSync(inRoot(path)));
  if (missing) return finish(`${missing} is missing`, { lines: [`${missing} is missing, so nothing ran`] });
  const [command, ...args] = typeof suite.command === "function" ? suite.command(made) : suite.command;
  const env = {
    ...process.env,
    ...colours,
    ...(made.browser ? browserEnvironment(made.browser) : {}),
    ...(await suite.environment?.(made)),
  };
  const limitMinutes = suite.limitMinutes ?? usualLimitMinutes;
  const onText = (text, stream) => process[stream].write(text);
  const result = await capture(command, args, { env, limitSeconds: limitMinutes * 60, onText });
  const summary = readers[suite.reader ?? "check"](`${result.stdout}\n${result.stderr}`);
  return finish(judge(result, summary, limitMinutes), summary);
}

function tableLine({ suite, problem, summary, milliseconds }, width) {
  const tests = summary.passed === undefined ? "" : `${summary.passed} passed`;
  const skipped = summary.skipped > 0 ? `, ${summary.skipped} skipped` : "";
  const seconds = (milliseconds / 1000).toFixed(1).padStart(7);
  return `${problem ? "FAILED" : "passed"}  ${suite.name.padEnd(width)} ${seconds} s  ${problem ? `${problem} ` : ""}${tests}${skipped}`.trimEnd();
}

function conclude(results, milliseconds) {
  const width = Math.max(...results.map(({ suite }) => suite.name.length));
  say(`\n=== suites, ${duration(milliseconds)} with set-up`);
  for (const result of results) say(tableLine(result, width));
  const sum = (field) => results.reduce((total, { summary }) => total + (summary[field] ?? 0), 0);
  say(`total: ${sum("passed")} passed, ${sum("failed")} failed, ${sum("skipped")} skipped`);
  say("\n=== the runners' own summaries");
  for (const { suite, summary } of results) {
    say(`--- ${suite.name}`);
    for (const line of summary.lines) say(line);
  }
}

async function main([level = "test", ...names]) {
  const began = performance.now();
  const chosen = chooseSuites(level, names);
  say(`Nucleus: ${chosen.length} suites`);
  const made = await setUp(chosen);
  const results = [];
  for (const suite of chosen) results.push(await runSuite(suite, made));
  conclude(results, performance.now() - began);
  return results.some(({ problem }) => problem) ? 1 : 0;
}

if (isMain(import.meta.url)) await runMain(main);
