// The cut-off handle on the curve: mouse, keyboard, touch.
import { describe, expect, test } from "vitest";
import { nucleus, once, onceHolds } from "./numbers";
import { usePage } from "./use-page";

const { handle, kept, number, open, page, shows } = usePage();

describe("the handle", () => {
  test("moves by mouse along the curve", async () => {
    await open();
    await shows(onceHolds(0.9));
    const box = await handle().locator(".handle-knob").boundingBox();
    if (box === null) throw new Error("The handle is nowhere.");
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page().mouse.move(x, y);
    await page().mouse.down();
    await page().mouse.move(x - 120, y + 40, { steps: 8 });
    await page().mouse.up();
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

  test("moves by touch", async () => {
    await open("", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    await shows(onceHolds(0.9));
    await handle().scrollIntoViewIfNeeded();
    const box = await handle().locator(".handle-knob").boundingBox();
    if (box === null) throw new Error("The handle is nowhere.");
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
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
