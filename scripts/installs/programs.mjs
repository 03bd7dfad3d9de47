// Installs that run as programs: in Node, and in the engines that npm carries.
import process from "node:process";
import { npmEngine } from "../engines/fetched.mjs";
import { capture } from "../processes.mjs";
import { choices, judged, missing, stated } from "./outcome.mjs";
import { makeProject, outcomeOf } from "./project.mjs";

const node = [process.execPath];

async function eachChoice(folder, command, program) {
  const outcomes = [];
  for (const { choice } of choices)
    outcomes.push(await outcomeOf(folder, [...command, program, JSON.stringify({ choice })]));
  return outcomes;
}

/** Every program in one project, as rows. */
async function rowsOf(title, version, command, programs) {
  const folder = await makeProject(title.toLowerCase());
  const rows = [];
  for (const [what, program] of Object.entries(programs))
    rows.push(judged(`${title}, ${what}`, version, await eachChoice(folder, command, program)));
  return rows;
}

const common = {
  import: "esm.mjs",
  "nucleus-sampler/inline": "inline.mjs",
  "nucleus-sampler/worker": "worker.mjs",
};

const ofNode = { ...common, require: "require.cjs" };

async function fromNpm(name, title, args, programs = common) {
  const { program, why } = await npmEngine(name);
  if (why) return [missing(title, why)];
  const version = (await capture(program, ["--version"])).stdout.match(/\d+\.\d+\.\d+/)?.[0] ?? "";
  return rowsOf(title, version, [program, ...args], programs);
}

/** Later Nodes than the one that runs this. */
async function laterNodes() {
  const rows = [];
  for (const name of ["node-22", "node-24", "node-26"])
    rows.push(...(await fromNpm(name, "Node", [], ofNode)));
  return rows;
}

/** Importing everything, as a server does that renders a page. */
async function rendering() {
  const folder = await makeProject("render");
  const { failed, touched, loaded } = await outcomeOf(folder, [...node, "render.mjs"]);
  const wrong =
    failed ?? (touched.length > 0 ? `an import touched ${touched.join(", ")}` : missingNames(loaded));
  const name = "server-side rendering (Node)";
  return [stated(name, process.versions.node, "5 entries imported, nothing touched", wrong)];
}

const missingNames = (loaded) => {
  const empty = Object.entries(loaded).find(([, names]) => !names);
  return empty && `nucleus-sampler${empty[0]} exports nothing`;
};

export const programInstalls = {
  node: () => rowsOf("Node", process.versions.node, node, ofNode),
  "later nodes": laterNodes,
  rendering,
  bun: () => fromNpm("bun", "Bun", ["run"]),
  deno: () => fromNpm("deno", "Deno", ["run", "--allow-read"]),
};
