// Pictures of the built page at the widths and in the themes that it is made for, to be looked at.
//
//   node scripts/screenshot.mjs FOLDER [WIDTH ...] [--theme light|dark] [--address FRAGMENT] [--draws N] [--full]
//
// Needs the built page in site/ and a browser: NUCLEUS_CHROME, or one of the usual names in PATH.

import { mkdir } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { findProgram, siteFolder } from "./paths.mjs";
import { serve } from "./serve.mjs";

const WIDTHS = [390, 768, 1440, 1920];
const HEIGHTS = { 390: 844, 768: 1024, 1280: 800, 1440: 900, 1920: 1080 };
const NAMES = ["google-chrome-stable", "google-chrome", "chromium", "chromium-browser"];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    theme: { type: "string" },
    address: { type: "string", default: "" },
    draws: { type: "string", default: "0" },
    full: { type: "boolean", default: false },
  },
});
const [folder, ...widths] = positionals;
if (folder === undefined) {
  console.error("Name the folder for the pictures: node scripts/screenshot.mjs FOLDER.");
  process.exit(1);
}

async function photograph(browser, url, width, theme) {
  const context = await browser.newContext({
    viewport: { width, height: HEIGHTS[width] ?? 900 },
    colorScheme: theme,
    hasTouch: width < 500,
    deviceScaleFactor: width < 500 ? 2 : 1,
  });
  const page = await context.newPage();
  page.on("console", (message) => console.log(`${width} ${theme}: ${message.text()}`));
  page.on("pageerror", (error) => console.log(`${width} ${theme}: ${error}`));
  await page.goto(`${url}${values.address === "" ? "" : `#${values.address}`}`);
  await page.locator(".chart .overlay").waitFor();
  if (values.draws !== "0") {
    await page
      .getByRole("button", { name: `draw ${Number(values.draws).toLocaleString("en")}`, exact: true })
      .click();
    await page.locator(".draw-bars .counts text").first().waitFor();
    // The click may have scrolled the button into view.
    await page.evaluate(() => window.scrollTo(0, 0));
  }
  await page.waitForTimeout(500);
  const file = path.join(folder, `${width}-${theme}.png`);
  await page.screenshot({ path: file, fullPage: values.full });
  console.log(file);
  await context.close();
}

await mkdir(folder, { recursive: true });
const server = await serve({ root: siteFolder });
const executablePath = process.env.NUCLEUS_CHROME ?? findProgram(NAMES);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
try {
  for (const width of widths.length > 0 ? widths.map(Number) : WIDTHS)
    for (const theme of values.theme === undefined ? ["light", "dark"] : [values.theme])
      await photograph(browser, server.url, width, theme);
} finally {
  await browser.close();
  await server.close();
}
