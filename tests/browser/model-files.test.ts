// What becomes of a model file when the page is loaded again, or when somebody goes elsewhere while it is loading.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { usePage } from "./use-page";

const { open, page, shows } = usePage();

const tinyPath = fileURLToPath(new URL("../../models/tiny.gguf", import.meta.url));
const file = { name: "story.gguf", mimeType: "", buffer: readFileSync(tinyPath) };

const source = () => page().getByRole("combobox", { name: /^source/ });
const chips = () => page().getByRole("list", { name: "tokens of the text" });
const chipTexts = () => chips().locator(".token-text > [aria-hidden]").allTextContents();
const problem = () => page().locator(".model-panel .message");
const choose = () => page().getByLabel("model file", { exact: true }).setInputFiles(file);

describe("an address of a text that a file read", () => {
  test("asks for the file again, keeps the chain meanwhile, and goes on where it was", async () => {
    await open();
    await source().selectOption("file");
    await choose();
    await shows("Of 2,048 tokens");
    await page().getByRole("textbox", { name: "prompt" }).fill("The king");
    await expect.poll(() => page().locator("h1").textContent()).toContain("The king");
    await page().locator('[aria-label="draw 1"]').click();
    await page()
      .getByRole("button", { name: /^Accept / })
      .click();
    await expect.poll(() => page().url()).toMatch(/source=file.*output=\d+/);
    const texts = await chipTexts();
    await page().reload();
    await expect.poll(() => problem().textContent()).toContain("choose it again");
    await shows("Of 49,152 tokens");
    await choose();
    await expect.poll(chipTexts).toEqual(texts);
    expect(await problem().textContent()).toBe("");
    await expect.poll(() => page().url()).toMatch(/source=file.*output=\d+/);
  });
});

describe("a file that is loading", () => {
  test("does not take the place of a source that was chosen meanwhile", async () => {
    await open("", {}, async (context) => {
      // The file comes when the test says so.
      await context.addInitScript(() => {
        const post = Worker.prototype.postMessage;
        Worker.prototype.postMessage = function (this: Worker, message: { file?: unknown }) {
          if (message.file instanceof File)
            addEventListener("the file comes", () => post.call(this, message));
          else post.call(this, message);
        };
      });
    });
    await source().selectOption("file");
    await choose();
    await expect.poll(() => page().locator(".waiting").textContent()).toContain("Loading story.gguf");
    await source().selectOption("capital");
    await expect.poll(() => page().locator("h1").textContent()).toContain("The capital of France is");
    await expect.poll(() => page().locator(".waiting").count()).toBe(0);
    await page().evaluate(() => dispatchEvent(new Event("the file comes")));
    // Another source is opened in between, and is there last.
    await source().selectOption("tiny");
    await shows("Of 2,048 tokens");
    await expect
      .poll(() => page().locator(".text-room .quiet").first().textContent())
      .toContain("the tiny model");
    expect(await source().inputValue()).toBe("tiny");
  });
});

test("a long text is shown from its end, and the address says when it can hold it no more", async () => {
  await open("v=1&source=tiny");
  await shows("Of 2,048 tokens");
  const prompt = page().getByRole("textbox", { name: "prompt" });
  await prompt.fill("a fox and a hen ".repeat(60));
  await expect.poll(async () => (await chipTexts()).length).toBe(200);
  const fromEnd = () => chips().evaluate((list) => list.scrollHeight - list.clientHeight - list.scrollTop);
  expect(await chips().evaluate((list) => list.scrollTop)).toBeGreaterThan(0);
  await expect.poll(fromEnd).toBeLessThan(2);
  const notice = page().locator(".notice");
  await prompt.fill("ä".repeat(1500));
  await expect.poll(() => notice.textContent()).toContain("than an address can hold");
  await prompt.fill("Well");
  await expect.poll(() => notice.textContent()).toBe("");
  await expect.poll(() => page().url()).toContain("prompt=Well");
});

test.each([390, 1060, 1280])(
  "every column of a model's token table is in sight at %i pixels",
  async (width) => {
    await open("v=1&source=tiny", { viewport: { width, height: 900 } });
    await shows("Of 2,048 tokens");
    await page().locator(".take").first().waitFor();
    const beyond = await page().evaluate(() => {
      const room = document.querySelector(".scroller")?.getBoundingClientRect().right ?? 0;
      return [...document.querySelectorAll(".row .cell-final")].map(
        (cell) => cell.getBoundingClientRect().right - room,
      );
    });
    expect(Math.max(...beyond)).toBeLessThan(1);
  },
);
