import { describe, expect, test } from "vitest";
import { CARDS, type NumberCard } from "../../www/chain/cards";
import { largest, nudge, positionOf, valueAt } from "../../www/chain/slider";

const VOCAB = 49_152;
const numbers = CARDS.filter((card): card is NumberCard => card.kind === "number");

describe.each(numbers.map((card) => [card.key, card] as const))("the slider of %s", (_, card) => {
  test("reaches both ends of the range", () => {
    expect(valueAt(card, 0, VOCAB)).toBe(card.min);
    expect(valueAt(card, 1, VOCAB)).toBe(largest(card, VOCAB));
  });

  test("reaches its off value, and 0 where the range has it", () => {
    const values = Array.from({ length: 401 }, (_, i) => valueAt(card, i / 400, VOCAB));
    expect(values).toContain(card.off);
    if (card.min <= 0) expect(values).toContain(0);
  });

  test("never goes back when moved forward", () => {
    for (let i = 0; i < 400; i++) {
      expect(valueAt(card, (i + 1) / 400, VOCAB)).toBeGreaterThanOrEqual(valueAt(card, i / 400, VOCAB));
    }
  });

  test("stands where its value is", () => {
    for (const position of [0, 0.25, 0.5, 0.75, 1]) {
      expect(positionOf(card, valueAt(card, position, VOCAB), VOCAB)).toBeCloseTo(position, 1);
    }
  });

  test("changes with every arrow key until an end is reached", () => {
    let value = card.min;
    for (let presses = 0; value < largest(card, VOCAB); presses++) {
      const next = nudge(card, value, 1, VOCAB);
      expect(next).toBeGreaterThan(value);
      expect(presses).toBeLessThan(2000);
      value = next;
    }
    expect(nudge(card, value, 1, VOCAB)).toBe(value);
    expect(nudge(card, card.min, -1, VOCAB)).toBe(card.min);
  });
});
