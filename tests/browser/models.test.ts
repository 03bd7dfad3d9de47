// A model as a source: the tiny one at one click, one from a file, and a text that grows and goes back.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import init, { Model } from "nucleus-sampler/model";
import { beforeAll, describe, expect, test } from "vitest";
import { nucleus } from "./numbers";
import { usePage } from "./use-page";

const { kept, open, page, requests, row, shows } = usePage();

const tinyPath = fileURLToPath(new URL("../../models/tiny.gguf", import.meta.url));
const tiny = readFileSync(tinyPath);
const PROMPT = "Once upon a time";
let model: Model;
beforeAll(async () => {
  await init();
  model = Model.load(tiny);
});

/** The row that follows these tokens. */
function rowAfter(ids: readonly number[]): Float32Array {
  const session = model.session();
  const logits = session.prefill(ids);
  session.free();
  return logits;
}

const source = () => page().getByRole("combobox", { name: /^source/ });
const prompt = () => page().getByRole("textbox", { name: "prompt" });
const chips = () => page().getByRole("list", { name: "tokens of the text" }).getByRole("listitem");
const button = (name: string | RegExp) => page().getByRole("button", { name });
const fileInput = () => page().getByLabel("model file", { exact: true });

/** What each chip stands for: its text without the marks for spaces. */
const chipTexts = () => chips().locator(".token-text > [aria-hidden]").allTextContents();

async function onTiny(): Promise<void> {
  await source().selectOption("tiny");
  await shows("Of 2,048 tokens");
}

/** Draws a token and accepts it, once it is there. */
async function step(nBefore: number): Promise<void> {
  await button("draw 1").and(page().locator('[aria-label="draw 1"]')).click();
  await button(/^Accept /).click();
  await expect.poll(() => chips().count()).toBe(nBefore + 1);
}

describe("the tiny model", () => {
  test("is fetched at one click, and its row is the model's own", async () => {
    await open();
    expect(requests().filter((url) => /model|gguf/.test(url))).toEqual([]);
    await onTiny();
    const ids = [...model.tokenizer.encode(PROMPT)];
    const expected = nucleus(rowAfter(ids), 1, 0.9);
    await expect.poll(kept).toBe(expected.kept);
    expect(await chips().count()).toBe(ids.length);
    expect(await page().locator("h1").textContent()).toContain(PROMPT);
    expect(requests().filter((url) => url.endsWith(".gguf"))).toHaveLength(1);
  });

  test("reads on as tokens are drawn, picked and gone back over", async () => {
    await open("v=1&source=tiny");
    await shows("Of 2,048 tokens");
    const n = await chips().count();
    await step(n);
    await step(n + 1);
    const texts = await chipTexts();
    // Pick the most likely token in the table.
    await row(1)
      .getByRole("button", { name: /^add .* to the text$/ })
      .click();
    await expect.poll(() => chips().count()).toBe(n + 3);
    await button("Step back").click();
    await expect.poll(chipTexts).toEqual(texts);
    await chips().nth(n).getByRole("button").click();
    await expect.poll(chipTexts).toEqual(texts.slice(0, n + 1));
    await button("back to the prompt").click();
    await expect.poll(() => chips().count()).toBe(n);
    expect(await button("Step back").isDisabled()).toBe(true);
    // The same seed from the same place draws the same text again.
    await step(n);
    await step(n + 1);
    expect(await chipTexts()).toEqual(texts);
  });

  test("answers every letter of a prompt, the last one last", async () => {
    await open("v=1&source=tiny");
    await prompt().fill("");
    await prompt().pressSequentially("The king and the 🦄 said", { delay: 5 });
    const ids = [...model.tokenizer.encode("The king and the 🦄 said")];
    await expect.poll(() => chips().count()).toBe(ids.length);
    await expect.poll(kept).toBe(nucleus(rowAfter(ids), 1, 0.9).kept);
    // The pieces of a character that no token has whole are shown as bytes.
    expect((await chipTexts()).join("")).toContain("‹F0›");
    expect(await page().locator("h1").textContent()).toContain("🦄 said");
  });

  test("keeps its text in the address", async () => {
    await open("v=1&source=tiny");
    await prompt().fill("A fox & a hen = 100% ☂");
    await expect.poll(() => page().locator("h1").textContent()).toContain("☂");
    await step(await chips().count());
    const texts = await chipTexts();
    await expect.poll(() => page().url()).toMatch(/output=\d+/);
    await page().reload();
    await expect.poll(chipTexts).toEqual(texts);
    expect(await prompt().inputValue()).toBe("A fox & a hen = 100% ☂");
    const ids = [...model.tokenizer.encode("A fox & a hen = 100% ☂")];
    const output = Number(/output=(\d+)/.exec(page().url())?.[1]);
    await expect.poll(kept).toBe(nucleus(rowAfter([...ids, output]), 1, 0.9).kept);
  });

  test("says that a text is too long, and goes on once it is shorter", async () => {
    await open("v=1&source=tiny");
    await prompt().fill("word after word ".repeat(1500));
    await expect.poll(() => page().locator(".notice").textContent()).toMatch(/this model reads .* at most/);
    await prompt().fill("Well");
    await shows("Of 2,048 tokens");
    await expect.poll(() => page().locator("h1").textContent()).toContain("Well");
    await expect.poll(() => page().locator(".notice").textContent()).toBe("");
  });
});

describe("a model file", () => {
  test("is chosen, named, and read", async () => {
    await open();
    await source().selectOption("file");
    await button("Choose a model file").waitFor();
    await fileInput().setInputFiles({ name: "story.gguf", mimeType: "", buffer: tiny });
    await shows("Of 2,048 tokens");
    expect(await page().getByText("tokens, read by story.gguf").count()).toBe(1);
    expect(await source().inputValue()).toBe("file");
    expect(requests().filter((url) => url.endsWith(".gguf"))).toEqual([]);
  });

  test("is dropped on the page", async () => {
    await open();
    await drop("dropped.gguf", tiny);
    await shows("Of 2,048 tokens");
    expect(await page().getByText("tokens, read by dropped.gguf").count()).toBe(1);
  });

  test("that is none is refused by name, saying what was found and what is accepted", async () => {
    await open();
    const before = await kept();
    await drop("notes.pdf", Buffer.from("%PDF-1.7 is something else"));
    const message = page().locator(".model-panel .message");
    await expect.poll(() => message.textContent()).toMatch(/^notes\.pdf cannot be used: .*GGUF/);
    expect(await kept()).toBe(before);
    await button("not now").click();
    expect(await source().inputValue()).toBe("once");
    expect(await message.textContent()).toBe("");
  });

  test("can be cancelled while it is loading, and the page stays as it was and alive", async () => {
    await open("", {}, async (context) => {
      // A file that never comes to its end.
      await context.addInitScript(() => {
        const post = Worker.prototype.postMessage;
        Worker.prototype.postMessage = function (this: Worker, message: { kind: string }) {
          if (message.kind !== "load") post.call(this, message);
        };
      });
    });
    const before = await kept();
    await drop("story.gguf", tiny);
    const waiting = page().locator(".waiting");
    await expect.poll(() => waiting.textContent()).toContain("Loading story.gguf");
    await button("Cancel").click();
    await expect.poll(() => waiting.count()).toBe(0);
    expect(await kept()).toBe(before);
    expect(await source().inputValue()).toBe("file");
    await source().selectOption("capital");
    await expect.poll(() => page().locator("h1").textContent()).toContain("The capital of France is");
  });
});

// The time is printed and not judged: it is the machine's as much as the page's.
test("the model is fetched, loaded and read in a thread of its own, while the page draws frames", async () => {
  await open();
  const { longest, frames, fetched } = await page().evaluate(async () => {
    const select = document.querySelector<HTMLSelectElement>(".source select");
    if (select === null) throw new Error("There is no choice of sources.");
    let longest = 0;
    let frames = 0;
    const count = () => {
      frames++;
      requestAnimationFrame(count);
    };
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
    }).observe({ type: "longtask", buffered: false });
    count();
    select.value = "tiny";
    select.dispatchEvent(new Event("change", { bubbles: true }));
    while (document.querySelector(".chips") === null) await new Promise((resolve) => setTimeout(resolve, 10));
    // What a worker fetches is not among the page's own resources.
    const fetched = performance.getEntriesByType("resource").map(({ name }) => name);
    return { longest, frames, fetched };
  });
  console.log(`while the tiny model came: ${frames} frames, the longest task ${longest.toFixed(0)} ms`);
  expect(frames).toBeGreaterThan(1);
  expect(fetched.filter((url) => /gguf|nucleus_model/.test(url))).toEqual([]);
});

/** Drops a file on the page. */
async function drop(name: string, content: Buffer): Promise<void> {
  const transfer = await page().evaluateHandle(
    ({ name, base64 }) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const transfer = new DataTransfer();
      transfer.items.add(new File([bytes], name));
      return transfer;
    },
    { name, base64: content.toString("base64") },
  );
  await page().dispatchEvent("body", "dragover", { dataTransfer: transfer });
  await page().dispatchEvent("body", "drop", { dataTransfer: transfer });
}
