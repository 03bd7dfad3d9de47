// `npm run dev`: set-up and package as for `npm start`, then the bundler's own server with live reload.
// For work on www/ only: it sends no policy headers and does not rebuild the crate.
import { spawn } from "node:child_process";
import process from "node:process";
import { buildPackage } from "./build-package.mjs";
import { checkNode, ensurePackages } from "./packages.mjs";
import { isMain, nodeProgram, root } from "./paths.mjs";
import { runMain } from "./steps.mjs";

if (isMain(import.meta.url))
  await runMain(async (args) => {
    checkNode();
    await ensurePackages();
    await buildPackage();
    const [node, vite] = nodeProgram("vite", "bin", "vite.js");
    const server = spawn(node, [vite, ...args], { cwd: root, stdio: "inherit" });
    process.once("exit", () => server.kill());
    return new Promise((resolve) => server.on("close", (code) => resolve(code ?? 0)));
  });
