// Every stage as a card: added from the menu, explained, kept in the address; cards in another order.
import { describe, expect, test } from "vitest";
import { CARDS, type Card } from "../../www/chain/cards";
import { onceHolds } from "./numbers";
import { usePage } from "./use-page";

const { number, open, page, shows } = usePage();

const menu = () => page().locator(".add-stage summary");
const said = () => page().locator('.chain > [role="status"]');
const titles = () => page().locator(".cards .card-title").allTextContents();
const grip = (title: string) => page().getByRole("button", { name: new RegExp(`^order of ${title},`) });
const cardNamed = (title: string) =>
  page().locator(".card", { has: page().getByText(title, { exact: true }) });
const hash = () => new URL(page().url()).hash;

async function add(card: Card): Promise<void> {
  await menu().click();
  await page().locator(".stage-menu button", { hasText: card.summary }).click();
}

describe("the menu of stages", () => {
  test("offers every stage that is not on the page, under what it is there for", async () => {
    await open();
    await menu().click();
    const offered = await page().locator(".stage-menu button strong").allTextContents();
    const hidden = CARDS.filter(({ shown }) => !shown).map(({ title }) => title);
    expect([...offered].sort()).toEqual([...hidden].sort());
    expect(await page().locator(".stage-menu h3").count()).toBe(5);
  });

  test("finds a stage by what it does, and adds the first one with Enter", async () => {
    await open();
    await menu().click();
    const search = page().getByLabel("find a stage");
    await search.fill("standard deviations");
    expect(await page().locator(".stage-menu button").count()).toBe(1);
    await search.press("Enter");
    await expect.poll(() => said().textContent()).toBe("Top-n-sigma is stage 5 of 5.");
    await shows("cut by top-p and top-n-sigma");
    expect(await page().evaluate(() => document.activeElement?.getAttribute("role"))).toBe("switch");
  });

  test("closes with Escape, and gives the focus back", async () => {
    await open();
    await menu().click();
    await page().getByLabel("find a stage").fill("no such stage");
    await expect.poll(() => page().locator(".stage-menu [role=status]").textContent()).toContain("No stage");
    await page().keyboard.press("Escape");
    expect(await page().locator(".add-stage").getAttribute("open")).toBeNull();
    expect(await page().evaluate(() => document.activeElement?.tagName)).toBe("SUMMARY");
  });
});

describe.each(CARDS.filter(({ shown }) => !shown).map((card) => [card.title, card] as const))(
  "the card of %s",
  (title, card) => {
    test("is added, works, says what it did, and survives in the address", async () => {
      await open();
      await add(card);
      await expect.poll(() => cardNamed(title).locator(".result").count()).toBe(1);
      await expect.poll(() => cardNamed(title).locator(".result").textContent()).not.toBe("");
      expect(await page().locator(".card .message:not(:empty)").count()).toBe(0);
      await expect.poll(hash).toContain(`${card.key}=`);
      const address = hash();
      const [summary, result] = [
        await page().locator(".summary").textContent(),
        await cardNamed(title).locator(".result").textContent(),
      ];
      await page().waitForLoadState("networkidle");
      await page().reload();
      await expect.poll(() => page().locator(".summary").textContent()).toBe(summary);
      expect(await cardNamed(title).locator(".result").textContent()).toBe(result);
      await expect.poll(hash).toBe(address);
    });

    test("is switched off and on, moved by keyboard, and taken away", async () => {
      await open();
      await add(card);
      await expect.poll(() => cardNamed(title).locator(".result").count()).toBe(1);
      const before = await titles();
      const place = before.indexOf(title);
      await grip(title).focus();
      await page().keyboard.press("Space");
      await page().keyboard.press(place === 0 ? "ArrowDown" : "ArrowUp");
      if (card.isTerminal) {
        await expect
          .poll(() => page().locator(".said").textContent())
          .toContain(`${title} chooses the token`);
        expect(await titles()).toEqual(before);
      } else {
        const to = place === 0 ? 1 : place - 1;
        await expect.poll(titles).toEqual(before.toSpliced(place, 1).toSpliced(to, 0, title));
        await expect.poll(hash).toContain("order=");
      }
      await page().keyboard.press("Enter");
      const turn = page().getByRole("switch", { name: title, exact: true });
      await turn.uncheck();
      await expect.poll(() => cardNamed(title).locator(".result").count()).toBe(0);
      await expect.poll(hash).toContain(`${card.key}=~`);
      await turn.check();
      await expect.poll(() => cardNamed(title).locator(".result").count()).toBe(1);
      await page()
        .getByRole("button", { name: `remove ${title}` })
        .click();
      await expect.poll(titles).not.toContain(title);
    });
  },
);

describe("a card is moved", () => {
  test("by keyboard, which says where it is and can put it back", async () => {
    await open();
    await grip("Temperature").focus();
    await page().keyboard.press("ArrowDown");
    await page().keyboard.press("ArrowDown");
    await expect
      .poll(() => page().evaluate(() => document.activeElement?.getAttribute("data-grip")))
      .toBe("topP");
    await page().keyboard.press("Space");
    await expect.poll(() => said().textContent()).toBe("Top-p is lifted: it is stage 3 of 4.");
    await page().keyboard.press("ArrowUp");
    await expect.poll(() => said().textContent()).toBe("Top-p is stage 2 of 4 now.");
    await page().keyboard.press("ArrowUp");
    await expect.poll(titles).toEqual(["Top-p", "Temperature", "Top-k", "Min-p"]);
    await expect.poll(() => said().textContent()).toBe("Top-p is stage 1 of 4 now.");
    await expect.poll(() => grip("Top-p").getAttribute("aria-pressed")).toBe("true");
    await page().keyboard.press("Escape");
    await expect.poll(titles).toEqual(["Temperature", "Top-k", "Top-p", "Min-p"]);
    await expect.poll(() => said().textContent()).toContain("back in its place");
    await page().keyboard.press("Enter");
    await expect.poll(() => said().textContent()).toBe("Top-p is lifted: it is stage 3 of 4.");
    await page().keyboard.press("Home");
    await expect.poll(() => said().textContent()).toBe("Top-p is stage 1 of 4 now.");
    await page().keyboard.press("Enter");
    await expect.poll(titles).toEqual(["Top-p", "Temperature", "Top-k", "Min-p"]);
    await expect.poll(hash).toBe("#v=1&order=topP,temperature,topK,minP");
  });

  test("by keyboard with one stop for Tab among all grips", async () => {
    await open();
    expect(await page().locator('.grip[tabindex="0"]').count()).toBe(1);
    await grip("Top-k").focus();
    await expect.poll(() => page().locator('.grip[tabindex="0"]').getAttribute("data-grip")).toBe("topK");
  });

  test("by dragging, and the kept tokens follow the order", async () => {
    await open("v=1&temperature=2");
    const before = await page().locator(".summary").textContent();
    const [from, to] = [await grip("Top-p").boundingBox(), await grip("Temperature").boundingBox()];
    if (from === null || to === null) throw new Error("There are no grips.");
    await page().mouse.move(from.x + 8, from.y + 8);
    await page().mouse.down();
    await page().mouse.move(from.x + 8, from.y - 20);
    await page().mouse.move(to.x + 8, to.y - 20);
    expect(await page().locator(".cards > .lands-before").getAttribute("data-key")).toBe("temperature");
    await page().mouse.up();
    await expect.poll(titles).toEqual(["Top-p", "Temperature", "Top-k", "Min-p"]);
    // Top-p sees the row as it is now, whatever the temperature does afterwards.
    await shows(onceHolds(0.9));
    expect(before).not.toContain(onceHolds(0.9));
    await page().keyboard.press("Control+z");
    await expect.poll(() => page().locator(".summary").textContent()).toBe(before);
  });

  test("by the buttons under its explanation", async () => {
    await open();
    await page().getByRole("button", { name: "what min-p does" }).click();
    await page().getByRole("button", { name: "move up: Min-p" }).click();
    await expect.poll(titles).toEqual(["Temperature", "Top-k", "Min-p", "Top-p"]);
  });

  test("never after the stage that chooses the token, and says why", async () => {
    await open("v=1&mirostat=2;5;0.1");
    await grip("Min-p").focus();
    await page().keyboard.press("Space");
    await page().keyboard.press("ArrowDown");
    await expect
      .poll(() => page().locator(".said").textContent())
      .toBe("Mirostat chooses the token, so nothing comes after it.");
    await expect.poll(titles).toEqual(["Temperature", "Top-k", "Top-p", "Min-p", "Mirostat"]);
  });
});

describe("stages that choose the token", () => {
  test("take each other's place", async () => {
    await open("v=1&mirostat=2;5;0.1");
    await add(CARDS.find(({ key }) => key === "adaptiveP") as Card);
    await expect
      .poll(() => page().locator(".said").textContent())
      .toContain("Mirostat was switched off: only one stage can choose the token.");
    expect(await page().getByRole("switch", { name: "Mirostat" }).isChecked()).toBe(false);
  });

  test("learn from a draw that is accepted", async () => {
    await open("v=1&mirostat=2;3;0.5&topP=~0.9");
    await expect.poll(() => cardNamed("Mirostat").textContent()).toContain("μ is 6.00 bits now");
    await page().getByRole("button", { name: "draw 1", exact: true }).click();
    await page()
      .getByRole("button", { name: /^Accept/ })
      .click();
    await expect
      .poll(() => cardNamed("Mirostat").textContent())
      .toMatch(/Accepted draws have moved μ.*μ is (?!6\.00)[\d.]+ bits now/);
    expect(await cardNamed("Mirostat").textContent()).not.toContain("μ is 6.00 bits now");
    await expect.poll(hash).toMatch(/output=\d+&.*mu=[\d.]+&from=1/);
    const address = hash();
    await page().waitForLoadState("networkidle");
    await page().reload();
    await expect.poll(() => cardNamed("Mirostat").textContent()).toMatch(/have moved μ/);
    await expect.poll(hash).toBe(address);
    await cardNamed("Mirostat").getByRole("button", { name: "start over" }).click();
    await expect.poll(() => cardNamed("Mirostat").textContent()).toContain("μ is 6.00 bits now");
  });
});

describe("what single stages have of their own", () => {
  test("XTC shows both sides of its coin", async () => {
    await open("v=1&xtc=0.5;0.1;&topP=~0.9");
    await shows("cut by XTC");
    await cardNamed("XTC").getByRole("radio", { name: "does not" }).check();
    await shows("All 49,152 tokens can be drawn");
  });

  test("guidance takes another recorded row as its second one", async () => {
    await open("v=1&guidance=2");
    const first = await page().locator(".summary").textContent();
    await cardNamed("Guidance").getByRole("combobox").selectOption("capital");
    await expect.poll(() => page().locator(".summary").textContent()).not.toBe(first);
    await expect.poll(hash).toContain("second=capital");
  });

  test("a sequence of bad words grows token by token", async () => {
    await open("v=1&badWords=3102");
    const card = cardNamed("Bad words");
    await card.getByRole("button", { name: "add a token after town" }).click();
    await card.getByRole("combobox").fill("8180");
    await card.getByRole("combobox").press("Enter");
    await expect.poll(hash).toContain("badWords=3102.8180");
    await card.getByRole("combobox").fill("198");
    await card.getByRole("combobox").press("Enter");
    await expect.poll(hash).toContain("badWords=3102.8180,198");
  });

  test("a number among several has its own field and slider", async () => {
    await open("v=1&dry=0.8;1.75;2;&output=8180,3102,6560,8180,3102");
    await expect.poll(() => cardNamed("DRY").textContent()).toMatch(/entropy .* → /);
    await number("DRY, allowed length").fill("5");
    await number("DRY, allowed length").press("Enter");
    await expect.poll(() => cardNamed("DRY").textContent()).toContain("changes nothing here");
    await page().getByLabel("DRY, allowed length, slider").focus();
    for (let i = 0; i < 4; i++) await page().keyboard.press("ArrowLeft");
    await expect.poll(() => number("DRY, allowed length").inputValue()).toBe("1");
  });
});

describe("a token that a stage removed", () => {
  test.each([
    ["typicalP=0.3", /its surprise is more than/],
    [
      "epsilonCutoff=0.01",
      /its probability of [\d.]+% is below 1\.00%, which the epsilon cut-off asks for\./,
    ],
    ["topNSigma=1", /its logit, [\d.]+, is below/],
    ["xtc=1;0.1;", /XTC's coin has fallen/],
    ["mirostat=2;1;0.1", /its surprise is above μ, which is 2\.00 bits now/],
  ])("is explained: %s", async (part, sentence) => {
    await open(`v=1&topP=~0.9&${part}`);
    await expect.poll(() => page().locator(".why").textContent()).toMatch(sentence);
  });
});

test("the summary stays in sight over a long chain, and hides nothing that has the focus", async () => {
  const cards = CARDS.filter(({ isTerminal, list }) => !isTerminal && list === null);
  await open(
    `v=1&${cards.map(({ key, numbers }) => `${key}=${numbers.map(({ initial }) => initial).join(";")}`).join("&")}`,
  );
  const last = cards.at(-1)?.title ?? "";
  await number(last).focus();
  const summary = await page().locator(".summary").boundingBox();
  expect(summary?.y).toBe(0);
  for (let i = 0; i < 60; i++) {
    await page().keyboard.press("Shift+Tab");
    const focused = await page().evaluate(() => document.activeElement?.getBoundingClientRect().bottom ?? 0);
    expect(focused).toBeGreaterThan(summary?.height ?? 0);
  }
});
