import { afterAll, beforeAll, expect, test } from "vitest";
import { cardOf } from "../../www/chain/cards";
import { SLIDER_STEPS, valueAt } from "../../www/chain/slider";
import { holding, nucleus, percent, recordedLogits, vocabSize } from "./numbers";
import { Stage } from "./page";

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

/** Where each event puts the slider: all over its middle half, so that every picture differs from the one before. */
const POSITIONS = Array.from({ length: 200 }, (_, i) => 150 + ((i * 7) % 200));
const LAST = (POSITIONS.at(-1) ?? 0) / SLIDER_STEPS;
const once = recordedLogits("once");

const quantile = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
const lastValue = (key: string) => {
  const [parameter] = cardOf(key).numbers;
  if (parameter === undefined) throw new Error(`There is no number ${key}.`);
  return valueAt(parameter, LAST, vocabSize);
};

// The times are printed and not judged: they are the machine's as much as the page's.
test.each([
  ["Top-p", nucleus(once, 1, lastValue("topP"))],
  ["Temperature", nucleus(once, lastValue("temperature"), 0.9)],
])("200 moves of the %s slider at 49,152 tokens are all drawn, the last one last", async (name, last) => {
  const visit = await stage.visit();
  const { page } = visit;
  const times = await page.evaluate(
    async ({ label, positions }) => {
      const slider = document.querySelector<HTMLInputElement>(`input[aria-label="${label}, slider"]`);
      if (slider === null) throw new Error(`There is no slider ${label}.`);
      const measures = () => performance.getEntriesByName("nucleus:input-to-drawn");
      for (const position of positions) {
        const before = measures().length;
        slider.value = String(position);
        slider.dispatchEvent(new Event("input", { bubbles: true }));
        while (measures().length === before) await new Promise((resolve) => setTimeout(resolve, 1));
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      return measures().map(({ duration }) => duration);
    },
    { label: name, positions: POSITIONS },
  );
  const summary = await page.locator(".summary").textContent();
  const final = await page.locator('.row[aria-rowindex="2"] .cell-final').textContent();
  expect(visit.trouble).toEqual([]);
  await visit.close();
  const sorted = times.sort((a, b) => a - b);
  const [median, p95] = [quantile(sorted, 0.5), quantile(sorted, 0.95)];
  console.log(`${name}: ${sorted.length} inputs, median ${median.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`);
  expect(sorted.length).toBe(POSITIONS.length);
  expect(summary).toContain(`Of 49,152 tokens, ${holding(last)}`);
  expect(final).toBe(percent(last.final[0] ?? 0));
});
