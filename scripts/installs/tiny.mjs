// The model that comes with the package, loaded and run by an installed package: from Node's file system, and fetched by
// pages with a bundler and without.
import { cp, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { inRoot, root } from "../paths.mjs";
import { pageOutcomes, theBrowser } from "./browser.mjs";
import { stated } from "./outcome.mjs";
import { served } from "./pages.mjs";
import { build, makeProject, outcomeOf } from "./project.mjs";
import { ensureTools, toolHome, versionOf } from "./tools.mjs";

const node = process.execPath;
const leastTokens = 24;

/** What is wrong with the tokens that a program says, or undefined: they begin the golden file's first text. */
export function wrongTokens({ failed, tokens = [] }, golden) {
  if (failed !== undefined) return failed;
  if (tokens.length < leastTokens) return `only ${tokens.length} tokens`;
  const at = tokens.findIndex((token, i) => token !== golden[i]);
  return at < 0 ? undefined : `token ${at} is ${tokens[at]} and not ${golden[at]}`;
}

async function row(title, version, outcome) {
  const golden = JSON.parse(await readFile(inRoot("tests/golden/tiny.json"), "utf8"));
  const problem = wrongTokens(outcome, golden.cases[0].greedy_ids);
  return stated(`nucleus-sampler/tiny.gguf, ${title}`, version, `${leastTokens} likeliest tokens`, problem);
}

async function inNode() {
  const folder = await makeProject("tiny-node");
  return row("Node", process.versions.node, await outcomeOf(folder, [node, "tiny-node.mjs"]));
}

const page = (source) =>
  `<!doctype html>\n<meta charset="utf-8">\n<title>Tiny</title>\n<script type="module" src="${source}"></script>\n`;
const fromPage = (url) => pageOutcomes(url).then(([outcome]) => outcome);

/** Without a bundler nothing knows where a package is: a page names its files. */
async function plain() {
  const installed = "./node_modules/nucleus-sampler";
  const program = await readFile(inRoot("tests/package/programs/tiny-page.mjs"), "utf8");
  const byPath = program
    .replace('"nucleus-sampler/model"', `"${installed}/dist/model.js"`)
    .replace('"nucleus-sampler/tiny.gguf"', `"${installed}/models/tiny.gguf"`);
  const files = { "index.html": page("./tiny-page.mjs"), "tiny-page.mjs": byPath };
  const folder = await makeProject("tiny-plain", { files });
  const { version } = await theBrowser();
  return row("plain page, no bundler, strict policy", `Chromium ${version}`, await served(folder, fromPage));
}

async function vite() {
  const files = { "index.html": page("./tiny-page.mjs") };
  const folder = await makeProject("tiny-vite", { tools: { vite: root }, files });
  await build(folder, [node, "node_modules/vite/bin/vite.js", "build"]);
  const outcome = await served(path.join(folder, "dist"), fromPage);
  return row("Vite build", await versionOf("vite", root), outcome);
}

async function webpack() {
  await ensureTools();
  const folder = await makeProject("tiny-webpack", { tools: { webpack: toolHome } });
  await cp(inRoot("tests/package/bundlers"), folder, { recursive: true });
  await build(folder, [node, "webpack.mjs", "web", "./tiny-page.mjs"]);
  await writeFile(path.join(folder, "dist/index.html"), page("./main.js"));
  const outcome = await served(path.join(folder, "dist"), fromPage);
  return row("webpack", await versionOf("webpack"), outcome);
}

export const tinyInstalls = {
  "tiny model": async () => [await inNode(), await plain(), await vite()],
  "tiny model, webpack": async () => [await webpack()],
};
