// The model's speed beside wllama's (llama.cpp as WebAssembly), in one page of Chromium, on one thread, in turn:
//   npm run bench:model [-- --write] [--rounds 5] [--only Q4_1]... [--package dist]
//
// SmolLM2-135M-Instruct, the file of 98 MB in Q4_1, and the same weights in every other encoding that a file can have.
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { ensureBrowser } from "../../scripts/browser.mjs";
import { buildPackage } from "../../scripts/build-package.mjs";
import { ensureSmollm2, smollm2File } from "../../scripts/fetch-smollm2.mjs";
import { ensurePackages } from "../../scripts/packages.mjs";
import { distFolder, inRoot, isMain } from "../../scripts/paths.mjs";
import { follow, runMain, StepFailure, say } from "../../scripts/steps.mjs";
import { ensureEncodings } from "./encodings.mjs";
import { serveFolder } from "./serve.mjs";
import { documentOf } from "./tables.mjs";

const folder = inRoot("benches/model");
const wllamaFolder = path.join(folder, "node_modules/@wllama/wllama/esm");
const pageModules = ["in-page.mjs", "worker.mjs"];
const browserArguments = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--disable-background-networking",
];

/** What each round does: a prompt of a few hundred tokens, and as many decoded as a sentence or two have. */
const plan = {
  prompt: [
    "The history of the lighthouse begins with fires built on hilltops to guide mariners into port. ",
    "As ships grew in number, the fires were raised on platforms, so that they could be seen from further out at sea, ",
    "and in the end towers of stone were built, of which the one at Alexandria stood for fifteen hundred years. ",
    "Lamps burned oil, later gas, and were made stronger by mirrors and by lenses of glass cut in rings. ",
    "A keeper lived in the tower, climbed the stairs at dusk, trimmed the wick every few hours, and wrote in a book ",
    "what ships had passed and how the wind had turned. Today nearly all of the lights run by themselves, and ",
  ].join(""),
  nDecode: 64,
};
const nContext = 512;

const options = {
  write: { type: "boolean", default: false },
  rounds: { type: "string", default: "5" },
  only: { type: "string", multiple: true },
  package: { type: "string" },
};

function readArguments(args) {
  try {
    const { values } = parseArgs({ args, options });
    const rounds = Number(values.rounds);
    if (!Number.isSafeInteger(rounds) || rounds < 1) throw new Error("--rounds must be 1 or more");
    return { ...values, rounds };
  } catch (error) {
    throw new StepFailure(
      `${error.message}. Usage: npm run bench:model [-- --write] [--rounds 5] [--only Q4_1]... [--package dist]`,
    );
  }
}

async function ensureWllama() {
  if (existsSync(wllamaFolder)) return;
  say("wllama: installing what benches/model/package-lock.json names");
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
  const { code } = await follow("npm", args, { cwd: folder, limitSeconds: 900 });
  if (code !== 0) throw new StepFailure("npm could not install wllama: read its message above.");
}

/** A folder with all that the page needs; files of models are links. */
async function layOut(room, dist, files) {
  await cp(dist, path.join(room, "dist"), { recursive: true });
  await cp(wllamaFolder, path.join(room, "wllama"), { recursive: true });
  for (const module of pageModules) await cp(path.join(folder, module), path.join(room, module));
  await mkdir(path.join(room, "models"));
  for (const [name, file] of Object.entries(files))
    await symlink(file, path.join(room, "models", `${name}.gguf`));
  await writeFile(
    path.join(room, "index.html"),
    '<!doctype html><meta charset="utf-8"><title>Benchmark</title>\n',
  );
}

async function measureFile(browser, url, given) {
  const page = await browser.newPage();
  page.setDefaultTimeout(0);
  try {
    await page.goto(url);
    return await page.evaluate(async (given) => {
      const { measureHere } = await import("/in-page.mjs");
      return measureHere(given);
    }, given);
  } finally {
    await page.close();
  }
}

async function measureAll(files, { rounds, package: dist = distFolder }) {
  const { chrome } = await ensureBrowser();
  const room = await mkdtemp(path.join(process.env.TMPDIR ?? os.tmpdir(), "nucleus-bench-model-"));
  const server = await serveFolder(room);
  const browser = await chromium.launch({ executablePath: chrome, args: browserArguments });
  try {
    await layOut(room, path.resolve(dist), files);
    const measured = {};
    for (const name of Object.keys(files)) {
      say(`${name}: ours and wllama in turn`);
      const given = { file: `/models/${name}.gguf`, who: ["ours", "wllama"], rounds, plan, nContext };
      measured[name] = await measureFile(browser, server.url, given);
    }
    return { measured, version: browser.version() };
  } finally {
    await browser.close();
    await server.close();
    await rm(room, { recursive: true });
  }
}

async function main(words) {
  const args = readArguments(words);
  if (!args.package) {
    await ensurePackages();
    await buildPackage();
  }
  await ensureSmollm2();
  await ensureWllama();
  const all = { Q4_1: smollm2File, ...(await ensureEncodings(smollm2File)) };
  const files = Object.fromEntries(Object.entries(all).filter(([name]) => args.only?.includes(name) ?? true));
  const { measured, version } = await measureAll(files, args);
  const date = new Date().toISOString().slice(0, 10);
  const cpu = os.cpus()[0]?.model.trim() ?? "an unknown processor";
  const text = documentOf({ measured, date, cpu, chromium: version, plan, rounds: args.rounds });
  console.log(text);
  if (args.write) await writeFile(inRoot("docs/model-speed.md"), text);
}

if (isMain(import.meta.url)) await runMain(() => main(process.argv.slice(2)));
