// Logits changed by hand: typed, dragged, undone, refused.
import { describe, expect, test } from "vitest";
import { holding, nucleus, onceHolds, percent, recordedLogits } from "./numbers";
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

  test.each([
    ["19", "19"],
    ["12,5", "12.5"],
    ["-inf", "-∞"],
  ])("typed as %s and entered is what its field shows, then and after it is left", async (typed, shown) => {
    await open();
    const field = page().getByLabel("logit of  village", { exact: true });
    await field.click();
    await page().keyboard.press("Control+a");
    await page().keyboard.type(typed);
    await page().keyboard.press("Enter");
    await expect.poll(() => page().locator(".row.edited").count()).toBe(1);
    const edited = recordedLogits("once");
    edited[6560] = Number(shown.replace("∞", "Infinity"));
    await shows(holding(nucleus(edited, 1, 0.9)));
    expect(await field.inputValue()).toBe(shown);
    await page().keyboard.press("Tab");
    await page().waitForTimeout(100);
    expect(await page().locator(".row.edited input.logit-field").inputValue()).toBe(shown);
  });

  test("just entered is spoken of everywhere: headline, chart, sentence and row", async () => {
    await open();
    const field = page().getByLabel("logit of  fish", { exact: true });
    await field.click();
    await page().keyboard.press("Control+a");
    await page().keyboard.type("30");
    await page().keyboard.press("Enter");
    await expect.poll(() => page().locator(".row.edited .cell-rank").textContent()).toBe("1");
    await expect.poll(() => page().locator(".why").textContent()).toMatch(/^fish \(rank 1\) is in/);
    expect(await page().locator(".gap").textContent()).toBe("fish");
    expect(await page().locator(".highlight .name").textContent()).toBe("fish");
    expect(await page().locator(".row.highlighted .cell-token").textContent()).toContain("fish");
  });

  test("typed and not entered is given up with Escape", async () => {
    await open();
    const field = page().getByLabel("logit of  girl", { exact: true });
    await field.click();
    await page().keyboard.type("9");
    await page().keyboard.press("Escape");
    expect(await field.inputValue()).toBe("17.551");
  });

  test("looks as if it could be changed before anybody has touched it", async () => {
    await open();
    const line = await page()
      .locator("input.logit-field")
      .nth(5)
      .evaluate((field) => {
        const { borderBottomStyle, borderBottomColor } = getComputedStyle(field);
        return [borderBottomStyle, borderBottomColor];
      });
    expect(line).toEqual(["dotted", "rgb(138, 134, 123)"]);
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
