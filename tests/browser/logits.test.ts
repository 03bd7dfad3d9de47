// Logits changed by hand: typed, dragged, undone, refused.
import { describe, expect, test } from "vitest";
import { nucleus, onceHolds, percent, recordedLogits } from "./numbers";
import { usePage } from "./use-page";

const { kept, open, page, shows } = usePage();

describe("a logit", () => {
  test("is typed, follows in every number, and is undone", async () => {
    await open();
    const field = () => page().getByLabel("logit of  village", { exact: true });
    await field().fill("20,5");
    await field().press("Enter");
    await expect.poll(() => page().locator(".row.edited .cell-rank").textContent()).toBe("1");
    const edited = recordedLogits("once");
    edited[6560] = 20.5;
    const expected = nucleus(edited, 1, 0.9);
    await expect.poll(kept).toBe(expected.kept);
    expect(await page().locator(".row.edited .cell-final").textContent()).toBe(
      percent(expected.final[0] ?? 0),
    );
    await page().getByRole("button", { name: "Undo" }).click();
    await shows(onceHolds(0.9));
    expect(await page().getByRole("button", { name: "Undo" }).isDisabled()).toBe(true);
  });

  test("is dragged as a bar with the keyboard, and its row stays under the hand", async () => {
    await open();
    const bar = page().getByLabel("logit of  fish, as a bar", { exact: true });
    await bar.focus();
    const before = await bar.boundingBox();
    await page().keyboard.press("End");
    await expect.poll(() => page().locator(".row.edited .cell-rank").textContent()).toBe("1");
    const after = await bar.boundingBox();
    expect(after?.y).toBe(before?.y);
    await page().keyboard.press("Control+z");
    await shows(onceHolds(0.9));
  });

  test("is dragged as a bar with the mouse in one edit", async () => {
    await open();
    const bar = page().getByLabel("logit of  boy, as a bar", { exact: true });
    await bar.scrollIntoViewIfNeeded();
    const box = await bar.boundingBox();
    if (box === null) throw new Error("The bar is nowhere.");
    const y = box.y + box.height / 2;
    await page().mouse.move(box.x + box.width * 0.3, y);
    await page().mouse.down();
    await page().mouse.move(box.x + box.width * 0.98, y, { steps: 6 });
    await page().mouse.up();
    await expect.poll(() => page().locator(".row.edited .cell-rank").textContent()).toBe("1");
    await page().getByRole("button", { name: "Undo" }).click();
    await shows(onceHolds(0.9));
    expect(await page().locator(".row.edited").count()).toBe(0);
  });

  test("that is none is refused with a message", async () => {
    await open();
    const field = page().getByLabel("logit of  girl", { exact: true });
    await field.fill("many");
    await field.press("Tab");
    await expect
      .poll(() => page().locator(".tokens .message").textContent())
      .toContain('"many" is not a logit');
    expect(await field.inputValue()).toBe("17.551");
  });
});
