// One Chromium for every install that runs in a page.
import { readFile } from "node:fs/promises";
import { chromium } from "playwright-core";
import { ensureBrowser } from "../browser.mjs";
import { inRoot } from "../paths.mjs";

let opened;

async function open() {
  const { chrome, version } = await ensureBrowser();
  const options = JSON.parse(await readFile(inRoot("webdriver.json"), "utf8"))["goog:chromeOptions"];
  const args = options.args.map((flag) => (flag.startsWith("--") ? flag : `--${flag}`));
  return { browser: await chromium.launch({ executablePath: chrome, args }), version };
}

/** `{ browser, version }`, started when it is first asked for. */
export function theBrowser() {
  opened ??= open();
  return opened;
}

export async function closeBrowser() {
  if (opened) await (await opened).browser.close();
  opened = undefined;
}

const query = (choice) => (choice === undefined ? "" : `?simd=${choice.simd}`);

/**
 * What the programs of a page say: outcomes of the page's own thread, of the package's worker, of the page's worker.
 * A page that says nothing is told by its console. `policy` replaces the one that the server sends.
 */
export async function pageOutcomes(url, choice, { policy } = {}) {
  const { browser } = await theBrowser();
  const context = await browser.newContext();
  const trouble = [];
  try {
    const page = await context.newPage();
    page.on("console", (message) => message.type() === "error" && trouble.push(message.text()));
    page.on("pageerror", (error) => trouble.push(String(error)));
    if (policy) await withPolicy(context, policy);
    await page.goto(`${url}${query(choice)}`);
    const said = await page.evaluate(async () => {
      for (let i = 0; globalThis.outcome === undefined && i < 600; i++)
        await new Promise((resolve) => setTimeout(resolve, 50));
      return globalThis.outcome;
    });
    if (said !== undefined) return said.map((text) => JSON.parse(text));
    return [{ failed: trouble.join("; ") || "the page said nothing" }];
  } finally {
    await context.close();
  }
}

const withPolicy = (context, policy) =>
  context.route("**/*", async (route) => {
    const response = await route.fetch();
    await route.fulfill({
      response,
      headers: { ...response.headers(), "content-security-policy": policy },
    });
  });
