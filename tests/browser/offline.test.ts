// Without a network: what is kept at the first visit, and that the tiny model works with the server stopped.
import { fileURLToPath } from "node:url";
import type { BrowserContextOptions } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type StaticServer, serve } from "../../scripts/serve.mjs";
import { Stage, type Visit } from "./page";

const root = fileURLToPath(new URL("../../site", import.meta.url));
let stage: Stage;
let server: StaticServer;
let visit: Visit;
beforeAll(async () => {
  stage = await Stage.open();
});
beforeEach(async () => {
  server = await serve({ root });
});
afterEach(async () => {
  await visit.close();
  await server.close();
});
afterAll(() => stage.close());

/** The page from a server of its own, once it says what it has kept. */
async function ready(
  words: string,
  options: BrowserContextOptions = {},
  prepare?: () => void,
): Promise<void> {
  visit = await stage.visitAt(server.url, options, prepare);
  await expect
    .poll(() => visit.page.locator(".page-footer").textContent(), { timeout: 60_000 })
    .toContain(words);
}

const summary = () => visit.page.locator(".summary").textContent();
const ALL = "Ready offline: this page, its rows and the tiny model.";

describe("with the server stopped", () => {
  test("the page, its rows and the tiny model work after one visit that used none of them", async () => {
    await ready(ALL);
    expect(visit.requests.filter((url) => /gguf|model/.test(url))).toEqual([]);
    await server.close();
    await visit.page.reload();
    await expect.poll(summary).toContain("Of 49,152 tokens");
    await visit.page.getByRole("combobox", { name: /^source/ }).selectOption("tiny");
    await expect.poll(summary).toContain("Of 2,048 tokens");
    await visit.page.locator('[aria-label="draw 1"]').click();
    await visit.page.getByRole("button", { name: /^Accept / }).click();
    await expect.poll(() => visit.page.url()).toMatch(/source=tiny.*output=\d+/);
    await visit.page.reload();
    await expect.poll(summary).toContain("Of 2,048 tokens");
    await visit.page.getByRole("combobox", { name: /^source/ }).selectOption("seven");
    await expect.poll(summary).toContain("Of 49,152 tokens");
    expect(visit.trouble).toEqual([]);
  });

  test("under Save-Data, the page and its first row are kept, and nothing else is fetched", async () => {
    await ready("Ready offline: this page and its first row.", {}, () => {
      Object.defineProperty(navigator, "connection", { value: { saveData: true } });
    });
    const kept = await visit.page.evaluate(async () => {
      const [name = ""] = await caches.keys();
      return (await (await caches.open(name)).keys()).map(({ url }) => url);
    });
    expect(kept.filter((url) => /gguf|model|seven/.test(url))).toEqual([]);
    await server.close();
    await visit.page.reload();
    await expect.poll(summary).toContain("Of 49,152 tokens");
  });
});
