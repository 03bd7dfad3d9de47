// The distribution: a canvas of bars and curve under an SVG of axes, names, marks and the handle.

import type { Picture } from "../../playground";
import { cuttingStages } from "../../sentences";
import { type Palette, readPalette } from "../palette";
import { set, svg } from "../svg";
import { Axes } from "./axes";
import type { Heights } from "./columns";
import { pNear } from "./curve";
import { Geometry } from "./geometry";
import { Glide } from "./glide";
import { Handle } from "./handle";
import { Marks } from "./marks";
import { type Frame, paint } from "./paint";

export interface ChartModel {
  readonly picture: Picture;
  readonly highlight: number | null;
  readonly drawn: number | null;
}

export interface ChartActions {
  setP(p: number, event: Event): void;
  highlight(token: number | null): void;
  /** The handle is taken hold of, or let go: nothing else is pointed at meanwhile. */
  hold(isHeld: boolean): void;
}

const TOP = 24;
const BOTTOM = 30;
const NARROW = 520;

export class Chart {
  readonly #container: HTMLElement;
  readonly #canvas = document.createElement("canvas");
  readonly #context: CanvasRenderingContext2D;
  readonly #root: SVGSVGElement;
  readonly #axes: Axes;
  readonly #marks: Marks;
  readonly #handle: Handle;
  readonly #glide: Glide;
  readonly #widths = new Map<string, number>();
  #palette: Palette;
  #size = { width: 0, height: 0 };
  #frame: Frame = { left: 0, top: TOP, width: 0, height: 0 };
  #model: ChartModel | null = null;
  #geometry: Geometry | null = null;

  constructor(container: HTMLElement, actions: ChartActions) {
    this.#container = container;
    this.#canvas.setAttribute("aria-hidden", "true");
    container.append(this.#canvas);
    const context = this.#canvas.getContext("2d");
    if (context === null) throw new Error("This browser gives no 2D canvas.");
    this.#context = context;
    this.#root = svg("svg", { class: "overlay" }, container);
    this.#axes = new Axes(this.#root);
    const pAt = (x: number, y: number) => pNear(this.#geometry?.risers ?? [], x, y, this.#frame.height);
    this.#handle = new Handle(this.#root, { ...actions, pAt }, (text) => this.#widthOf(text));
    this.#marks = new Marks(this.#root);
    this.#glide = new Glide((heights) => this.#paint(heights));
    this.#palette = readPalette(container);
    this.#measure();
    this.#listen(actions);
    new ResizeObserver(() => this.#resize()).observe(container);
  }

  update(model: ChartModel): void {
    this.#model = model;
    const { width, height } = this.#frame;
    if (width <= 0) return;
    const old = this.#geometry;
    if (old?.picture !== model.picture) {
      const geometry = new Geometry(model.picture, width, height, old);
      this.#geometry = geometry;
      this.#axes.draw(this.#frame, geometry.ranks, geometry.probs);
      const glides = model.picture.glide && old?.columns === geometry.columns;
      this.#glide.to(geometry.heights(), glides);
    }
    this.#mark(model);
  }

  /** Draws again after the theme has changed. */
  restyle(): void {
    this.#palette = readPalette(this.#container);
    this.#redraw();
  }

  #resize(): void {
    const { clientWidth, clientHeight } = this.#container;
    if (clientWidth === this.#size.width && clientHeight === this.#size.height) return;
    this.#measure();
    this.#redraw();
  }

  #redraw(): void {
    this.#geometry = null;
    if (this.#model !== null) this.update(this.#model);
  }

  #measure(): void {
    const { clientWidth: width, clientHeight: height } = this.#container;
    const left = width < NARROW ? 40 : 48;
    const right = width < NARROW ? 34 : 40;
    this.#size = { width, height };
    this.#frame = { left, top: TOP, width: width - left - right, height: height - TOP - BOTTOM };
    const ratio = window.devicePixelRatio;
    this.#canvas.width = Math.round(width * ratio);
    this.#canvas.height = Math.round(height * ratio);
    this.#context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.#context.font = `12px ${getComputedStyle(this.#container).fontFamily}`;
    set(this.#root, { viewBox: `0 0 ${width} ${height}` });
    this.#widths.clear();
  }

  #paint(heights: Heights): void {
    const geometry = this.#geometry;
    if (geometry === null) return;
    this.#context.clearRect(0, 0, this.#size.width, this.#size.height);
    const { stages } = geometry.picture.after;
    const tintOf = new Map(cuttingStages(stages).map((stage, i) => [stages.indexOf(stage), i]));
    const { columns, risers, probs } = geometry;
    const grid = probs.ticks.map(({ at }) => at);
    const painting = { frame: this.#frame, columns, heights, risers, grid, tintOf, y: probs.y };
    paint(this.#context, painting, this.#palette);
  }

  #mark({ highlight, drawn }: ChartModel): void {
    const geometry = this.#geometry;
    if (geometry === null) return;
    const frame = this.#frame;
    const widthOf = (text: string) => this.#widthOf(text);
    const taken = this.#handle.draw(frame, geometry.handle());
    const pointed = geometry.bar(highlight);
    const placed = geometry.labels(taken, widthOf);
    // The name of the bar pointed at stands above the plot: labels that reach up there make room.
    const shown = pointed === null ? placed : placed.filter(({ y, name }) => y > 8 && name !== pointed.name);
    this.#marks.labels(frame, shown);
    this.#marks.highlight(frame, pointed, widthOf);
    this.#marks.drawn(frame, geometry.bar(drawn), geometry.curveAt(drawn));
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
      const x = event.clientX - this.#container.getBoundingClientRect().left - this.#frame.left;
      const geometry = this.#geometry;
      if (geometry === null || x < 0 || x > this.#frame.width) return;
      const { order, nRanked } = geometry.picture.after;
      const rank = geometry.ranks.rankAt(x);
      actions.highlight(rank < nRanked ? (order[rank] ?? null) : null);
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
