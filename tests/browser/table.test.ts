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
