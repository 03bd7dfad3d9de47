// Where everything in the chart lies, in pixels of the plot: worked out from a picture and the plot's size.

import { cardOf } from "../../chain/cards";
import { KEPT } from "../../engine/protocol";
import { label } from "../../glyphs";
import { leftOut } from "../../guarding";
import type { Picture } from "../../playground";
import { numberOf, settingOf } from "../../state";
import { type Column, columnsOf, type Heights, heightsOf, highestOf } from "./columns";
import { type RankedCurve, type Riser, rankedCurve, risersOf, spanOf } from "./curve";
import type { HandlePlace } from "./handle";
import { type Box, type NamedBar, type PlacedLabel, placeLabels } from "./labels";
import { type ProbAxis, probAxis, type RankAxis, rankAxis } from "./scales";

/** Bars at least this wide, in pixels, have their name. */
const LABELLED = 11;
const MOST_LABELS = 40;
/** The line above the plot that names may reach into. */
const HEADROOM = 22;
const MARGIN = 2;
/** The left axis's title, above the plot. */
const AXIS_TITLE: Box = { x0: -50, x1: 26, y0: -HEADROOM - 2, y1: -8 };

export class Geometry {
  readonly picture: Picture;
  readonly width: number;
  readonly height: number;
  readonly ranks: RankAxis;
  readonly probs: ProbAxis;
  /** Columns over all ranked tokens; the same array as before where nothing about them has changed. */
  readonly columns: readonly Column[];
  readonly risers: readonly Riser[];
  /** Null where top-p sees the tokens in another order than the ranks shown. */
  readonly #curve: RankedCurve | null;
  readonly #key: string;
  readonly #highest: Float64Array;

  constructor(picture: Picture, width: number, height: number, old: Geometry | null) {
    const { state, row, before, upstream, after } = picture;
    this.picture = picture;
    this.width = width;
    this.height = height;
    this.#key = [state.rankScale, row.texts.size, after.nRanked, width].join(" ");
    const same = old !== null && old.#key === this.#key ? old : null;
    this.ranks = same?.ranks ?? rankAxis(state.rankScale, row.texts.size, width);
    this.columns = same?.columns ?? columnsOf(this.ranks, after.nRanked);
    const lowest = before.probs[after.order[after.nRanked - 1] ?? 0] ?? 0;
    this.probs = probAxis(state.probScale, Math.max(before.highest, after.highest), lowest, height);
    const isRanked = same?.picture.before === before && same.picture.after.order === after.order;
    this.#highest = isRanked ? same.#highest : highestOf(this.columns, before, after);
    const isSame = isRanked && same.picture.upstream === upstream;
    this.#curve = isSame ? same.#curve : rankedCurve(upstream, after);
    this.risers = isSame ? same.risers : this.#risers();
  }

  #risers(): readonly Riser[] {
    const cumulative = this.#curve?.cumulative ?? new Float64Array(0);
    const n = cumulative.length;
    return risersOf(n === this.picture.after.nRanked ? this.columns : columnsOf(this.ranks, n), cumulative);
  }

  heights(): Heights {
    return heightsOf(this.columns, this.#highest, this.picture.before, this.picture.after);
  }

  /** A token's bar, or null where it has no rank. */
  bar(token: number | null): NamedBar | null {
    if (token === null) return null;
    const { after, before, row } = this.picture;
    const rank = after.rank[token] ?? row.texts.size;
    if (rank >= after.nRanked) return null;
    const final = after.removedBy[token] === KEPT ? (after.probs[token] ?? 0) : 0;
    const top = this.probs.y(Math.max(before.probs[token] ?? 0, final));
    const name = label(row.texts.text(token));
    return { name, x0: this.ranks.edge(rank), x1: this.ranks.edge(rank + 1), top };
  }

  /** The height of the curve at a token. */
  curveAt(token: number | null): number {
    const rank = token === null ? null : this.picture.after.rank[token];
    const sum = this.#curve?.cumulative[rank ?? 0] ?? 1;
    return (1 - (token === null ? 1 : sum)) * this.height;
  }

  /**
   * Where the handle stands: right of the last token that top-p keeps, at the height of p. Where top-p sees another
   * order there is no such place, and it stands at the end of the axis.
   */
  handle(): HandlePlace {
    const { state, after, upstream, row } = this.picture;
    const setting = settingOf(state, cardOf("topP"));
    const p = setting.on ? numberOf(setting, cardOf("topP"), 0) : 1;
    const stage = after.stages.find(({ name }) => name === "top_p");
    const kept = setting.on && stage !== undefined ? stage.keptAfter : upstream.cumulative.length;
    const last = this.#curve === null ? row.texts.size - 1 : (this.#curve.ranks[kept - 1] ?? -1);
    const { on } = setting;
    const place = { x: this.ranks.edge(last + 1), y: (1 - p) * this.height };
    return { on, leftOut: leftOut(this.picture, "top_p"), p, kept, rank: last + 1, ...place };
  }

  /** The names on the first bars, clear of the curve, of each other and of what is `taken`. */
  labels(taken: readonly Box[], widthOf: (text: string) => number): PlacedLabel[] {
    const wide = this.columns.filter(({ x0, x1 }) => x1 - x0 >= LABELLED).slice(0, MOST_LABELS);
    const bars = wide.flatMap(({ from }) => this.bar(this.picture.after.order[from] ?? null) ?? []);
    return placeLabels(bars, {
      plot: { x0: 0, x1: this.width, y0: -HEADROOM, y1: this.height },
      taken: [...taken, AXIS_TITLE],
      widthOf,
      crossesCurve: (box) => this.#crossesCurve(box),
    });
  }

  #crossesCurve({ x0, x1, y0, y1 }: Box): boolean {
    const span = spanOf(this.risers, x0 - MARGIN, x1 + MARGIN);
    if (span === null) return false;
    const [low, high] = span;
    return (1 - high) * this.height < y1 + MARGIN && (1 - low) * this.height > y0 - MARGIN;
  }
}
