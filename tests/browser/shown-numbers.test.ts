// The numbers on the page against an independent computation.
import { describe, expect, test } from "vitest";
import { holding, nucleus, once, percent } from "./numbers";
import { usePage } from "./use-page";

const { cell, open, page, shows } = usePage();

describe("the numbers", () => {
  test("of the first picture equal an independent computation from the recorded bits", async () => {
    await open();
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
    const result = page().locator(".card", { hasText: "Top-p" }).locator(".result li");
    const [before, after] = expected.entropy.map((entropy) => entropy.toFixed(2));
    expect(await result.allTextContents()).toEqual([
      `49,152 → ${expected.kept} tokens`,
      `removes ${percent(1 - expected.mass)} of the mass`,
      `entropy ${before} → ${after} bits`,
    ]);
  });

  test("follow temperature and p", async () => {
    await open("v=1&temperature=0.7&topP=0.95");
    const expected = nucleus(once, 0.7, 0.95);
    await shows(holding(expected));
    expect(await cell(1, "final").textContent()).toBe(percent(expected.final[0] ?? 0));
    const first = nucleus(once, 1, 0.95);
    expect(await cell(1, "raw").textContent()).toBe(percent(first.raw[0] ?? 0));
  });

  test("say which stage cut a token: the first that is out", async () => {
    await open();
    const { kept: above, mass } = nucleus(once, 1, 0.9);
    const why = page().locator(".why");
    await expect
      .poll(() => why.textContent())
      .toBe(
        `cow (rank 97) is out: the ${above} tokens ranked before it already hold ${percent(mass)} of the probability, and p asks for 90%.`,
      );
    await page()
      .locator(".scroller")
      .evaluate((element) => {
        element.scrollTop = 90 * 34;
      });
    await expect.poll(() => cell(97, "final").textContent()).toBe("cut by top-p");
    expect(await cell(96, "final").textContent()).toMatch(/^0\.0\d%$/);
  });
});
