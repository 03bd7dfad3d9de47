import { describe, expect, test } from "vitest";
import { CARDS, WHOLE } from "../../www/chain/cards";
import { furthest, nudge, positionOf, valueAt } from "../../www/chain/slider";

const VOCAB = 49_152;
const numbers = [...CARDS, ...WHOLE]
  .flatMap((card) => card.numbers)
  .filter(({ choices }) => choices === undefined);

describe.each(numbers.map((parameter) => [parameter.option, parameter] as const))(
  "the slider of %s",
  (_, parameter) => {
    test("reaches both ends of the range", () => {
      expect(valueAt(parameter, 0, VOCAB)).toBe(parameter.min);
      expect(valueAt(parameter, 1, VOCAB)).toBe(furthest(parameter, VOCAB));
    });

    test("reaches its off value, and 0 where the range has it", () => {
      const values = Array.from({ length: 401 }, (_, i) => valueAt(parameter, i / 400, VOCAB));
      if (parameter.off !== undefined) expect(values).toContain(parameter.off);
      if (parameter.min <= 0) expect(values).toContain(0);
    });

    test("never goes back when moved forward", () => {
      for (let i = 0; i < 400; i++) {
        expect(valueAt(parameter, (i + 1) / 400, VOCAB)).toBeGreaterThanOrEqual(
          valueAt(parameter, i / 400, VOCAB),
        );
      }
    });

    test("stands where its value is", () => {
      for (const position of [0, 0.25, 0.5, 0.75, 1]) {
        expect(positionOf(parameter, valueAt(parameter, position, VOCAB), VOCAB)).toBeCloseTo(position, 1);
      }
    });

    test("changes with every arrow key until an end is reached", () => {
      let value = parameter.min;
      for (let presses = 0; value < furthest(parameter, VOCAB); presses++) {
        const next = nudge(parameter, value, 1, VOCAB);
        expect(next).toBeGreaterThan(value);
        expect(presses).toBeLessThan(2000);
        value = next;
      }
      expect(nudge(parameter, value, 1, VOCAB)).toBe(value);
      expect(nudge(parameter, parameter.min, -1, VOCAB)).toBe(parameter.min);
    });
  },
);
