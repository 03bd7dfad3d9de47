import { beforeAll, describe, expect, test } from "vitest";
import { cardOf, guard } from "../../www/chain/cards";
import { EngineClient } from "../../www/engine/client";
import { KEPT } from "../../www/engine/protocol";
import { type Picture, Playground } from "../../www/playground";
import { INITIAL_STATE, type State, withSetting } from "../../www/state";
import { columnsOf, heightsOf, highestOf } from "../../www/views/chart/columns";
import { pNear, type Riser, rankedCurve, risersOf, spanOf } from "../../www/views/chart/curve";
import { Geometry } from "../../www/views/chart/geometry";
import { type NamedBar, overlaps, placeLabels } from "../../www/views/chart/labels";
import { probAxis, rankAxis } from "../../www/views/chart/scales";
import { LocalPort, openFromDisk, realEngine, until } from "./support";

async function pictureOf(state: State): Promise<Picture> {
  const playground = new Playground(new EngineClient(new LocalPort(await realEngine())), openFromDisk, state);
  await playground.start();
  await until(() => playground.picture.value !== null, "the picture");
  if (playground.picture.value === null) throw new Error("There is no picture.");
  return playground.picture.value;
}

let initial: Picture;
beforeAll(async () => {
  initial = await pictureOf(INITIAL_STATE);
});

const VOCAB = 49_152;

describe("rankAxis(kind, size, width)", () => {
  test.each(["log", "linear"] as const)("fills the width from the first rank to the last: %s", (kind) => {
    const axis = rankAxis(kind, VOCAB, 800);
    expect(axis.edge(0)).toBeCloseTo(0, 9);
    expect(axis.edge(VOCAB)).toBeCloseTo(800, 9);
  });

  test.each(["log", "linear"] as const)("finds the rank under a place: %s", (kind) => {
    const axis = rankAxis(kind, VOCAB, 800);
    for (const rank of [0, 1, 5, 95, 96, 1000, VOCAB - 1]) {
      expect(axis.rankAt((axis.edge(rank) + axis.edge(rank + 1)) / 2)).toBe(rank);
    }
    expect(axis.rankAt(-10)).toBe(0);
    expect(axis.rankAt(900)).toBe(VOCAB - 1);
  });

  test("has a tick for each of a few tokens, and for powers of ten of many", () => {
    expect(rankAxis("log", 7, 400).ticks.map(({ label }) => label)).toEqual([
      "1",
      "2",
      "3",
      "4",
      "5",
      "6",
      "7",
    ]);
    expect(rankAxis("log", VOCAB, 400).ticks.map(({ label }) => label)).toEqual([
      "1",
      "10",
      "100",
      "1,000",
      "10,000",
    ]);
  });

  test("has ticks at round ranks on a linear axis, and the first", () => {
    const labels = (size: number) => rankAxis("linear", size, 800).ticks.map(({ label }) => label);
    expect(labels(VOCAB)).toEqual(["1", "10,000", "20,000", "30,000", "40,000"]);
    expect(labels(7)).toEqual(["1", "2", "3", "4", "5", "6", "7"]);
  });

  test("stands a single token on the whole width", () => {
    const axis = rankAxis("log", 1, 300);
    expect([axis.edge(0), axis.edge(1)]).toEqual([0, 300]);
  });
});

describe("probAxis(kind, highest, lowest, height)", () => {
  test("puts 0 at the bottom and the next round value at the top", () => {
    const axis = probAxis("linear", 0.4255, 1e-20, 100);
    expect(axis.y(0)).toBe(100);
    expect(axis.y(0.5)).toBe(0);
  });

  test.each([
    [0.4255, ["0%", "10%", "20%", "30%", "40%", "50%"]],
    [0.997, ["0%", "20%", "40%", "60%", "80%", "100%"]],
    [0.012, ["0%", "0.2%", "0.4%", "0.6%", "0.8%", "1%", "1.2%"]],
  ])("has a few round ticks for a highest probability of %d", (highest, labels) => {
    expect(probAxis("linear", highest, 0, 100).ticks.map(({ label }) => label)).toEqual(labels);
  });

  test("has a floor on a logarithmic axis, where 0 and what is smaller lie", () => {
    const axis = probAxis("log", 0.4, 1e-30, 100);
    expect(axis.y(1)).toBe(0);
    expect(axis.y(1e-12)).toBe(100);
    expect(axis.y(1e-25)).toBe(100);
    expect(axis.y(0)).toBe(100);
  });
});

describe("columnsOf(axis, n)", () => {
  test.each(["log", "linear"] as const)(
    "covers every rank once, in columns of a pixel or more: %s",
    (kind) => {
      const columns = columnsOf(rankAxis(kind, VOCAB, 800), VOCAB);
      expect(columns[0]?.from).toBe(0);
      expect(columns.at(-1)?.to).toBe(VOCAB);
      columns.forEach(({ from, x0, x1, to }, i) => {
        if (i > 0) expect(from).toBe(columns[i - 1]?.to);
        if (to < VOCAB) expect(x1 - x0).toBeGreaterThan(0.999);
      });
      expect(columns.length).toBeLessThan(900);
    },
  );

  test("is empty for no tokens", () => {
    expect(columnsOf(rankAxis("log", VOCAB, 800), 0)).toEqual([]);
  });
});

test("heightsOf(columns, highest, before, after) takes each column's highest, kept and cut apart", () => {
  const { before, after } = initial;
  const columns = columnsOf(rankAxis("log", VOCAB, 800), VOCAB);
  const heights = heightsOf(columns, highestOf(columns, before, after), before, after);
  const girl = after.order[0] ?? 0;
  expect(heights.before[0]).toBe(before.probs[girl]);
  expect(heights.after[0]).toBe(after.probs[girl]);
  expect(heights.cut[0]).toBe(0);
  const stage = after.stages.findIndex(({ name }) => name === "top_p");
  columns.forEach(({ from, to }, i) => {
    expect((heights.after[i] ?? 0) > 0).toBe(from < 96);
    expect((heights.cut[i] ?? 0) > 0).toBe(to > 96);
    expect(heights.cutBy[i]).toBe(to > 96 ? stage : KEPT);
  });
});

describe("the cumulative curve", () => {
  const risers: Riser[] = [
    { x0: 0, x1: 50, low: 0, high: 0.4 },
    { x0: 50, x1: 80, low: 0.4, high: 0.75 },
    { x0: 80, x1: 100, low: 0.75, high: 1 },
  ];

  test("risersOf(columns, cumulative) rises to each column's last sum", () => {
    const columns = columnsOf(rankAxis("log", 3, 100), 3);
    expect(risersOf(columns, Float64Array.of(0.4, 0.75, 1)).map(({ low, high }) => [low, high])).toEqual([
      [0, 0.4],
      [0.4, 0.75],
      [0.75, 1],
    ]);
  });

  test("spanOf(risers, x0, x1) is what the curve passes there", () => {
    expect(spanOf(risers, 10, 20)).toEqual([0.4, 0.4]);
    expect(spanOf(risers, 40, 60)).toEqual([0.4, 0.75]);
    expect(spanOf(risers, 200, 300)).toBeNull();
  });

  test("pNear(risers, x, y) is the height of a pointer at a riser, held inside it", () => {
    expect(pNear(risers, 50, 80, 100)).toBeCloseTo(0.2, 9);
    expect(pNear(risers, 79, 45, 100)).toBeCloseTo(0.55, 9);
    expect(pNear(risers, 82, 70, 100)).toBeCloseTo(0.4, 9);
    expect(pNear(risers, 500, -50, 100)).toBe(1);
    expect(pNear(risers, 0, 100, 100)).toBe(0);
  });

  test("pNear never keeps more tokens than the handle stands at", () => {
    const geometry = new Geometry(initial, 800, 300, null);
    for (const rank of [1, 2, 10, 96, 500]) {
      const x = geometry.ranks.edge(rank);
      const sum = initial.upstream.cumulative[rank - 1] ?? 1;
      expect(pNear(geometry.risers, x, (1 - sum) * 300, 300)).toBeLessThanOrEqual(sum);
    }
  });
});

describe("placeLabels(bars, around)", () => {
  const around = {
    plot: { x0: 0, x1: 400, y0: -20, y1: 200 },
    taken: [{ x0: 300, y0: 0, x1: 400, y1: 40 }],
    crossesCurve: ({ x0, y0, y1 }: { x0: number; y0: number; y1: number }) => y0 < 60 && y1 > 60 && x0 < 250,
    widthOf: (text: string) => text.length * 7,
  };
  const bars: NamedBar[] = Array.from({ length: 40 }, (_, i) => ({
    name: "x".repeat(1 + ((i * 5) % 9)),
    x0: i * 11,
    x1: i * 11 + 9,
    top: 20 + i * 4,
  }));

  const boxOf = ({ name, kind, x, y }: ReturnType<typeof placeLabels>[number]) => {
    const wide = name.length * 7;
    return kind.startsWith("upright")
      ? { x0: x - 9, x1: x + 2, y0: y - wide, y1: y }
      : { x0: x - wide / 2, x1: x + wide / 2, y0: y - 10, y1: y + 2 };
  };

  test("lets no two names touch, nor anything that is already there", () => {
    const boxes = placeLabels(bars, around).map(boxOf);
    expect(boxes.length).toBeGreaterThan(5);
    boxes.forEach((box, i) => {
      for (const other of [...boxes.slice(i + 1), ...around.taken]) expect(overlaps(box, other)).toBe(false);
    });
  });

  test("keeps every name off the curve and inside the plot", () => {
    for (const box of placeLabels(bars, around).map(boxOf)) {
      expect(around.crossesCurve(box)).toBe(false);
      expect(box.y0).toBeGreaterThanOrEqual(-20);
      expect(box.x1).toBeLessThanOrEqual(402);
    }
  });

  test("lays a name flat on a bar that is wide enough", () => {
    const [placed] = placeLabels([{ name: "girl", x0: 0, x1: 60, top: 100 }], around);
    expect(placed).toMatchObject({ kind: "above", x: 30 });
  });
});

describe("new Geometry(picture, width, height, old)", () => {
  test("stands the handle where the cut-off and p meet", () => {
    const geometry = new Geometry(initial, 800, 300, null);
    expect(geometry.handle()).toEqual({
      on: true,
      leftOut: null,
      p: 0.9,
      kept: 96,
      rank: 96,
      x: geometry.ranks.edge(96),
      y: expect.closeTo(30, 9),
    });
  });

  test("stands the handle at 1, after all tokens, when top-p is off", async () => {
    const picture = await pictureOf(withSetting(INITIAL_STATE, cardOf("topP"), { on: false }));
    const geometry = new Geometry(picture, 800, 300, null);
    expect(geometry.handle()).toMatchObject({
      on: false,
      p: 1,
      kept: VOCAB,
      x: expect.closeTo(800, 6),
      y: 0,
    });
  });

  test("says that a guard that takes the best token has left top-p out", async () => {
    const minP = withSetting(INITIAL_STATE, cardOf("minP"), { on: true, numbers: [1] });
    const picture = await pictureOf(withSetting(minP, guard, { on: true, numbers: [2, 0.3, 3, 3, 32] }));
    const handle = new Geometry(picture, 800, 300, null).handle();
    expect(handle).toMatchObject({ on: true, leftOut: "left out: the guard has tripped" });
  });

  test("ends the curve where top-k has cut before top-p", async () => {
    const picture = await pictureOf(withSetting(INITIAL_STATE, cardOf("topK"), { on: true, numbers: [40] }));
    const geometry = new Geometry(picture, 800, 300, null);
    expect(geometry.risers.at(-1)).toMatchObject({ x1: geometry.ranks.edge(40), high: 1 });
  });

  test("keeps columns that have not changed, so that bars can glide", async () => {
    const geometry = new Geometry(initial, 800, 300, null);
    const other = await pictureOf(withSetting(INITIAL_STATE, cardOf("topP"), { numbers: [0.5] }));
    expect(new Geometry(other, 800, 300, geometry).columns).toBe(geometry.columns);
    expect(new Geometry(other, 700, 300, geometry).columns).not.toBe(geometry.columns);
  });
});

describe("rankedCurve(upstream, ranking)", () => {
  const rank = Uint32Array.of(2, 0, 1, 3);
  const ranking = { rank, order: Uint32Array.of(1, 2, 0, 3), nRanked: 4 };

  test("is the running sum itself where the first ranks are summed up", () => {
    const cumulative = Float64Array.of(0.5, 1);
    const curve = rankedCurve({ tokenIds: Uint32Array.of(1, 2), cumulative }, ranking);
    expect(curve?.cumulative).toBe(cumulative);
  });

  test("stays level where a token was removed before", () => {
    const upstream = { tokenIds: Uint32Array.of(2, 3), cumulative: Float64Array.of(0.75, 1) };
    const curve = rankedCurve(upstream, ranking);
    expect([...(curve?.cumulative ?? [])]).toEqual([0, 0.75, 0.75, 1]);
    expect([...(curve?.ranks ?? [])]).toEqual([1, 3]);
  });

  test("is none where tokens come in another order, or have no rank", () => {
    const cumulative = Float64Array.of(0.5, 1);
    expect(rankedCurve({ tokenIds: Uint32Array.of(0, 1), cumulative }, ranking)).toBeNull();
    const unranked = { ...ranking, rank: Uint32Array.of(0, 0xffffffff, 1, 2) };
    expect(rankedCurve({ tokenIds: Uint32Array.of(0, 1), cumulative }, unranked)).toBeNull();
  });
});

describe("a stage that does not cut from the end of the ranks", () => {
  test.each([
    ["XTC, which takes the first ones", "xtc", {}],
    ["typical-p, which may take the first ones", "typicalP", { numbers: [0.3] }],
  ])("has its kept tokens marked one by one: %s", async (_, key, change) => {
    const open = withSetting(INITIAL_STATE, cardOf("topP"), { on: false });
    const picture = await pictureOf(withSetting(open, cardOf(key), { on: true, shown: true, ...change }));
    const { after, before } = picture;
    expect(after.removedBy[after.order[0] ?? 0]).not.toBe(KEPT);
    const columns = columnsOf(rankAxis("log", VOCAB, 800), after.nRanked);
    const heights = heightsOf(columns, highestOf(columns, before, after), before, after);
    columns.forEach(({ from, to }, i) => {
      const tokens = [...after.order.subarray(from, to)];
      const highest = (probs: Float64Array, isIn: boolean) =>
        Math.max(
          0,
          ...tokens
            .filter((token) => (after.removedBy[token] === KEPT) === isIn)
            .map((token) => probs[token] ?? 0),
        );
      expect(heights.after[i]).toBe(highest(after.probs, true));
      expect(heights.cut[i]).toBe(highest(before.probs, false));
    });
    expect(heights.after[0]).toBe(0);
    expect(heights.cut[0]).toBe(before.highest);
  });

  test("leaves the handle where top-p's last token stands", async () => {
    const moved = { ...INITIAL_STATE, order: ["xtc", "temperature", "topK", "topP", "minP"] };
    const picture = await pictureOf(withSetting(moved, cardOf("xtc"), { on: true, shown: true }));
    const geometry = new Geometry(picture, 800, 400, null);
    const { kept, rank, x } = geometry.handle();
    // XTC has taken the first token, so the last kept one ranks one lower.
    expect(rank).toBe(kept + 1);
    expect(x).toBe(geometry.ranks.edge(rank));
    expect(picture.after.removedBy[picture.after.order[rank - 1] ?? 0]).toBe(KEPT);
  });
});
