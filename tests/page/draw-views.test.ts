import { beforeAll, describe, expect, test } from "vitest";
import { EngineClient } from "../../www/engine/client";
import { Playground } from "../../www/playground";
import { INITIAL_STATE } from "../../www/state";
import { drawBars } from "../../www/views/draws";
import { segmentsOf } from "../../www/views/strip";
import { LocalPort, openFromDisk, realEngine, until } from "./support";

let playground: Playground;
beforeAll(async () => {
  const client = new EngineClient(new LocalPort(await realEngine()));
  playground = new Playground(client, openFromDisk, { ...INITIAL_STATE, draws: 1000 });
  await playground.start();
  await until(() => playground.drawing.result.value?.n === 1000, "the draws");
});

function shown() {
  const [picture, result] = [playground.picture.value, playground.drawing.result.value];
  if (picture === null || result === null) throw new Error("Nothing was drawn.");
  return { picture, result };
}

describe("drawBars(picture, result)", () => {
  test("has the first twelve tokens by rank and the others together, and loses no draw", () => {
    const { picture, result } = shown();
    const bars = drawBars(picture, result);
    expect(bars.map(({ name }) => name).slice(0, 3)).toEqual(["girl", "town", "village"]);
    expect(bars.length).toBe(13);
    expect(bars.at(-1)).toMatchObject({ token: null, name: "84 others" });
    expect(bars.reduce((sum, { count }) => sum + count, 0)).toBe(1000);
    bars.slice(0, 12).forEach(({ token, expected }) => {
      expect(expected).toBeCloseTo(1000 * (picture.after.probs[token ?? 0] ?? 0), 9);
    });
    const others = [...result.kept.subarray(12)].reduce((sum, id) => sum + (picture.after.probs[id] ?? 0), 0);
    expect(bars.at(-1)?.expected).toBeCloseTo(1000 * others, 6);
  });

  test("has an interval around every expected count", () => {
    const { picture, result } = shown();
    for (const { expected, low, high } of drawBars(picture, result)) {
      expect(low).toBeLessThanOrEqual(expected);
      expect(high).toBeGreaterThanOrEqual(expected);
    }
  });
});

describe("segmentsOf(picture, width)", () => {
  test("lays the kept tokens out in ascending id over the whole width", () => {
    const { picture } = shown();
    const segments = segmentsOf(picture, 500);
    expect(segments.length).toBe(96);
    segments.forEach(({ token, x0 }, i) => {
      if (i === 0) return;
      expect(token).toBeGreaterThan(segments[i - 1]?.token ?? 0);
      expect(x0).toBe(segments[i - 1]?.x1);
    });
    expect(segments[0]?.x0).toBe(0);
    expect(segments.at(-1)?.x1).toBeCloseTo(500, 6);
  });

  test("has the last target inside the segment of the token that was drawn", () => {
    const { picture, result } = shown();
    const segment = segmentsOf(picture, 1).find(({ token }) => token === result.last);
    expect(result.target).toBeGreaterThanOrEqual(segment?.x0 ?? 1);
    expect(result.target).toBeLessThan(segment?.x1 ?? 0);
  });
});
