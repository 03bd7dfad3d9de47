// The page runner: the built package in a page of Chromium, served with the playground's policy headers.
import { copyFile, cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { chromium } from "playwright-core";
import { ensureBrowser } from "../scripts/browser.mjs";
import { inRoot } from "../scripts/paths.mjs";
import { serve } from "../scripts/serve.mjs";

/** What the page imports beside the package. */
const modules = ["chains.mjs", "in-page.mjs", "measure.mjs", "ours.mjs", "yardstick.mjs"];
const document_ = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Benchmark</title></html>\n';
const browserArguments = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--disable-background-networking",
];

/** A page's clock ticks coarsely: groups must be long beside a tick of a tenth of a millisecond. */
const leastGroupMilliseconds = 5;

/** A folder with all that the page needs. */
async function layOut(folder, { dist, yardstickBytes, rows }) {
  await cp(path.resolve(dist), path.join(folder, "dist"), { recursive: true });
  await mkdir(path.join(folder, "rows"));
  for (const module of modules) await copyFile(inRoot("benches", module), path.join(folder, module));
  for (const [i, { logits }] of rows.entries())
    await writeFile(path.join(folder, "rows", `${i}.f32`), new Uint8Array(logits.buffer));
  await writeFile(path.join(folder, "limit.wasm"), yardstickBytes);
  await writeFile(path.join(folder, "index.html"), document_);
}

async function measureInBrowser(url, chrome, plan, see) {
  const browser = await chromium.launch({ executablePath: chrome, args: browserArguments });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(0);
    await page.exposeFunction("see", (text) => see?.(text));
    await page.goto(url);
    const records = await page.evaluate(async (plan) => {
      const { measureHere } = await import("/in-page.mjs");
      return measureHere(plan, globalThis.see);
    }, plan);
    return { records, version: browser.version() };
  } finally {
    await browser.close();
  }
}

/** Measures the package in a page: `{ records, versions }`. */
export async function runPage(context) {
  const { chrome } = await ensureBrowser();
  const folder = await mkdtemp(path.join(process.env.TMPDIR ?? os.tmpdir(), "nucleus-bench-"));
  try {
    await layOut(folder, context);
    const server = await serve({ root: folder });
    const rows = context.rows.map(({ logits, ...facts }) => facts);
    const timing = {
      ...context.timing,
      groupMilliseconds: Math.max(leastGroupMilliseconds, context.timing.groupMilliseconds),
    };
    const plan = { rows, timing, draws: context.draws };
    try {
      const { records, version } = await measureInBrowser(server.url, chrome, plan, context.see);
      return { records, versions: { Chromium: version } };
    } finally {
      await server.close();
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}
