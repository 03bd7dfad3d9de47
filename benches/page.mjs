// The page runner: the built package in a page of Chromium, served with the playground's policy headers.
import { copyFile, cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { chromium } from "playwright-core";
import { ensureBrowser } from "../scripts/browser.mjs";
import { inRoot } from "../scripts/paths.mjs";
import { serve } from "../scripts/serve.mjs";
import { clock } from "./node.mjs";
import { checkYardstick } from "./ours.mjs";

/** What the page imports beside the package. */
const modules = ["chains.mjs", "in-page.mjs", "measure.mjs", "ours.mjs", "yardstick.mjs"];
const document_ = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Benchmark</title></html>\n';
const browserArguments = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--disable-background-networking",
];

/** Groups must be long beside a tick of the page's clock, which is 5 us where the page is isolated. */
const leastGroupMilliseconds = 1;

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

/** Adds the header without which a page's clock is made coarse. */
async function isolate(route) {
  const response = await route.fetch();
  const headers = { ...response.headers(), "cross-origin-embedder-policy": "require-corp" };
  await route.fulfill({ response, headers });
}

async function measureInBrowser(url, chrome, plan, see) {
  const browser = await chromium.launch({ executablePath: chrome, args: browserArguments });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(0);
    await page.exposeFunction("see", (text) => see?.(text));
    await page.route("**/*", isolate);
    await page.goto(url);
    const measured = await page.evaluate(async (plan) => {
      const { measureHere } = await import("/in-page.mjs");
      return measureHere(plan, globalThis.see);
    }, plan);
    return { ...measured, version: browser.version() };
  } finally {
    await browser.close();
  }
}

/** Measures the package in a page: `{ records, versions, passes }`. */
export async function runPage(context) {
  // The module is judged here, where it is compiled as when its bounds were set; what the page makes of it is reported.
  if (context.check) await checkYardstick(context.yardstickBytes, clock);
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
    const plan = { rows, timing, draws: context.draws, check: context.check };
    try {
      const { version, ...measured } = await measureInBrowser(server.url, chrome, plan, context.see);
      return { ...measured, versions: { Chromium: version } };
    } finally {
      await server.close();
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}
