import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contentSecurityPolicy } from "../../scripts/policy.mjs";
import { Stage } from "./page";

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

const WIDTHS = { phone: 390, tablet: 768, desktop: 1280, wide: 1680 } as const;
const STATES = {
  "at first": "",
  "with everything in use":
    "v=1&temperature=1.2&topK=400&topP=0.9&minP=0.001&repetitionPenalty=1.2&logitBias=8180:2&allowedTokens=~8180:0&greedy=~&edits=3102:18&output=8180&draws=1000&probability=log",
  "with stages of every kind":
    "v=1&guidance=1.5&badWords=8180,3102.6560&minNewTokens=5;0,2&dry=0.8;1.75;1;198&dynamicTemperature=0.5;1&typicalP=0.9&pLess=&xtc=0.5;0.1;3102&mirostat=2;3;0.1&order=dynamicTemperature,topP,temperature,topK,minP&output=8180,3102,8180&from=3&mu=5.5&draws=100",
  "with a guard that trips, a preset and a window":
    "v=1&preset=textbook&presencePenalty=0.5&minP=1&penaltyLastN=4&minKeep=2&guard=relax;0.3;2;3;32&output=8180,3102&from=2&breaker=2,0,0,1&stream=7&draws=100",
  "with a model and its text":
    "v=1&source=tiny&prompt=The king%0Aand the fox 🦄&output=300,1200,12&from=3&draws=100",
  "with a row of one's own": "v=1&source=hand&draws=30",
} as const;

interface AxeWindow {
  axe: typeof axe;
}

/** How many pixels the page could be scrolled sideways. */
function sideways(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** What axe finds wrong with the page as it is. */
async function violations(page: Page): Promise<string[]> {
  // Evaluated by the debugger, which the content policy does not reach.
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const found = await (window as unknown as AxeWindow).axe.run(document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    });
    return found.violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(" | ")}`,
    );
  });
}

describe.each(Object.entries(STATES))("the page %s", (_, fragment) => {
  describe.each(["light", "dark"] as const)("in the %s theme", (colorScheme) => {
    test.each(Object.entries(WIDTHS))(
      "scrolls nowhere sideways and satisfies axe at %s width",
      async (_, width) => {
        const visit = await stage.visit(fragment, { viewport: { width, height: 900 }, colorScheme });
        const { page } = visit;
        if (fragment.includes("draws")) await page.locator(".draw-bars .counts text").first().waitFor();
        expect(await sideways(page)).toBe(0);
        expect(await violations(page)).toEqual([]);
        expect(visit.trouble).toEqual([]);
        await visit.close();
      },
    );
  });
});

test.each([320, 390, 1280, 2560])(
  "the menu of stages, the chain's settings and an open explanation satisfy axe at %i px",
  async (width) => {
    const visit = await stage.visit(`${STATES["with stages of every kind"]}&guard=relax;0.5;3;3;32`, {
      viewport: { width, height: 900 },
    });
    const { page } = visit;
    await page.getByRole("button", { name: "what top-p does" }).click();
    await page.locator(".chain-settings summary").click();
    await page.getByRole("button", { name: "what the guard does" }).click();
    await page.locator(".add-stage summary").click();
    expect(await page.locator(".notice").textContent()).toBe("");
    const [menu, end] = await page.evaluate(() => [
      (document.querySelector(".stage-menu")?.getBoundingClientRect().bottom ?? 0) + window.scrollY,
      document.documentElement.scrollHeight,
    ]);
    expect(menu).toBeLessThan(end ?? 0);
    expect(await sideways(page)).toBe(0);
    expect(await violations(page)).toEqual([]);
    expect(visit.trouble).toEqual([]);
    await visit.close();
  },
);

test("the built page carries the content policy, which lets the engine run and blocks inline script", async () => {
  const visit = await stage.visit();
  const policy = visit.page.locator('meta[http-equiv="Content-Security-Policy"]');
  expect(await policy.getAttribute("content")).toBe(contentSecurityPolicy);
  const violated = await visit.page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        document.addEventListener("securitypolicyviolation", (event) => resolve(event.violatedDirective));
        const script = document.createElement("script");
        script.textContent = "window.broken = true";
        document.body.append(script);
      }),
  );
  expect(violated).toMatch(/^script-src/);
  await visit.close();
});

/** The focused element: what it is called, the part of the page it is in, and where that part starts. */
interface Focused {
  readonly name: string;
  readonly part: string;
  readonly top: number;
}

test("everything can be reached with the Tab key, in an order that goes down the page", async () => {
  const visit = await stage.visit("", { viewport: { width: 390, height: 844 } });
  const { page } = visit;
  const reached: Focused[] = [];
  for (let i = 0; i < 90; i++) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      const part = element?.closest("header, .rooms > section");
      if (!element || !part) return null;
      const label = element.getAttribute("aria-label");
      const name = label ?? element.closest("label")?.textContent ?? element.textContent ?? "";
      const top = part.getBoundingClientRect().top + window.scrollY;
      return { name: name.trim(), part: part.className || part.tagName.toLowerCase(), top };
    });
    if (focused === null) break;
    reached.push(focused);
  }
  const parts = reached.filter(({ part }, i) => part !== reached[i - 1]?.part);
  expect(parts.map(({ part }) => part)).toEqual(["page-header", "figure", "draws", "chain", "tokens"]);
  const tops = parts.map(({ top }) => top);
  expect(tops).toEqual([...tops].sort((a, b) => a - b));
  expect(new Set(tops).size).toBe(tops.length);
  const names = reached.map(({ name }) => name.slice(0, 40).trim());
  for (const wanted of [
    "Share",
    "Top-p",
    "draw 1",
    "draw 10,000",
    "Run",
    "Temperature",
    "Top-k",
    "Temperature, slider",
    "logit of  girl",
  ])
    expect(names).toContain(wanted);
  expect(visit.trouble).toEqual([]);
  await visit.close();
});

describe("without script", () => {
  test("the page explains and shows the first fifty numbers", async () => {
    const visit = await stage.visitStatic();
    const { page } = visit;
    expect(await page.locator("h1").textContent()).toContain("Once upon a time, there was a little");
    expect(await page.locator(".first-table tbody tr").count()).toBe(50);
    expect(await page.locator(".first-table tbody tr").first().textContent()).toMatch(
      /8180.*38\.31%.*42\.55%/s,
    );
    const widths = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      document.documentElement.clientWidth,
    ]);
    expect(widths[0]).toBe(widths[1]);
    await visit.close();
  });
});

test("a page whose engine cannot be loaded keeps its first numbers and says what is wrong", async () => {
  const visit = await stage.visitBroken();
  const status = visit.page.locator("#loading");
  await expect.poll(() => status.textContent(), { timeout: 20_000 }).not.toContain("on its way");
  expect(await status.textContent()).toContain("The sampler could not start");
  expect(await visit.page.locator(".first-table tbody tr").count()).toBe(50);
  await visit.close();
});

test("bars glide for nobody who asked for less motion", async () => {
  const visit = await stage.visit("", { reducedMotion: "reduce" });
  const frames = await visit.page.evaluate(async () => {
    let n = 0;
    const original = CanvasRenderingContext2D.prototype.clearRect;
    CanvasRenderingContext2D.prototype.clearRect = function (...box) {
      n++;
      original.apply(this, box);
    };
    document.querySelector<HTMLInputElement>('.card [role="switch"]:not(:checked)')?.click();
    await new Promise((resolve) => setTimeout(resolve, 500));
    return n;
  });
  expect(frames).toBe(1);
  await visit.close();
});
