// Installs through bundlers: each builds the page's programs as its own documentation says, and what comes out runs.
import { cp, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { inRoot } from "../paths.mjs";
import { choices, judged } from "./outcome.mjs";
import { rowsOf, served } from "./pages.mjs";
import { build, makeProject, outcomeOf } from "./project.mjs";
import { ensureTools, toolHome, versionOf } from "./tools.mjs";

const node = process.execPath;
const toolsOf = (...names) => Object.fromEntries(names.map((name) => [name, toolHome]));

/** A project for a bundler, with its build script and what differs for it. */
export async function projectFor(name, tools, ...folders) {
  await ensureTools();
  const folder = await makeProject(name.replace(/\W/g, "-"), { tools: toolsOf(...tools) });
  for (const other of ["bundlers", ...folders])
    await cp(inRoot("tests/package", other), folder, { recursive: true });
  return folder;
}

/** The page of a bundler that writes scripts and no HTML: its script is a file of `dist`. */
async function page(folder, script) {
  const html = await readFile(path.join(folder, "index.html"), "utf8");
  await writeFile(path.join(folder, "dist/index.html"), html.replace("./main.mjs", script));
}

async function webpackPage() {
  const folder = await projectFor("webpack", ["webpack"]);
  await build(folder, [node, "webpack.mjs", "web", "./main.mjs"]);
  await page(folder, "./main.js");
  return served(path.join(folder, "dist"), async (url) => rowsOf("webpack", await versionOf("webpack"), url));
}

async function webpackNode() {
  const folder = await projectFor("webpack node", ["webpack"]);
  await build(folder, [node, "webpack.mjs", "node", "./esm.mjs"]);
  const outcomes = [];
  for (const { choice } of choices)
    outcomes.push(await outcomeOf(folder, [node, "dist/main.cjs", JSON.stringify({ choice })]));
  return [judged("webpack, for Node", await versionOf("webpack"), outcomes)];
}

async function rollup() {
  const plugins = ["@rollup/plugin-node-resolve", "@web/rollup-plugin-import-meta-assets"];
  const folder = await projectFor("rollup", ["rollup", ...plugins], "rollup");
  await build(folder, [node, "rollup.mjs"]);
  await page(folder, "./main.mjs");
  return served(path.join(folder, "dist"), async (url) =>
    rowsOf("Rollup, plugin for assets", await versionOf("rollup"), url),
  );
}

async function esbuild() {
  const folder = await projectFor("esbuild", ["esbuild"], "esbuild");
  await build(folder, [node, "esbuild.mjs"]);
  await page(folder, "./main.mjs");
  return served(path.join(folder, "dist"), async (url) =>
    rowsOf("esbuild, loader file", await versionOf("esbuild"), url),
  );
}

async function esbuildInline() {
  const folder = await projectFor("esbuild inline", ["esbuild"], "esbuild", "esbuild-inline");
  await build(folder, [node, "esbuild.mjs"]);
  await page(folder, "./main.mjs");
  return served(path.join(folder, "dist"), async (url) =>
    rowsOf("esbuild, nucleus-sampler/inline", await versionOf("esbuild"), url, 1),
  );
}

async function workerd() {
  const folder = await projectFor("workerd", ["wrangler", "miniflare"], "edge");
  const args = ["deploy", "--dry-run", "--outdir", "dist", "--config", "wrangler.json"];
  // It writes down what it does, and asks whether it may tell: here in the project, and no.
  const quiet = { XDG_CONFIG_HOME: folder, WRANGLER_LOG_PATH: folder, WRANGLER_SEND_METRICS: "false" };
  const command = [node, "node_modules/wrangler/bin/wrangler.js", ...args];
  await build(folder, command, { ...process.env, ...quiet });
  const outcomes = [];
  for (const { choice } of choices)
    outcomes.push(await outcomeOf(folder, [node, "run.mjs", JSON.stringify({ choice })]));
  const version = `${await versionOf("workerd")}, wrangler ${await versionOf("wrangler")}`;
  return [judged("workerd", version, outcomes)];
}

export const bundlerInstalls = {
  webpack: webpackPage,
  "webpack node": webpackNode,
  rollup,
  esbuild,
  "esbuild inline": esbuildInline,
  workerd,
};
