// The table of every token: scrolled, searched, walked through, pointed at.
import { describe, expect, test } from "vitest";
import { usePage } from "./use-page";

const { cell, open, page, row } = usePage();

describe("the token table", () => {
  test("holds every token of the vocabulary, the last one too", async () => {
    await open();
    expect(
      await page().getByRole("table", { name: "Every token by rank" }).getAttribute("aria-rowcount"),
    ).toBe("49153");
    await page().locator(".scroller").focus();
    await page().keyboard.press("End");
    await expect.poll(() => row(49_152).count()).toBe(1);
    expect(await page().locator(".sheet .row").count()).toBeLessThan(40);
  });

  test("finds tokens by text and by id", async () => {
    await open();
    await page().getByRole("searchbox").fill("dragon");
    await expect.poll(() => page().locator(".search .quiet").textContent()).toMatch(/^\d found$/);
    expect(await page().locator(".sheet .row").first().locator(".cell-token").textContent()).toContain(
      "dragon",
    );
    await page().getByRole("searchbox").fill("8180");
    await expect.poll(() => page().locator(".sheet .cell-id").allTextContents()).toContain("8180");
  });

  test("marks the first token that it finds in the chart, the headline and the sentence", async () => {
    await open();
    await page().getByRole("searchbox").fill("dragon");
    await expect.poll(() => page().locator(".highlight .name").textContent()).toBe("dragon");
    expect(await page().locator(".gap").textContent()).toBe("dragon");
    expect(await page().locator(".why").textContent()).toMatch(/^dragon \(rank/);
    await page().getByRole("searchbox").fill("");
    await expect.poll(() => page().locator(".highlight").getAttribute("visibility")).toBe("hidden");
  });

  test.each([
    ["v=1&topP=0.9", 768],
    ["v=1&topP=0.9", 1100],
    ["v=1&topP=0.9", 1440],
    ["v=1&temperature=0", 1440],
    ["v=1&greedy=", 1440],
    ["v=1&greedy=", 390],
    ["v=1&topP=0.9", 390],
    ["v=1&topP=0.9", 360],
    ["v=1&allowedTokens=8180:0,3102:0", 1440],
  ])("cuts no number short, anywhere in the ranks: %s at %i pixels", async (fragment, width) => {
    await open(fragment, { viewport: { width, height: 900 } });
    for (const share of [0, 0.34, 0.999]) {
      await page()
        .locator(".scroller")
        .evaluate((scroller, at) => {
          scroller.scrollTop = scroller.scrollHeight * at;
        }, share);
      await page().evaluate(() => new Promise((resolve) => requestAnimationFrame(() => resolve(null))));
      const ends = await page()
        .locator(".scroller")
        .evaluate((scroller) =>
          [...scroller.querySelectorAll(".cell-final")].map(
            (cell) => scroller.getBoundingClientRect().right - cell.getBoundingClientRect().right,
          ),
        );
      expect(Math.min(...ends)).toBeGreaterThanOrEqual(-0.01);
      const short = await page().evaluate(() =>
        [...document.querySelectorAll<HTMLElement>(".sheet .cell:not(.cell-token, .cell-bar)")]
          .filter((cell) => cell.scrollWidth > cell.clientWidth)
          .map((cell) => cell.textContent),
      );
      expect(short).toEqual([]);
    }
  });

  test("says in words that a token is a space", async () => {
    await open("v=1&source=seven");
    await expect.poll(() => cell(1, "token").locator("[aria-hidden]").textContent()).toBe("‹space›");
    await cell(1, "token").hover();
    await expect.poll(() => page().locator(".gap").textContent()).toBe("‹space›");
    expect(await page().locator(".highlight .name").textContent()).toBe("‹space›");
  });

  test("is walked through with the arrow keys, past the rows in view", async () => {
    await open();
    await page().getByLabel("logit of  girl", { exact: true }).focus();
    for (let i = 0; i < 20; i++) await page().keyboard.press("ArrowDown");
    const focused = await page().evaluate(() =>
      document.activeElement?.closest(".row")?.getAttribute("aria-rowindex"),
    );
    expect(focused).toBe("22");
  });

  test("tells with a hover in the sentence and the gap why a token is in", async () => {
    await open();
    await cell(2, "token").hover();
    await expect.poll(() => page().locator(".why").textContent()).toMatch(/^town \(rank 2\) is in: /);
    expect(await page().locator(".gap").textContent()).toBe("town");
    expect(await page().locator(".highlight .name").textContent()).toBe("town");
  });
});
