// The histogram of drawn tokens: one bar a token, with the expected count and its interval where they are known.

import { type DrawResult, N_BINS } from "../engine/protocol";
import { formatCount, formatNumbered } from "../format";
import { label } from "../glyphs";
import type { Picture } from "../playground";
import { Pool, set, setText, svg } from "./svg";
import { TokenView } from "./token-view";

export interface DrawsModel {
  readonly picture: Picture;
  readonly result: DrawResult;
  readonly highlight: number | null;
}

/** With fewer draws every interval reaches from nothing to nearly all, and says nothing. */
export const COMPARED_FROM = 20;
const ROW = 24;
const BAR = 12;

export interface DrawBar {
  /** Null for the bar that the other tokens share. */
  readonly token: number | null;
  readonly name: string;
  readonly count: number;
  readonly expected: number;
  /** The interval that the count stays in in 95 of 100 runs. */
  readonly low: number;
  readonly high: number;
}

/** The bars of a histogram: the first kept tokens by rank, then all others together. */
export function drawBars({ row }: Picture, { kept, counts, statistics, n }: DrawResult): DrawBar[] {
  const shown = Math.min(N_BINS, kept.length);
  const bars = [...kept.subarray(0, shown)].map((token, i): DrawBar => {
    const name = label(row.texts.text(token));
    return { token, name, count: counts[token] ?? 0, ...expectation(statistics, i) };
  });
  if (kept.length > shown) {
    const count = n - bars.reduce((sum, bar) => sum + bar.count, 0);
    const others = kept.length - shown;
    const name = formatNumbered(others, "other");
    bars.push({ token: null, name, count, ...expectation(statistics, shown) });
  }
  return bars;
}

function expectation(
  statistics: DrawResult["statistics"],
  i: number,
): Pick<DrawBar, "expected" | "low" | "high"> {
  return {
    expected: statistics.expected[i] ?? 0,
    low: statistics.low[i] ?? 0,
    high: statistics.high[i] ?? 0,
  };
}

export class DrawsView extends TokenView<DrawsModel> {
  readonly #bands = this.#pool("bands", "rect");
  readonly #names = this.#pool("names", "text");
  readonly #bars = this.#pool("bars", "rect");
  readonly #whiskers = this.#pool("whiskers", "path");
  readonly #counts = this.#pool("counts", "text");

  constructor(container: HTMLElement, highlight: (token: number | null) => void) {
    super(container, { class: "draw-bars" }, highlight);
  }

  #pool<K extends keyof SVGElementTagNameMap>(name: string, tag: K): Pool<K> {
    return new Pool(svg("g", { class: name }, this.root), tag);
  }

  protected override tokenAt({ offsetY }: PointerEvent, { result }: DrawsModel): number | null {
    const i = Math.floor(offsetY / ROW);
    return i < Math.min(N_BINS, result.kept.length) ? (result.kept[i] ?? null) : null;
  }

  protected override draw(model: DrawsModel, width: number): void {
    const bars = drawBars(model.picture, model.result);
    const height = bars.length * ROW;
    set(this.root, { viewBox: `0 0 ${width} ${height}`, height });
    const left = Math.min(110, width * 0.32);
    const room = width - left - 64;
    const isCompared = model.result.n >= COMPARED_FROM;
    const reach = ({ count, high }: DrawBar) => (isCompared ? Math.max(count, high) : count);
    const most = Math.max(1, ...bars.map(reach));
    const x = (count: number) => left + (count / most) * room;
    this.#bands.draw(bars, (rect, { token }) => {
      const i = bars.findIndex((bar) => bar.token === token);
      const on = token !== null && token === model.highlight;
      set(rect, { x: 0, width, y: i * ROW, height: ROW, visibility: on ? "visible" : "hidden" });
    });
    const rows = bars.map((bar, i) => ({ ...bar, y: i * ROW + ROW / 2 }));
    this.#names.draw(rows, (text, { name, y, token }) => {
      set(text, { x: left - 8, y: y + 4, "text-anchor": "end", class: token === null ? "others" : "" });
      setText(text, shorten(name, left));
    });
    this.#bars.draw(rows, (rect, { count, y, token }) => {
      const of = { x: left, y: y - BAR / 2, width: x(count) - left, height: BAR };
      set(rect, { ...of, class: token === null ? "others" : "" });
    });
    this.#whiskers.draw(isCompared ? rows : [], (path, { expected, low, high, y }) => {
      const [middle, from, to] = [x(expected), x(low), x(high)];
      set(path, { d: `M${middle} ${y - 8}v16M${from} ${y}H${to}M${from} ${y - 3}v6M${to} ${y - 3}v6` });
    });
    this.#counts.draw(rows, (text, row) => {
      set(text, { x: x(reach(row)) + 8, y: row.y + 4 });
      setText(text, formatCount(row.count));
    });
  }
}

/** Long names lose their end, so that none runs out of the figure. */
function shorten(name: string, room: number): string {
  const most = Math.floor((room - 8) / 7);
  return name.length > most ? `${name.slice(0, most - 1)}…` : name;
}
