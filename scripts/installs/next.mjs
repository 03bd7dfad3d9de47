// Next, with both of its bundlers: a page that is rendered on the server and runs in a browser, a route in Node and one
// at the edge.
import { spawn } from "node:child_process";
import { cp, rm } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { inRoot } from "../paths.mjs";
import { must } from "../steps.mjs";
import { choices, judged } from "./outcome.mjs";
import { rowsOf } from "./pages.mjs";
import { build, install, makeFolder } from "./project.mjs";
import { addressOf, versionOf } from "./tools.mjs";

const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1" };
const next = [process.execPath, "node_modules/next/dist/bin/next"];

async function project() {
  const folder = await makeFolder("next");
  await cp(inRoot("tests/package/next"), folder, { recursive: true });
  const args = ["ci", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund"];
  const sentence =
    "npm could not install Next: check that the npm registry can be reached, then run this again";
  await must("npm", args, { cwd: folder, limitSeconds: 900 }, sentence);
  await install(folder, "next");
  return folder;
}

/** The server of what was built, while something is done with its address; a start for each choice of a build. */
async function running(folder, act) {
  const [program, script] = next;
  const args = [script, "start", "--hostname", "127.0.0.1", "--port", "0"];
  const server = spawn(program, args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  try {
    return await act(await addressOf(server));
  } finally {
    server.kill();
  }
}

const routed = (folder, route, choice) =>
  running(folder, async (url) => {
    const query = choice === undefined ? "" : `?simd=${choice.simd}`;
    return (await fetch(`${url}api/${route}${query}`)).json();
  });

async function route(folder, title, version, name) {
  const outcomes = [];
  for (const { choice } of choices) outcomes.push(await routed(folder, name, choice));
  return judged(`${title}, a route ${name === "edge" ? "at the edge" : "in Node"}`, version, outcomes);
}

async function bundledBy(folder, bundler) {
  await rm(path.join(folder, ".next"), { recursive: true, force: true });
  await build(folder, [...next, "build", `--${bundler}`], env);
  const title = `Next, ${bundler}`;
  const version = await versionOf("next", folder);
  const rows = await running(folder, (url) => rowsOf(title, version, url));
  for (const name of ["node", "edge"]) rows.push(await route(folder, title, version, name));
  return rows;
}

async function both() {
  const folder = await project();
  return [...(await bundledBy(folder, "turbopack")), ...(await bundledBy(folder, "webpack"))];
}

export const nextInstalls = { next: both };
