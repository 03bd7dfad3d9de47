// The distribution: a canvas of bars and curve under an SVG of axes, names, marks and the handle.

import { KEPT } from "../../engine/protocol";
import { label } from "../../glyphs";
import type { Picture } from "../../playground";
import { cuttingStages } from "../../sentences";
import { type Palette, readPalette } from "../palette";
import { set, svg } from "../svg";
import { Axes } from "./axes";
import { type Column, columnsOf, type Heights, heightsOf } from "./columns";
import { pNear, type Riser, risersOf, spanOf } from "./curve";
import { Glide } from "./glide";
import { Handle } from "./handle";
import { type Box, placeLabels } from "./labels";
import { type Mark, Marks } from "./marks";
import { type Frame, paint } from "./paint";
import { type ProbAxis, probAxis, type RankAxis, rankAxis } from "./scales";

export interface ChartModel {
  readonly picture: Picture;
  readonly p: { readonly on: boolean; readonly value: number };
  readonly highlight: number | null;
  readonly drawn: number | null;
}

export interface ChartActions {
  setP(p: number, event: Event): void;
  highlight(token: number | null): void;
}

export interface Chart {
  update(model: ChartModel): void;
  /** Draws again after the theme has changed. */
  restyle(): void;
}

/** Bars at least this wide, in pixels, have their name. */
const LABELLED = 9;
const MOST_LABELS = 40;

export function createChart(container: HTMLElement, actions: ChartActions): Chart {
  const view = new ChartView(container, actions);
  new ResizeObserver(() => view.resize()).observe(container);
  return view;
}

class ChartView implements Chart {
  readonly #container: HTMLElement;
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  readonly #root: SVGSVGElement;
  readonly #axes: Axes;
  readonly #marks: Marks;
  readonly #handle: Handle;
  readonly #glide: Glide;
  readonly #widths = new Map<string, number>();
  #palette: Palette;
  #size = { width: 0, height: 0 };
  #frame: Frame = { left: 0, top: 0, width: 0, height: 0 };
  #model: ChartModel | null = null;
  #ranks: RankAxis = rankAxis("log", 1, 1);
  #probs: ProbAxis = probAxis("linear", 1, 1, 1);
  #columns: readonly Column[] = [];
  #risers: readonly Riser[] = [];
  #columnsKey = "";

  constructor(container: HTMLElement, actions: ChartActions) {
    this.#container = container;
    this.#canvas = document.createElement("canvas");
    this.#canvas.setAttribute("aria-hidden", "true");
    container.append(this.#canvas);
    const context = this.#canvas.getContext("2d");
    if (context === null) throw new Error("This browser gives no 2D canvas.");
    this.#context = context;
    this.#root = svg("svg", { class: "overlay" }, container);
    this.#axes = new Axes(this.#root);
    this.#marks = new Marks(this.#root);
    const widthOf = (text: string) => this.#widthOf(text);
    this.#handle = new Handle(this.#root, { ...actions, pAt: (x, y) => this.#pAt(x, y) }, widthOf);
    this.#glide = new Glide((heights) => this.#paint(heights));
    this.#palette = readPalette(container);
    this.#measure();
    this.#listen(actions);
  }

  update(model: ChartModel): void {
    const previous = this.#model;
    this.#model = model;
    if (this.#frame.width <= 0) return;
    if (previous?.picture !== model.picture || this.#columns.length === 0) this.#layOut(model);
    this.#drawMarks(model);
  }

  restyle(): void {
    this.#palette = readPalette(this.#container);
    this.#redraw();
  }

  resize(): void {
    const { clientWidth, clientHeight } = this.#container;
    if (clientWidth === this.#size.width && clientHeight === this.#size.height) return;
    this.#measure();
    this.#redraw();
  }

  #redraw(): void {
    this.#columnsKey = "";
    this.#columns = [];
    if (this.#model !== null) this.update(this.#model);
  }

  #measure(): void {
    const { clientWidth, clientHeight } = this.#container;
    this.#size = { width: clientWidth, height: clientHeight };
    const narrow = clientWidth < 520;
    const left = narrow ? 40 : 48;
    const right = narrow ? 34 : 40;
    this.#frame = { left, top: 24, width: clientWidth - left - right, height: clientHeight - 24 - 26 };
    const ratio = window.devicePixelRatio;
    this.#canvas.width = Math.round(clientWidth * ratio);
    this.#canvas.height = Math.round(clientHeight * ratio);
    this.#context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.#context.font = `12px ${getComputedStyle(this.#container).fontFamily}`;
    set(this.#root, { viewBox: `0 0 ${clientWidth} ${clientHeight}` });
    this.#widths.clear();
  }

  #layOut({ picture }: ChartModel): void {
    const { state, row, before, upstream, after } = picture;
    const { width, height } = this.#frame;
    const size = row.texts.size;
    const key = `${state.rankScale} ${size} ${after.nRanked}`;
    if (key !== this.#columnsKey) {
      this.#ranks = rankAxis(state.rankScale, size, width);
      this.#columns = columnsOf(this.#ranks, after.nRanked);
    }
    const highest = Math.max(before.highest, after.highest);
    const lowest = before.probs[after.order[after.nRanked - 1] ?? 0] ?? 0;
    this.#probs = probAxis(state.probScale, highest, lowest, height);
    this.#risers = risersOf(columnsOf(this.#ranks, upstream.tokenIds.length), upstream.cumulative);
    this.#axes.draw(this.#frame, this.#ranks, this.#probs);
    const glides = picture.glide && key === this.#columnsKey;
    this.#columnsKey = key;
    this.#glide.to(heightsOf(this.#columns, before, after), glides);
  }

  #paint(heights: Heights): void {
    const model = this.#model;
    if (model === null) return;
    const { clientWidth, clientHeight } = this.#container;
    this.#context.clearRect(0, 0, clientWidth, clientHeight);
    const { stages } = model.picture.after;
    const tintOf = new Map(cuttingStages(stages).map((stage, i) => [stages.indexOf(stage), i]));
    const y = (p: number) => this.#probs.y(p);
    const grid = this.#probs.ticks.map(({ at }) => at);
    const painting = { frame: this.#frame, columns: this.#columns, heights, risers: this.#risers, grid, tintOf, y };
    paint(this.#context, painting, this.#palette);
  }

  #drawMarks(model: ChartModel): void {
    const { picture, highlight, drawn } = model;
    const taken = this.#drawHandle(model);
    const shown = this.#mark(picture, highlight);
    const bars = this.#columns.filter(({ x0, x1 }) => x1 - x0 >= LABELLED).slice(0, MOST_LABELS);
    const named = bars.flatMap(({ from }) => this.#mark(picture, picture.after.order[from] ?? null) ?? []);
    const { width, height } = this.#frame;
    const plot = { x0: 0, x1: width, y0: -22, y1: height };
    const placed = placeLabels(named, {
      plot,
      taken,
      widthOf: (text) => this.#widthOf(text),
      crossesCurve: (box) => this.#crossesCurve(box),
    });
    this.#marks.labels(this.#frame, shown === null ? placed : placed.filter(({ name, y }) => y > 8 && name !== shown.name));
    this.#marks.highlight(this.#frame, shown, (text) => this.#widthOf(text));
    this.#marks.drawn(this.#frame, this.#mark(picture, drawn), this.#sumAt(picture, drawn));
  }

  #drawHandle({ picture, p }: ChartModel): Box[] {
    const { after, upstream } = picture;
    const stage = after.stages.find(({ name }) => name === "top_p");
    const on = p.on && picture.state.chain.topP?.on === true;
    const kept = on && stage !== undefined ? stage.keptAfter : upstream.tokenIds.length;
    const frame = this.#frame;
    const value = on ? p.value : 1;
    const model = { frame, on, p: value, kept, x: this.#ranks.edge(kept), y: (1 - value) * frame.height };
    const { left, top } = frame;
    return this.#handle.draw(model).map(({ x0, x1, y0, y1 }) => ({ x0: x0 - left, x1: x1 - left, y0: y0 - top, y1: y1 - top }));
  }

  #mark({ after, before, row }: Picture, token: number | null): Mark | null {
    if (token === null) return null;
    const rank = after.rank[token] ?? row.texts.size;
    if (rank >= after.nRanked) return null;
    const kept = after.removedBy[token] === KEPT;
    const highest = Math.max(before.probs[token] ?? 0, kept ? (after.probs[token] ?? 0) : 0);
    const name = label(row.texts.text(token));
    return { x0: this.#ranks.edge(rank), x1: this.#ranks.edge(rank + 1), top: this.#probs.y(highest), name };
  }

  /** The height of the curve at a token, in pixels. */
  #sumAt({ after, upstream }: Picture, token: number | null): number {
    const sum = token === null ? 1 : (upstream.cumulative[after.rank[token] ?? 0] ?? 1);
    return (1 - sum) * this.#frame.height;
  }

  #crossesCurve({ x0, x1, y0, y1 }: Box): boolean {
    const span = spanOf(this.#risers, x0 - 2, x1 + 2);
    if (span === null) return false;
    const { height } = this.#frame;
    const [low, high] = span;
    return (1 - high) * height < y1 + 2 && (1 - low) * height > y0 - 2;
  }

  #pAt(x: number, y: number): number {
    return pNear(this.#risers, x, y, this.#frame.height);
  }

  #widthOf(text: string): number {
    const known = this.#widths.get(text);
    if (known !== undefined) return known;
    const width = this.#context.measureText(text).width;
    this.#widths.set(text, width);
    return width;
  }

  #listen(actions: ChartActions): void {
    const point = (event: PointerEvent) => {
      const { left } = this.#container.getBoundingClientRect();
      const x = event.clientX - left - this.#frame.left;
      const after = this.#model?.picture.after;
      if (after === undefined || x < 0 || x > this.#frame.width) return;
      const rank = this.#ranks.rankAt(x);
      actions.highlight(rank < after.nRanked ? (after.order[rank] ?? null) : null);
    };
    this.#root.addEventListener("pointermove", (event) => {
      if (event.buttons === 0) point(event);
    });
    this.#root.addEventListener("pointerdown", (event) => {
      if (event.target === this.#root) point(event);
    });
    this.#root.addEventListener("pointerleave", (event) => {
      if (event.pointerType === "mouse") actions.highlight(null);
    });
  }
}
