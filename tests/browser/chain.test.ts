// The chain's cards: typed numbers, sliders, switches, stages added and removed.
import { describe, expect, test } from "vitest";
import { onceHolds } from "./numbers";
import { usePage } from "./use-page";

const { cell, number, open, page, shows } = usePage();

describe("a card", () => {
  test("takes a typed number with a comma, and 0", async () => {
    await open();
    await number("Top-p").fill("0,5");
    await number("Top-p").press("Enter");
    await shows(onceHolds(0.5));
    await number("Temperature").fill("0");
    await number("Temperature").press("Enter");
    await shows("temperature 0 leaves 1");
  });

  test("reverts what is not a number in its range, and says so", async () => {
    await open();
    await number("Top-p").fill("1.5");
    await number("Top-p").press("Enter");
    const card = page().locator(".card", { hasText: "Top-p" });
    await expect
      .poll(() => card.locator(".message").first().textContent())
      .toBe('"1.5" is not a number from 0 to 1, so 0.90 stays.');
    expect(await number("Top-p").inputValue()).toBe("0.90");
    await shows(onceHolds(0.9));
  });

  test("moves by its slider with the keyboard, and switches off and on", async () => {
    await open();
    await page().getByRole("switch", { name: "Top-k" }).check();
    await shows("The rest is cut by top-k and top-p");
    const slider = page().getByLabel("Top-k, slider");
    await slider.focus();
    await page().keyboard.press("Home");
    await shows(onceHolds(0.9));
    for (let i = 0; i < 3; i++) await page().keyboard.press("ArrowRight");
    await expect.poll(() => number("Top-k").inputValue()).toBe("3");
    await shows("Of 49,152 tokens, 2 can be drawn");
    await page().getByRole("switch", { name: "Top-k" }).uncheck();
    await shows(onceHolds(0.9));
  });

  test("is added, shows the engine's objection calmly, and is removed", async () => {
    await open();
    await page().getByText("Add a stage").click();
    await page()
      .getByRole("button", { name: /^Allowed tokens/ })
      .click();
    await shows("Of 49,152 tokens, 2 can be drawn. The rest is cut by allowed tokens.");
    const card = page().locator(".card", { hasText: "Allowed tokens" });
    for (const name of [" girl", " town"])
      await card.getByRole("button", { name: `remove ${name}`, exact: true }).click();
    await expect
      .poll(() => card.locator("p.message").textContent())
      .toContain("allowedTokens must not be empty");
    await shows("tokens");
    await card.getByRole("combobox").fill("cow");
    await card.getByRole("combobox").press("Enter");
    await shows(/Of 49,152 tokens, 1 can be drawn/);
    await card.getByRole("button", { name: "remove Allowed tokens" }).click();
    await shows(onceHolds(0.9));
  });

  test("keeps its number beside its title, however long that is", async () => {
    const added = ["repetitionPenalty", "frequencyPenalty", "presencePenalty"].map((key) => `${key}=1.1`);
    await open(`v=1&${added.join("&")}`);
    for (const title of ["Repetition penalty", "Frequency penalty", "Presence penalty", "Temperature"]) {
      const name = await page().getByText(title, { exact: true }).first().boundingBox();
      const field = await number(title).boundingBox();
      if (name === null || field === null) throw new Error(`${title} is nowhere.`);
      expect(field.x).toBeGreaterThan(name.x + name.width);
      expect(Math.abs(field.y + field.height / 2 - (name.y + name.height / 2))).toBeLessThan(8);
    }
  });

  test("named greedy is named where it cuts", async () => {
    await open("v=1&greedy=");
    await shows("greedy leaves 1");
    expect(await page().locator(".legend").textContent()).toContain("cut by greedy");
    expect(await cell(2, "final").textContent()).toBe("cut by greedy");
    expect(await page().locator("main").textContent()).not.toContain("cut by temperature");
  });

  test("for a penalty looks at prompt and output", async () => {
    await open();
    await page().getByText("Add a stage").click();
    await page()
      .getByRole("button", { name: /^Presence penalty/ })
      .click();
    const history = page().getByLabel("History");
    expect(await history.locator(".history").textContent()).toContain("Once");
    await history.getByRole("combobox").fill("girl");
    await history.getByRole("combobox").press("Enter");
    await expect
      .poll(async () => Number.parseFloat((await cell(1, "final").textContent()) ?? ""))
      .toBeLessThan(42);
    await number("Presence penalty").fill("2");
    await number("Presence penalty").press("Enter");
    await expect.poll(() => cell(1, "id").textContent()).not.toBe("8180");
  });
});
