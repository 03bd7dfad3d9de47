// JavaScript engines without a page: each runs tests/engines/run.mjs over both builds of the package.
import process from "node:process";
import { inRoot } from "../paths.mjs";
import { capture } from "../processes.mjs";
import { npmEngine } from "./fetched.mjs";
import { packageModules } from "./modules.mjs";
import { judged, missing } from "./outcome.mjs";

const runner = inRoot("tests/engines/run.mjs");

async function compareEach(name, version, command) {
  const rows = [];
  for (const [build, module] of Object.entries(await packageModules())) {
    const [program, ...args] = [...command, runner, module];
    rows.push(judged(`${name}, ${build}`, version, await capture(program, args, { limitSeconds: 600 })));
  }
  return rows;
}

async function fromNpm(name, title, args) {
  const { program, why } = await npmEngine(name);
  if (why) return [missing(title, why)];
  const version = (await capture(program, ["--version"])).stdout.trim().split("\n").join(", ");
  return compareEach(title, version, [program, ...args]);
}

const v8 = `V8 ${process.versions.v8}, Node ${process.versions.node}`;

export const javascriptEngines = {
  node: () => compareEach("Node", v8, [process.execPath]),
  "node liftoff": () =>
    compareEach("Node, baseline compiler alone", v8, [process.execPath, "--liftoff-only"]),
  "node turbofan": () =>
    compareEach("Node, optimising compiler alone", v8, [process.execPath, "--no-liftoff"]),
  deno: () => fromNpm("deno", "Deno (V8)", ["run", "--allow-read"]),
  bun: () => fromNpm("bun", "Bun (JavaScriptCore)", ["run"]),
};
