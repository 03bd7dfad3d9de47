// The chart's ticks and axis titles; the grid is on the canvas, under the bars.

import { Pool, set, setText, svg } from "../svg";
import { type Frame, RIBBON } from "./paint";
import type { ProbAxis, RankAxis, Tick } from "./scales";

const CUMULATIVE = [0, 0.25, 0.5, 0.75, 1];

export class Axes {
  readonly #rankTicks: Pool<"line">;
  readonly #texts: Pool<"text">;
  readonly #titles: Pool<"text">;

  constructor(parent: SVGElement) {
    const group = svg("g", { class: "axes", "aria-hidden": "true" }, parent);
    this.#rankTicks = new Pool(svg("g", { class: "ticks" }, group), "line");
    this.#texts = new Pool(svg("g", {}, group), "text");
    this.#titles = new Pool(svg("g", { class: "axis-titles" }, group), "text");
  }

  draw(frame: Frame, ranks: RankAxis, probs: ProbAxis): void {
    const { left, top, width, height } = frame;
    const shown = ranks.ticks.filter(({ at }, i) => i === 0 || at <= width);
    this.#rankTicks.draw(shown, (line, { at }) =>
      set(line, { x1: left + at, x2: left + at, y1: top + height + RIBBON, y2: top + height + RIBBON + 4 }),
    );
    const texts: readonly (Tick & { x: number; y: number; anchor: string; axis?: string })[] = [
      ...probs.ticks.map((tick) => ({ ...tick, x: left - 8, y: top + tick.at + 4, anchor: "end" })),
      ...cumulativeTicks(height).map((tick) => ({
        ...tick,
        x: left + width + 8,
        y: top + tick.at + 4,
        anchor: "start",
        axis: "cumulative",
      })),
      ...shown.map((tick) => ({
        ...tick,
        x: left + tick.at,
        y: top + height + RIBBON + 17,
        anchor: "middle",
      })),
    ];
    this.#texts.draw(texts, (element, { label, x, y, anchor, axis = "" }) => {
      set(element, { x, y, "text-anchor": anchor, class: axis });
      setText(element, label);
    });
    const titles = [
      { label: "probability", x: 0, y: 10, anchor: "start" },
      { label: "cumulative", x: left + width + 8 + 26, y: 10, anchor: "end" },
      { label: "rank", x: left - 8, y: top + height + RIBBON + 17, anchor: "end" },
    ];
    this.#titles.draw(titles, (element, { label, x, y, anchor }) => {
      set(element, { x, y, "text-anchor": anchor, class: label });
      setText(element, label);
    });
  }
}

function cumulativeTicks(height: number): Tick[] {
  const every = height < 200 ? 2 : 1;
  return CUMULATIVE.filter((_, i) => i % every === 0).map((sum) => ({
    at: (1 - sum) * height,
    label: String(sum),
  }));
}
