// Vite as it comes, without settings: what it builds, and its development server, which bundles what is installed
// before it serves it.
import { spawn } from "node:child_process";
import path from "node:path";
import process from "node:process";
import { stripVTControlCharacters } from "node:util";
import { root } from "../paths.mjs";
import { rowsOf, served } from "./pages.mjs";
import { build, makeProject } from "./project.mjs";
import { ensureTools, toolHome, versionOf } from "./tools.mjs";

const program = (tool) => [process.execPath, `node_modules/${tool}/bin/vite.js`];

async function built(tool, home) {
  const folder = await makeProject("vite", { tools: { [tool]: home } });
  await build(folder, [...program(tool), "build"]);
  const version = await versionOf(tool, home);
  return served(path.join(folder, "dist"), (url) => rowsOf("Vite build", version, url));
}

/** The address that a development server prints. */
function addressOf(server) {
  return new Promise((resolve, reject) => {
    let said = "";
    const see = (text) => {
      said += stripVTControlCharacters(text);
      const found = said.match(/http:\/\/[\d.]+:\d+\//);
      if (found) resolve(found[0]);
    };
    server.stdout.setEncoding("utf8").on("data", see);
    server.stderr.setEncoding("utf8").on("data", see);
    server.on("exit", () => reject(new Error(`Vite's server ended: ${said.slice(-800)}`)));
  });
}

async function developed(tool) {
  const folder = await makeProject("vite", { tools: { [tool]: toolHome } });
  const [node, script] = program(tool);
  const args = [script, "--host", "127.0.0.1", "--port", "0"];
  const server = spawn(node, args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  try {
    return await rowsOf("Vite development server", await versionOf(tool), await addressOf(server));
  } finally {
    server.kill();
  }
}

const ours = "vite";
const olderOnes = ["vite-7", "vite-6", "vite-5"];

async function older() {
  await ensureTools();
  const rows = [];
  for (const tool of olderOnes) rows.push(...(await built(tool, toolHome)));
  return rows;
}

async function servers() {
  await ensureTools();
  const rows = [];
  for (const tool of [ours, ...olderOnes]) rows.push(...(await developed(tool)));
  return rows;
}

export const viteInstalls = {
  "vite build": () => built(ours, root),
  "vite build, older": older,
  "vite dev": servers,
};
