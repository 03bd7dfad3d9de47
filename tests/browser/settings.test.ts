// What is set for the chain as a whole: presets, greedy at its end, what every cut keeps, windows, the guard, the stream.
import { describe, expect, test } from "vitest";
import { onceHolds } from "./numbers";
import { usePage } from "./use-page";

const { cell, number, open, page, shows } = usePage();

const hash = () => new URL(page().url()).hash;
const titles = () => page().locator(".cards .card-title").allTextContents();
const unfold = () => page().locator(".chain-settings > summary").click();
const short = () => page().locator(".chain-settings > summary").textContent();
const guardCard = () => page().locator(".chain-settings .card", { hasText: "Guard" });
const cardNamed = (title: string) =>
  page().locator(".card", { has: page().getByText(title, { exact: true }) });

async function type(label: string, value: string): Promise<void> {
  await number(label).fill(value);
  await number(label).press("Enter");
}

/** The page is what its address says, which holds this: after a reload it says the same. */
async function survives(part: string): Promise<void> {
  await expect.poll(hash).toContain(part);
  const [address, summary] = [hash(), await page().locator(".summary").textContent()];
  await page().waitForLoadState("networkidle");
  await page().reload();
  await expect.poll(() => page().locator(".summary").textContent()).toBe(summary);
  await expect.poll(hash).toBe(address);
}

describe("the preset", () => {
  test("brings its own cards in its order, and undo takes it back", async () => {
    await open();
    await page().getByLabel("preset").selectOption("textbook exercise");
    await expect.poll(titles).toEqual(["Temperature", "Top-k", "Top-p", "Repetition penalty"]);
    expect(await page().locator(".chain").textContent()).toContain("The order of the classic exercise");
    await expect.poll(hash).toContain("preset=textbook");
    await survives("preset=textbook");
    await page().getByLabel("preset").selectOption("nucleus");
    await expect.poll(titles).toContain("Min-p");
    await page().keyboard.press("Control+z");
    await expect.poll(() => page().getByLabel("preset").inputValue()).toBe("textbook");
  });

  test("lets the penalty act after the cut", async () => {
    const penalty = "repetitionPenalty=1.5&output=8180";
    await open(`v=1&${penalty}`);
    await shows(/Of 49,152 tokens, \d+ hold/);
    expect(await page().locator(".summary").textContent()).not.toContain("96 hold");
    await open(`v=1&preset=textbook&${penalty}`);
    await shows("Of 49,152 tokens, 96 hold 90.05%");
    await expect.poll(() => cell(1, "id").textContent()).toBe("8180");
    expect(await cardNamed("Repetition penalty").locator(".result").textContent()).toMatch(/entropy 3\.25 →/);
  });
});

describe("greedy", () => {
  test("ends the chain: the stages before it cut what they cut", async () => {
    await open("v=1&greedy=");
    await expect.poll(() => cardNamed("Greedy").locator(".result").textContent()).toMatch(/^96 → 1 token/);
    expect(await cardNamed("Top-p").locator(".result").textContent()).toContain("49,152 → 96 tokens");
    await shows("greedy leaves 1");
    await page().getByRole("button", { name: "draw 100", exact: true }).click();
    await expect.poll(() => page().locator(".draw-summary").textContent()).toContain("1 of the 1 token");
  });
});

describe("the chain's settings", () => {
  test("hold what every cut keeps, typed or by its slider", async () => {
    await open("v=1&topP=0.1");
    await shows("Of 49,152 tokens, 1 holds");
    await unfold();
    await type("Keep at least", "5");
    await shows("Of 49,152 tokens, 5 hold");
    expect(await short()).toContain("at least 5 kept");
    await page().getByLabel("Keep at least, slider").focus();
    await page().keyboard.press("ArrowRight");
    await shows("Of 49,152 tokens, 6 hold");
    await type("Keep at least", "0");
    await expect
      .poll(() => page().locator(".chain-settings .message").first().textContent())
      .toBe('"0" is not an integer from 1 to 49,152, so 6 stays.');
    await survives("minKeep=6");
  });

  test("have a guard that says what it did, in every policy", async () => {
    await open("v=1&minP=1&topP=~0.9");
    await shows("Of 49,152 tokens, 1 can be drawn");
    await unfold();
    await page().getByRole("switch", { name: "Guard" }).check();
    await expect.poll(() => guardCard().locator(".result").textContent()).toBe("Not tripped here.");
    await type("Guard, mass removed, at most", "0,5");
    await expect
      .poll(() => guardCard().locator(".result").textContent())
      .toContain("Tripped: 61.69% of the mass would go, most of it by min-p");
    await shows("Of 49,152 tokens, 2 can be drawn");
    expect(await cardNamed("Min-p").locator(".result").textContent()).toContain(
      "relaxed by the guard, 1 step",
    );
    expect(await short()).toContain("guard tripped");
    await guardCard().getByRole("radio", { name: "greedy" }).check();
    await shows("the guard leaves 1");
    expect(await cardNamed("Min-p").locator(".result").textContent()).toBe("left out: the guard has tripped");
    expect(await cell(2, "final").textContent()).toBe("cut by guard");
    expect(await number("Guard, steps, at most").count()).toBe(0);
    await survives("guard=greedy;0.5;3;3;32");
    await unfold();
    await guardCard().getByRole("radio", { name: "error" }).check();
    await expect.poll(() => guardCard().locator(".result").textContent()).toBe("Tripped: no token is drawn.");
    expect(await cardNamed("Min-p").locator("p.message").textContent()).toContain(
      "the guard stopped the draw",
    );
    await page().getByRole("switch", { name: "Guard" }).uncheck();
    await shows("Of 49,152 tokens, 1 can be drawn");
    await expect.poll(() => cardNamed("Min-p").locator("p.message").textContent()).toBe("");
  });

  test("show the breaker at work over many draws, and over a text", async () => {
    await open("v=1&minP=1&topP=~0.9&guard=relax;0.5;3;2;3");
    await page().getByRole("button", { name: "draw 100", exact: true }).click();
    await expect
      .poll(() => page().locator(".draws").textContent())
      .toContain("The guard tripped in 40 of 100 draws, last in draw 97. For 60 its breaker was open.");
    await page().locator(".draws").getByRole("button", { name: "reset" }).click();
    for (let i = 1; i <= 2; i++) {
      await page().getByRole("button", { name: "draw 1", exact: true }).click();
      await page()
        .getByRole("button", { name: /^Accept/ })
        .click();
      await expect.poll(hash).toContain(`from=${i}`);
    }
    await shows("All 49,152 tokens can be drawn");
    expect(await short()).toContain("breaker open");
    await unfold();
    await expect.poll(() => guardCard().textContent()).toContain("The breaker is open for 3 draws more");
    expect(await cardNamed("Min-p").locator(".result").textContent()).toBe(
      "left out: the guard's breaker is open",
    );
    await survives("breaker=2,5");
    await unfold();
    await guardCard().getByRole("button", { name: "start over" }).click();
    await shows("Of 49,152 tokens, 2 can be drawn");
    await expect.poll(hash).not.toContain("breaker=");
  });

  test("are reached and set by keyboard alone", async () => {
    await open("v=1&minP=1&topP=~0.9");
    await page().locator(".chain-settings > summary").focus();
    await page().keyboard.press("Enter");
    const focused = () =>
      page().evaluate(() => {
        const element = document.activeElement;
        return element?.getAttribute("aria-label") ?? element?.closest("label")?.textContent ?? "";
      });
    const seen: string[] = [];
    for (let i = 0; i < 4; i++) {
      await page().keyboard.press("Tab");
      seen.push(await focused());
    }
    expect(seen).toEqual(["Keep at least", "Keep at least, slider", "Guard", "what the guard does"]);
    await page().keyboard.press("Shift+Tab");
    await page().keyboard.press("Space");
    await expect.poll(() => guardCard().locator(".result").count()).toBe(1);
    await page().keyboard.press("Tab");
    await page().keyboard.press("Tab");
    expect(await focused()).toBe("relax");
    await page().keyboard.press("ArrowRight");
    await expect.poll(hash).toContain("guard=greedy");
  });
});

describe("windows over the history", () => {
  test("of the penalties: a number or all, and what is unseen is struck out", async () => {
    await open("v=1&presencePenalty=2&output=8180,198");
    await expect.poll(() => cell(1, "id").textContent()).not.toBe("8180");
    expect(await number("Penalties look back").inputValue()).toBe("all");
    await type("Penalties look back", "1");
    await expect.poll(() => cell(1, "id").textContent()).toBe("8180");
    const history = page().getByLabel("History");
    expect(await history.locator(".entries .unseen").count()).toBe(1);
    expect(await history.textContent()).toContain("Penalties do not see the tokens that are struck out.");
    await survives("penaltyLastN=1");
    await page().getByLabel("Penalties look back, slider").focus();
    await page().keyboard.press("End");
    await expect.poll(() => number("Penalties look back").inputValue()).toBe("all");
    await expect.poll(() => cell(1, "id").textContent()).not.toBe("8180");
    await type("Penalties look back", "some");
    await expect
      .poll(() => history.locator(".message").first().textContent())
      .toBe('"some" is not an integer from 0 to 4,096, nor "all", so all stays.');
    await type("Penalties look back", "0");
    await expect.poll(() => cell(1, "id").textContent()).toBe("8180");
  });

  test("of DRY: it forgets what lies further back", async () => {
    await open("v=1&topP=~0.9&dry=2;1.75;2;&output=3102,198,8180,3102,198");
    await expect.poll(() => cardNamed("DRY").textContent()).toMatch(/entropy .* → /);
    await type("DRY, tokens looked back", "3");
    await expect.poll(() => cardNamed("DRY").textContent()).toContain("changes nothing here");
    await expect.poll(hash).toContain("dry=2;1.75;2;3;");
  });
});

test("a stream of the seed has draws of its own, and is in the address", async () => {
  await open("v=1&draws=10000");
  const counts = page().locator(".draw-bars .counts text");
  await expect.poll(() => counts.first().textContent()).toBe("4,354");
  await page().getByLabel("stream").fill("1");
  await page().getByLabel("stream").press("Enter");
  await expect.poll(() => counts.first().textContent()).not.toBe("4,354");
  await expect.poll(hash).toContain("stream=1");
  const second = await counts.allTextContents();
  await page().reload();
  await expect.poll(() => counts.allTextContents()).toEqual(second);
  await page().getByLabel("stream").fill("4294967296");
  await page().getByLabel("stream").press("Enter");
  await expect
    .poll(() => page().locator(".draws .message").textContent())
    .toBe("A stream is an integer from 0 to 2^32 - 1, so 1 stays.");
});

test.each(["preset=llama", "guard=maybe;0.5;3;3;32", "minKeep=0", "penaltyLastN=9999", "stream=-1"])(
  "an address with %s falls back with a notice",
  async (part) => {
    await open(`v=1&${part}`);
    await shows(onceHolds(0.9));
    expect(await page().locator(".notice").textContent()).toContain(`"${part.split("=")[0]}"`);
  },
);

test("an address whose breaker the engine cannot go on with starts fresh, and says why", async () => {
  await open("v=1&minP=1&guard=relax;0.5;3;3;32&breaker=1,0,9");
  await shows(onceHolds(0.9));
  expect(await page().locator(".notice").textContent()).toContain("asks for what the engine cannot do");
});
