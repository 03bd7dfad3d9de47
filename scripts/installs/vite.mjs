// Vite as it comes, without settings: what it builds, and its development server, which bundles what is installed
// before it serves it.
import { spawn } from "node:child_process";
import path from "node:path";
import process from "node:process";
import { root } from "../paths.mjs";
import { rowsOf, served } from "./pages.mjs";
import { build, makeProject } from "./project.mjs";
import { addressOf, ensureTools, toolHome, versionOf } from "./tools.mjs";

const program = (tool) => [process.execPath, `node_modules/${tool}/bin/vite.js`];

async function built(tool, home) {
  const folder = await makeProject("vite", { tools: { [tool]: home } });
  await build(folder, [...program(tool), "build"]);
  const version = await versionOf(tool, home);
  return served(path.join(folder, "dist"), (url) => rowsOf("Vite build", version, url));
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
