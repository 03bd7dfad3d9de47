// The address: it carries everything that was set, and a bad one harms nothing.
import { describe, expect, test } from "vitest";
import { holding, nucleus, onceHolds, recordedLogits } from "./numbers";
import { usePage } from "./use-page";

const { number, open, page, shows, summary } = usePage();

describe("the address", () => {
  test("survives a reload with everything that was set", async () => {
    await open();
    const p = number("Top-p");
    await p.fill("0.8");
    await p.press("Enter");
    const field = page().getByLabel("logit of  town", { exact: true });
    await field.fill("19");
    await field.press("Enter");
    await page().getByRole("button", { name: "draw 100", exact: true }).click();
    await page().getByRole("radio", { name: "linear" }).first().check();
    await expect.poll(() => page().url()).toMatch(/topP=0\.8.*draws=100.*rank=linear/);
    const edited = recordedLogits("once");
    edited[3102] = 19;
    await shows(holding(nucleus(edited, 1, 0.8)));
    await expect.poll(() => page().locator(".draw-summary").textContent()).toMatch(/^100 draws/);
    const before = await summary().textContent();
    const counts = await page().locator(".draw-bars .counts text").allTextContents();
    await page().reload();
    await expect.poll(() => summary().textContent()).toBe(before);
    await expect.poll(() => page().locator(".draw-bars .counts text").allTextContents()).toEqual(counts);
    expect(await page().locator(".row.edited input.logit-field").inputValue()).toBe("19");
    expect(await page().getByRole("radio", { name: "linear" }).first().isChecked()).toBe(true);
  });

  test("that is bad or old falls back with a notice", async () => {
    await open("v=1&topP=lots&seed=7");
    await shows(onceHolds(0.9));
    expect(await page().locator(".notice").textContent()).toContain('"topP"');
    expect(await page().getByLabel("seed").inputValue()).toBe("7");
    await page().goto(`${page().url().split("#")[0]}#v=0&topP=0.5`);
    await expect.poll(() => page().locator(".notice").textContent()).toContain("another version");
  });
});
