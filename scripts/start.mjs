// `npm start`: sets up, builds what is missing, and serves the built page with its policy headers.
// A browser and wasm-pack are not needed for that; `npm test` brings them.
import process from "node:process";
import { buildSite } from "./build-site.mjs";
import { checkNode, ensurePackages } from "./packages.mjs";
import { isMain, siteFolder } from "./paths.mjs";
import { serve } from "./serve.mjs";
import { runMain, StepFailure, say } from "./steps.mjs";

const usualPort = 4173;

function wantedPort() {
  const given = process.env.PORT;
  if (!given) return { port: usualPort, tryNext: true };
  const port = Number(given);
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new StepFailure(`PORT is "${given}" and must be a whole number from 0 to 65535.`);
  return { port, tryNext: false };
}

async function open() {
  const wanted = wantedPort();
  try {
    return await serve({ root: siteFolder, ...wanted });
  } catch (error) {
    if (error.code === "EADDRINUSE")
      throw new StepFailure(
        `Port ${wanted.port} is taken: set PORT to a free one, or unset it to let one be chosen.`,
      );
    if (error.code === "EACCES")
      throw new StepFailure(
        `Port ${wanted.port} may not be opened by this user: set PORT to one above 1023.`,
      );
    throw error;
  }
}

/** Everything `npm start` does before it waits for Ctrl-C. */
export async function start() {
  wantedPort();
  checkNode();
  say("Nucleus: preparing the playground");
  await ensurePackages();
  await buildSite();
  const server = await open();
  for (const signal of ["SIGINT", "SIGTERM"])
    process.once(signal, async () => {
      await server.close();
      say("\nStopped.");
      process.exit(0);
    });
  say(`\nThe playground is at ${server.url}\nIt runs entirely in your browser. Ctrl-C stops it.`);
}

if (isMain(import.meta.url)) await runMain(start);
