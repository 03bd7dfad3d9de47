// Draws: the seed's own, counted, run and stopped.
import { describe, expect, test } from "vitest";
import { usePage } from "./use-page";

const { open, page } = usePage();

describe("draws", () => {
  test("are the seed's own: one, then the first ten thousand", async () => {
    await open();
    await page().getByRole("button", { name: "draw 1", exact: true }).click();
    await expect.poll(() => page().locator(".draw-summary").textContent()).toContain("town");
    expect(await page().locator(".gap").textContent()).toBe("town");
    expect(await page().locator(".strip .target").getAttribute("visibility")).toBe("visible");
    await page().locator(".draws").getByRole("button", { name: "reset" }).click();
    await page().getByRole("button", { name: "draw 10,000" }).click();
    const counts = page().locator(".draw-bars .counts text");
    await expect.poll(() => counts.first().textContent()).toBe("4,354");
    expect((await counts.allTextContents()).slice(0, 4)).toEqual(["4,354", "2,570", "352", "357"]);
    expect(await page().locator(".draw-summary").textContent()).toMatch(
      /Consistent with chance: G-test p = 0\.\d\d/,
    );
  });

  test("of one token are counted in the singular", async () => {
    await open("v=1&draws=1");
    await expect
      .poll(() => page().locator(".draws caption").textContent(), { timeout: 5000 })
      .toBe("Tokens drawn in 1 draw");
  });

  test("too few to compare have each count beside its own bar", async () => {
    await open("v=1&draws=3");
    const counts = page().locator(".draw-bars .counts text");
    await expect.poll(() => counts.count()).toBe(13);
    const places = await counts.evaluateAll((texts) =>
      texts.map((text) => ({ n: Number(text.textContent), x: Number(text.getAttribute("x")) })),
    );
    const start = Math.min(...places.map(({ x }) => x));
    for (const { n, x } of places) expect(x === start).toBe(n === 0);
  });

  test("run until stopped, and start again with another seed", async () => {
    await open();
    await page().getByRole("button", { name: "Run" }).click();
    await expect.poll(async () => page().locator(".draw-summary").textContent()).toMatch(/^\d\d/);
    await page().getByRole("button", { name: "Stop" }).click();
    await page().getByLabel("seed").fill("12345678901234567890");
    await page().getByLabel("seed").press("Enter");
    const place = await page().getByLabel("seed").boundingBox();
    await page().getByLabel("seed").fill("-1");
    await page().getByLabel("seed").press("Enter");
    await expect
      .poll(() => page().locator(".draws .message").textContent())
      .toContain("integer from 0 to 2^64 - 1");
    expect(await page().getByLabel("seed").inputValue()).toBe("12345678901234567890");
    expect(await page().getByLabel("seed").boundingBox()).toEqual(place);
  });
});
