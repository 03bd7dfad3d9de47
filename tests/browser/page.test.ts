import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { INITIAL_STATE } from "../../www/state";
import { holding, nucleus, percent, recordedLogits } from "./numbers";
import { Stage, type Visit } from "./page";

let stage: Stage;
let visit: Visit;
beforeAll(async () => {
  stage = await Stage.open();
});
afterEach(async () => {
  const { trouble } = visit;
  await visit.close();
  expect(trouble).toEqual([]);
});
afterAll(() => stage.close());

const summary = () => visit.page.locator(".summary");
const row = (rank: number) => visit.page.locator(`.row[aria-rowindex="${rank + 1}"]`);
const cell = (rank: number, name: string) => row(rank).locator(`.cell-${name}`);
const handle = () => visit.page.getByRole("slider", { name: "Top-p", exact: true });
const number = (label: string) => visit.page.locator(`input[type="text"][aria-label="${label}"]`);
const kept = async () => Number((await summary().locator("strong").textContent())?.replaceAll(",", ""));

const once = recordedLogits("once");
/** The headline's words for the first row at temperature 1. */
const onceHolds = (p: number) => holding(nucleus(once, 1, p));

async function shows(text: string | RegExp) {
  await expect.poll(() => summary().textContent(), { timeout: 20_000 }).toMatch(text);
}

describe("the numbers", () => {
  test("of the first picture equal an independent computation from the recorded bits", async () => {
    visit = await stage.visit();
    const expected = nucleus(once, 1, 0.9);
    await shows(`Of 49,152 tokens, ${holding(expected)} Only they can be drawn`);
    for (let rank = 1; rank <= 12; rank++) {
      const id = expected.order[rank - 1] ?? 0;
      expect(await cell(rank, "id").textContent()).toBe(String(id));
      expect(await cell(rank, "raw").textContent()).toBe(percent(expected.raw[rank - 1] ?? 0));
      expect(await cell(rank, "final").textContent()).toBe(percent(expected.final[rank - 1] ?? 0));
      const logit = await cell(rank, "logit").locator("input").inputValue();
      expect(Number(logit)).toBeCloseTo(once[id] ?? 0, 3);
    }
    const result = visit.page.locator(".card", { hasText: "Top-p" }).locator(".result li");
    const [before, after] = expected.entropy.map((entropy) => entropy.toFixed(2));
    expect(await result.allTextContents()).toEqual([
      `49,152 → ${expected.kept} tokens`,
      `removes ${percent(1 - expected.mass)} of the mass`,
      `entropy ${before} → ${after} bits`,
    ]);
  });

  test("follow temperature and p", async () => {
    visit = await stage.visit("v=1&temperature=0.7&topP=0.95");
    const expected = nucleus(once, 0.7, 0.95);
    await shows(holding(expected));
    expect(await cell(1, "final").textContent()).toBe(percent(expected.final[0] ?? 0));
    const first = nucleus(once, 1, 0.95);
    expect(await cell(1, "raw").textContent()).toBe(percent(first.raw[0] ?? 0));
  });

  test("say which stage cut a token: the first that is out", async () => {
    visit = await stage.visit();
    const { kept: above, mass } = nucleus(once, 1, 0.9);
    const why = visit.page.locator(".why");
    await expect
      .poll(() => why.textContent())
      .toBe(
        `cow (rank 97) is out: the ${above} tokens ranked before it already hold ${percent(mass)} of the probability, and p asks for 90%.`,
      );
    await visit.page.locator(".scroller").evaluate((element) => {
      element.scrollTop = 90 * 34;
    });
    await expect.poll(() => cell(97, "final").textContent()).toBe("cut by top-p");
    expect(await cell(96, "final").textContent()).toMatch(/^0\.0\d%$/);
  });
});

describe("the handle", () => {
  test("moves by mouse along the curve", async () => {
    visit = await stage.visit();
    await shows(onceHolds(0.9));
    const box = await handle().locator(".handle-knob").boundingBox();
    if (box === null) throw new Error("The handle is nowhere.");
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await visit.page.mouse.move(x, y);
    await visit.page.mouse.down();
    await visit.page.mouse.move(x - 120, y + 40, { steps: 8 });
    await visit.page.mouse.up();
    // The field shows the state at once, the handle what the engine has answered.
    const shownP = async () => Number(await handle().getAttribute("aria-valuenow"));
    await expect.poll(async () => (await shownP()) - Number(await number("Top-p").inputValue())).toBe(0);
    const fewer = await kept();
    expect(fewer).toBeLessThan(96);
    expect(fewer).toBeGreaterThan(5);
    const p = await shownP();
    expect(fewer).toBe(nucleus(once, 1, p).kept);
  });

  test("moves by keyboard: arrows, fine steps, leaps and both ends", async () => {
    visit = await stage.visit();
    await handle().focus();
    await visit.page.keyboard.press("ArrowLeft");
    await shows(onceHolds(0.89));
    await visit.page.keyboard.press("Shift+ArrowUp");
    await shows(onceHolds(0.891));
    await visit.page.keyboard.press("PageDown");
    await shows(onceHolds(0.791));
    await visit.page.keyboard.press("Home");
    await shows(onceHolds(0));
    await visit.page.keyboard.press("End");
    await shows("All 49,152 tokens can be drawn");
    expect(await handle().getAttribute("aria-valuetext")).toContain("49,152");
  });

  test("moves by touch", async () => {
    visit = await stage.visit("", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    await shows(onceHolds(0.9));
    await handle().scrollIntoViewIfNeeded();
    const box = await handle().locator(".handle-knob").boundingBox();
    if (box === null) throw new Error("The handle is nowhere.");
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const session = await visit.page.context().newCDPSession(visit.page);
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", dx: number, dy: number) =>
      session.send("Input.dispatchTouchEvent", {
        type,
        touchPoints: type === "touchEnd" ? [] : [{ x: x + dx, y: y + dy }],
      });
    await touch("touchStart", 0, 0);
    for (const step of [1, 2, 3, 4, 5]) await touch("touchMove", 10 * step, -2 * step);
    await touch("touchEnd", 50, -10);
    await expect.poll(kept).toBeGreaterThan(150);
  });
});

describe("a card", () => {
  test("takes a typed number with a comma, and 0", async () => {
    visit = await stage.visit();
    await number("Top-p").fill("0,5");
    await number("Top-p").press("Enter");
    await shows(onceHolds(0.5));
    await number("Temperature").fill("0");
    await number("Temperature").press("Enter");
    await shows("temperature 0 leaves 1");
  });

  test("reverts what is not a number in its range, and says so", async () => {
    visit = await stage.visit();
    await number("Top-p").fill("1.5");
    await number("Top-p").press("Enter");
    const card = visit.page.locator(".card", { hasText: "Top-p" });
    await expect
      .poll(() => card.locator(".message").first().textContent())
      .toBe('"1.5" is not a number from 0 to 1, so 0.90 stays.');
    expect(await number("Top-p").inputValue()).toBe("0.90");
    await shows(onceHolds(0.9));
  });

  test("moves by its slider with the keyboard, and switches off and on", async () => {
    visit = await stage.visit();
    await visit.page.getByRole("switch", { name: "Top-k" }).check();
    await shows("The rest is cut by top-k and top-p");
    const slider = visit.page.getByLabel("Top-k, slider");
    await slider.focus();
    await visit.page.keyboard.press("Home");
    await shows(onceHolds(0.9));
    for (let i = 0; i < 3; i++) await visit.page.keyboard.press("ArrowRight");
    await expect.poll(() => number("Top-k").inputValue()).toBe("3");
    await shows("Of 49,152 tokens, 2 can be drawn");
    await visit.page.getByRole("switch", { name: "Top-k" }).uncheck();
    await shows(onceHolds(0.9));
  });

  test("is added, shows the engine's objection calmly, and is removed", async () => {
    visit = await stage.visit();
    await visit.page.getByText("Add a stage").click();
    await visit.page.getByRole("button", { name: /^Allowed tokens/ }).click();
    await shows("Of 49,152 tokens, 2 can be drawn. The rest is cut by allowed tokens.");
    const card = visit.page.locator(".card", { hasText: "Allowed tokens" });
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

  test("for a penalty looks at prompt and output", async () => {
    visit = await stage.visit();
    await visit.page.getByText("Add a stage").click();
    await visit.page.getByRole("button", { name: /^Presence penalty/ }).click();
    const history = visit.page.getByLabel("History");
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

describe("a logit", () => {
  test("is typed, follows in every number, and is undone", async () => {
    visit = await stage.visit();
    const field = () => visit.page.getByLabel("logit of  village", { exact: true });
    await field().fill("20,5");
    await field().press("Enter");
    await expect.poll(() => visit.page.locator(".row.edited .cell-rank").textContent()).toBe("1");
    const edited = recordedLogits("once");
    edited[6560] = 20.5;
    const expected = nucleus(edited, 1, 0.9);
    await expect.poll(kept).toBe(expected.kept);
    expect(await visit.page.locator(".row.edited .cell-final").textContent()).toBe(
      percent(expected.final[0] ?? 0),
    );
    await visit.page.getByRole("button", { name: "Undo" }).click();
    await shows(onceHolds(0.9));
    expect(await visit.page.getByRole("button", { name: "Undo" }).isDisabled()).toBe(true);
  });

  test("is dragged as a bar with the keyboard, and its row stays under the hand", async () => {
    visit = await stage.visit();
    const bar = visit.page.getByLabel("logit of  fish, as a bar", { exact: true });
    await bar.focus();
    const before = await bar.boundingBox();
    await visit.page.keyboard.press("End");
    await expect.poll(() => visit.page.locator(".row.edited .cell-rank").textContent()).toBe("1");
    const after = await bar.boundingBox();
    expect(after?.y).toBe(before?.y);
    await visit.page.keyboard.press("Control+z");
    await shows(onceHolds(0.9));
  });

  test("is dragged as a bar with the mouse in one edit", async () => {
    visit = await stage.visit();
    const bar = visit.page.getByLabel("logit of  boy, as a bar", { exact: true });
    await bar.scrollIntoViewIfNeeded();
    const box = await bar.boundingBox();
    if (box === null) throw new Error("The bar is nowhere.");
    const y = box.y + box.height / 2;
    await visit.page.mouse.move(box.x + box.width * 0.3, y);
    await visit.page.mouse.down();
    await visit.page.mouse.move(box.x + box.width * 0.98, y, { steps: 6 });
    await visit.page.mouse.up();
    await expect.poll(() => visit.page.locator(".row.edited .cell-rank").textContent()).toBe("1");
    await visit.page.getByRole("button", { name: "Undo" }).click();
    await shows(onceHolds(0.9));
    expect(await visit.page.locator(".row.edited").count()).toBe(0);
  });

  test("that is none is refused with a message", async () => {
    visit = await stage.visit();
    const field = visit.page.getByLabel("logit of  girl", { exact: true });
    await field.fill("many");
    await field.press("Tab");
    await expect
      .poll(() => visit.page.locator(".tokens .message").textContent())
      .toContain('"many" is not a logit');
    expect(await field.inputValue()).toBe("17.551");
  });
});

describe("the token table", () => {
  test("holds every token of the vocabulary, the last one too", async () => {
    visit = await stage.visit();
    expect(
      await visit.page.getByRole("table", { name: "Every token by rank" }).getAttribute("aria-rowcount"),
    ).toBe("49153");
    await visit.page.locator(".scroller").focus();
    await visit.page.keyboard.press("End");
    await expect.poll(() => row(49_152).count()).toBe(1);
    expect(await visit.page.locator(".sheet .row").count()).toBeLessThan(40);
  });

  test("finds tokens by text and by id", async () => {
    visit = await stage.visit();
    await visit.page.getByRole("searchbox").fill("dragon");
    await expect.poll(() => visit.page.locator(".search .quiet").textContent()).toMatch(/^\d found$/);
    expect(await visit.page.locator(".sheet .row").first().locator(".cell-token").textContent()).toContain(
      "dragon",
    );
    await visit.page.getByRole("searchbox").fill("8180");
    await expect.poll(() => visit.page.locator(".sheet .cell-id").allTextContents()).toContain("8180");
  });

  test("is walked through with the arrow keys, past the rows in view", async () => {
    visit = await stage.visit();
    await visit.page.getByLabel("logit of  girl", { exact: true }).focus();
    for (let i = 0; i < 20; i++) await visit.page.keyboard.press("ArrowDown");
    const focused = await visit.page.evaluate(() =>
      document.activeElement?.closest(".row")?.getAttribute("aria-rowindex"),
    );
    expect(focused).toBe("22");
  });

  test("tells with a hover in the sentence and the gap why a token is in", async () => {
    visit = await stage.visit();
    await cell(2, "token").hover();
    await expect.poll(() => visit.page.locator(".why").textContent()).toMatch(/^town \(rank 2\) is in: /);
    expect(await visit.page.locator(".gap").textContent()).toBe("town");
    expect(await visit.page.locator(".highlight .name").textContent()).toBe("town");
  });
});

describe("draws", () => {
  test("are the seed's own: one, then the first ten thousand", async () => {
    visit = await stage.visit();
    await visit.page.getByRole("button", { name: "draw 1", exact: true }).click();
    await expect.poll(() => visit.page.locator(".draw-summary").textContent()).toContain("town");
    expect(await visit.page.locator(".gap").textContent()).toBe("town");
    expect(await visit.page.locator(".strip .target").getAttribute("visibility")).toBe("visible");
    await visit.page.locator(".draws").getByRole("button", { name: "reset" }).click();
    await visit.page.getByRole("button", { name: "draw 10,000" }).click();
    const counts = visit.page.locator(".draw-bars .counts text");
    await expect.poll(() => counts.first().textContent()).toBe("4,354");
    expect((await counts.allTextContents()).slice(0, 4)).toEqual(["4,354", "2,570", "352", "357"]);
    expect(await visit.page.locator(".draw-summary").textContent()).toMatch(
      /As chance would have it: G-test p = 0\.\d\d/,
    );
  });

  test("run until stopped, and start again with another seed", async () => {
    visit = await stage.visit();
    await visit.page.getByRole("button", { name: "Run" }).click();
    await expect.poll(async () => visit.page.locator(".draw-summary").textContent()).toMatch(/^\d\d/);
    await visit.page.getByRole("button", { name: "Stop" }).click();
    await visit.page.getByLabel("seed").fill("12345678901234567890");
    await visit.page.getByLabel("seed").press("Enter");
    await visit.page.getByLabel("seed").fill("-1");
    await visit.page.getByLabel("seed").press("Enter");
    await expect
      .poll(() => visit.page.locator(".seed .message").textContent())
      .toContain("integer from 0 to 2^64 - 1");
    expect(await visit.page.getByLabel("seed").inputValue()).toBe("12345678901234567890");
  });
});

describe("the address", () => {
  test("survives a reload with everything that was set", async () => {
    visit = await stage.visit();
    const p = number("Top-p");
    await p.fill("0.8");
    await p.press("Enter");
    const field = visit.page.getByLabel("logit of  town", { exact: true });
    await field.fill("19");
    await field.press("Enter");
    await visit.page.getByRole("button", { name: "draw 100", exact: true }).click();
    await visit.page.getByRole("radio", { name: "linear" }).first().check();
    await expect.poll(() => visit.page.url()).toMatch(/topP=0\.8.*draws=100.*rank=linear/);
    const edited = recordedLogits("once");
    edited[3102] = 19;
    await shows(holding(nucleus(edited, 1, 0.8)));
    await expect.poll(() => visit.page.locator(".draw-summary").textContent()).toMatch(/^100 draws/);
    const before = await summary().textContent();
    const counts = await visit.page.locator(".draw-bars .counts text").allTextContents();
    await visit.page.reload();
    await expect.poll(() => summary().textContent()).toBe(before);
    await expect.poll(() => visit.page.locator(".draw-bars .counts text").allTextContents()).toEqual(counts);
    expect(await visit.page.locator(".row.edited input.logit-field").inputValue()).toBe("19");
    expect(await visit.page.getByRole("radio", { name: "linear" }).first().isChecked()).toBe(true);
  });

  test("that is bad or old falls back with a notice", async () => {
    visit = await stage.visit("v=1&topP=lots&seed=7");
    await shows(onceHolds(0.9));
    expect(await visit.page.locator(".notice").textContent()).toContain('"topP"');
    expect(await visit.page.getByLabel("seed").inputValue()).toBe("7");
    await visit.page.goto(`${visit.page.url().split("#")[0]}#v=0&topP=0.5`);
    await expect.poll(() => visit.page.locator(".notice").textContent()).toContain("another version");
  });
});

describe("another source", () => {
  test("brings its own sentence and numbers", async () => {
    visit = await stage.visit();
    await visit.page.getByLabel("source").selectOption("capital");
    await expect.poll(() => visit.page.locator("h1").textContent()).toContain("The capital of France is");
    const expected = nucleus(recordedLogits("capital"), 1, 0.9);
    await expect.poll(kept).toBe(expected.kept);
  });

  test("is written by hand: words and logits typed, tokens added and removed", async () => {
    visit = await stage.visit("v=1&source=hand");
    const hand = INITIAL_STATE.hand.map(({ logit }) => logit);
    const seven = holding(nucleus(Float32Array.from(hand), 1, 0.9));
    const eight = holding(nucleus(Float32Array.from([...hand, 9]), 1, 0.9));
    await shows(`Of 7 tokens, ${seven}`);
    await visit.page.getByRole("button", { name: "Add a token" }).click();
    await shows("Of 8 tokens");
    await visit.page.getByLabel("text of token 7").fill("dragon");
    await visit.page.getByLabel("text of token 7").press("Enter");
    await visit.page.getByLabel("logit of dragon", { exact: true }).fill("9");
    await visit.page.getByLabel("logit of dragon", { exact: true }).press("Tab");
    await shows(eight);
    await visit.page.getByRole("button", { name: "remove dragon" }).click();
    await shows(`Of 7 tokens, ${seven}`);
    await visit.page.getByRole("button", { name: "Undo" }).click();
    await shows(`Of 8 tokens, ${eight}`);
  });
});

test("the theme is kept over a reload and out of the address", async () => {
  visit = await stage.visit();
  await visit.page.getByLabel("theme").selectOption("dark");
  const dark = await visit.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await visit.page.reload();
  await visit.page.locator(".chart .overlay").waitFor();
  expect(await visit.page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(dark);
  expect(visit.page.url()).not.toContain("dark");
});
