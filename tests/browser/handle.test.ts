// The cut-off handle on the curve: mouse, keyboard, touch.
import { describe, expect, test } from "vitest";
import { nucleus, once, onceHolds } from "./numbers";
import { usePage } from "./use-page";

const { handle, kept, number, open, page, shows } = usePage();

/** Where the middle of the handle's knob is. */
async function knob(): Promise<[x: number, y: number]> {
  const box = await handle().locator(".handle-knob").boundingBox();
  if (box === null) throw new Error("The handle is nowhere.");
  return [box.x + box.width / 2, box.y + box.height / 2];
}

/** A drag by mouse to fewer tokens. */
async function dragAlongTheCurve(): Promise<void> {
  const [x, y] = await knob();
  await page().mouse.move(x, y);
  await page().mouse.down();
  await page().mouse.move(x - 120, y + 40, { steps: 8 });
  await page().mouse.up();
}

describe("the handle", () => {
  test("moves by mouse along the curve", async () => {
    await open();
    await shows(onceHolds(0.9));
    await dragAlongTheCurve();
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
    await open();
    await handle().focus();
    await page().keyboard.press("ArrowLeft");
    await shows(onceHolds(0.89));
    await page().keyboard.press("Shift+ArrowUp");
    await shows(onceHolds(0.891));
    await page().keyboard.press("PageDown");
    await shows(onceHolds(0.791));
    await page().keyboard.press("Home");
    await shows(onceHolds(0));
    await page().keyboard.press("End");
    await shows("All 49,152 tokens can be drawn");
    expect(await handle().getAttribute("aria-valuetext")).toContain("49,152");
  });

  test("says how many tokens it keeps, one in the singular", async () => {
    await open("v=1&topP=0.1");
    await shows(onceHolds(0.1));
    expect(await handle().getAttribute("aria-valuetext")).toBe("0.1, keeps 1 token");
  });

  test("has the sentence speak of the cut-off while it is held, not of what lay under the pointer", async () => {
    await open();
    await shows(onceHolds(0.9));
    const [x, y] = await knob();
    // Into the handle from the side, over bars on the way.
    await page().mouse.move(x - 60, y);
    await page().mouse.move(x, y, { steps: 4 });
    await page().mouse.down();
    await page().mouse.move(x - 150, y + 50, { steps: 6 });
    const p = async () => Number(await handle().getAttribute("aria-valuenow"));
    await expect.poll(p).toBeLessThan(0.85);
    const { kept: above } = nucleus(once, 1, await p());
    const boundary = new RegExp(`\\(rank ${above + 1}\\) is out: the ${above} tokens ranked before it`);
    await expect.poll(() => page().locator(".why").textContent()).toMatch(boundary);
    expect(await page().locator(".highlight").getAttribute("visibility")).toBe("hidden");
    await page().mouse.up();
  });

  test("invites to be dragged until it has been, in motion only for those who like it", async () => {
    await open("", { reducedMotion: "reduce" });
    const invitation = page().locator(".callout .invite");
    expect(await invitation.textContent()).toBe("drag me");
    const animation = () =>
      page()
        .locator(".handle-pulse")
        .evaluate((ring) => getComputedStyle(ring).animationName);
    expect(await animation()).toBe("none");
    await page().emulateMedia({ reducedMotion: "no-preference" });
    expect(await animation()).toBe("invite");
    await handle().focus();
    await page().keyboard.press("ArrowLeft");
    await shows(onceHolds(0.89));
    expect(await invitation.count()).toBe(0);
    expect(await page().locator(".handle-pulse").count()).toBe(0);
  });

  test("is taken back with Ctrl+Z, a whole drag at once, and so is a slider", async () => {
    await open();
    await shows(onceHolds(0.9));
    await dragAlongTheCurve();
    await expect.poll(kept).toBeLessThan(96);
    const slider = page().getByLabel("Temperature, slider");
    await slider.focus();
    await page().keyboard.press("ArrowRight");
    await expect.poll(() => number("Temperature").inputValue()).not.toBe("1.00");
    await page().keyboard.press("Control+z");
    await expect.poll(() => number("Temperature").inputValue()).toBe("1.00");
    await expect.poll(kept).toBeLessThan(96);
    await page().keyboard.press("Control+z");
    await shows(onceHolds(0.9));
    await number("Top-p").fill("0.5");
    await page().keyboard.press("Enter");
    await shows(onceHolds(0.5));
    await page().keyboard.press("Control+z");
    await shows(onceHolds(0.9));
  });

  test("moves by touch", async () => {
    await open("", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    await shows(onceHolds(0.9));
    await handle().scrollIntoViewIfNeeded();
    const [x, y] = await knob();
    const session = await page().context().newCDPSession(page());
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
