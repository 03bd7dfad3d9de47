// The handle where the p line and the cut-off line meet: a slider in two dimensions for mouse, touch and keys.

import { formatCount, formatThreshold, formatTokens } from "../../format";
import { set, setText, svg } from "../svg";
import type { Box } from "./labels";
import type { Frame } from "./paint";

export interface HandlePlace {
  /** Whether the stage is on; else the handle stands hollow at p = 1. */
  readonly on: boolean;
  /** Why the stage does nothing though it is on, or null where it acts. */
  readonly leftOut: string | null;
  readonly p: number;
  /** How many tokens the stage keeps. */
  readonly kept: number;
  /** The rank (from 1) of the last of them. */
  readonly rank: number;
  /** The handle's place in the plot, in pixels. */
  readonly x: number;
  readonly y: number;
}

export interface HandleActions {
  /** The p that a pointer at a place in the plot means. */
  pAt(x: number, y: number): number;
  setP(p: number, event: Event): void;
  /** The handle is taken hold of, or let go. */
  hold(isHeld: boolean): void;
}

const STEP = 0.01;
const FINE_STEP = 0.001;
const LEAP = 0.1;
const LINE = 16;
const ASIDE = 14;

export class Handle {
  readonly #pLine: SVGLineElement;
  readonly #cutLine: SVGLineElement;
  readonly #callout: SVGGElement;
  readonly #texts: readonly [SVGTextElement, SVGTextElement];
  /** What a newcomer can do here; it goes once they have done it. */
  readonly #hint: SVGTextElement;
  readonly #grip: SVGGElement;
  readonly #actions: HandleActions;
  readonly #widthOf: (text: string) => number;
  #place: HandlePlace | null = null;
  #frame: Frame = { left: 0, top: 0, width: 0, height: 0 };
  #grab: { dx: number; dy: number } | null = null;

  constructor(root: SVGSVGElement, actions: HandleActions, widthOf: (text: string) => number) {
    this.#actions = actions;
    this.#widthOf = widthOf;
    const lines = svg("g", { class: "cut-lines", "aria-hidden": "true" }, root);
    this.#pLine = svg("line", { class: "p-line" }, lines);
    this.#cutLine = svg("line", { class: "cut-line" }, lines);
    this.#callout = svg("g", { class: "callout", "aria-hidden": "true" }, root);
    this.#texts = [svg("text", { class: "strong" }, this.#callout), svg("text", {}, this.#callout)];
    this.#hint = svg("text", { class: "invite" }, this.#callout);
    setText(this.#hint, "drag me");
    this.#grip = svg("g", { class: "handle", role: "slider", tabindex: 0, "aria-label": "Top-p" }, root);
    set(this.#grip, { "aria-valuemin": 0, "aria-valuemax": 1 });
    svg("circle", { r: 22, class: "handle-reach" }, this.#grip);
    svg("circle", { r: 12, class: "handle-focus" }, this.#grip);
    svg("circle", { r: 7, class: "handle-pulse" }, this.#grip);
    svg("circle", { r: 7, class: "handle-knob" }, this.#grip);
    this.#listen(root);
  }

  /** Draws the handle; returns the boxes of the plot that its callout, knob and p line cover. */
  draw(frame: Frame, place: HandlePlace): Box[] {
    this.#place = place;
    this.#frame = frame;
    const { on, leftOut, p, kept, rank, x, y } = place;
    const [cx, cy] = [frame.left + x, frame.top + y];
    set(this.#pLine, { x1: frame.left, x2: cx, y1: cy, y2: cy });
    set(this.#cutLine, { x1: cx, x2: cx, y1: frame.top, y2: frame.top + frame.height });
    set(this.#grip, {
      transform: `translate(${cx.toFixed(2)} ${cy.toFixed(2)})`,
      "aria-valuenow": p,
      "aria-valuetext": on ? `${p}, ${leftOut ?? `keeps ${formatTokens(kept)}`}` : "off",
      class: on ? "handle" : "handle off",
    });
    const [title, detail] = this.#texts;
    setText(title, on ? `p = ${p < 1 ? p.toFixed(Math.max(2, decimalsOf(p))) : "1"}` : "top-p is off");
    const cut = leftOut ?? `cut-off after rank ${formatCount(rank)}`;
    setText(detail, on ? cut : `drag to keep ${formatThreshold(0.9)}`);
    const knob = { x0: x - 12, x1: x + 12, y0: y - 12, y1: y + 12 };
    return [this.#placeCallout(x, y), knob, { x0: 0, x1: x, y0: y - 1, y1: y + 1 }];
  }

  /** Beside the handle where there is room: right and below it, else left of it. */
  #placeCallout(x: number, y: number): Box {
    const { left, top, width, height } = this.#frame;
    const lines = this.#hint.isConnected ? [...this.#texts, this.#hint] : this.#texts;
    const high = lines.length * LINE;
    const wide = Math.max(...lines.map((text) => this.#widthOf(text.textContent ?? "")));
    const x0 = x + ASIDE + wide <= width ? x + ASIDE : Math.max(0, x - ASIDE - wide);
    const y0 = y + high + ASIDE <= height ? y + LINE + 2 : y - high - ASIDE + LINE;
    for (const [i, text] of lines.entries()) set(text, { x: left + x0, y: top + y0 + i * LINE });
    return { x0: x0 - 4, x1: x0 + wide + 4, y0: y0 - LINE, y1: y0 + high - LINE + 6 };
  }

  #listen(root: SVGSVGElement): void {
    const grip = this.#grip;
    const inPlot = (event: PointerEvent) => {
      const box = root.getBoundingClientRect();
      const { left, top } = this.#frame;
      return { x: event.clientX - box.left - left, y: event.clientY - box.top - top };
    };
    grip.addEventListener("pointerdown", (event) => {
      if (this.#place === null || event.button !== 0) return;
      const { x, y } = inPlot(event);
      this.#grab = { dx: x - this.#place.x, dy: y - this.#place.y };
      this.#actions.hold(true);
      grip.setPointerCapture(event.pointerId);
    });
    grip.addEventListener("pointermove", (event) => {
      if (this.#grab === null) return;
      const { x, y } = inPlot(event);
      this.#set(this.#actions.pAt(x - this.#grab.dx, y - this.#grab.dy), event);
    });
    const release = () => {
      this.#grab = null;
      this.#actions.hold(false);
    };
    grip.addEventListener("pointerup", release);
    grip.addEventListener("pointercancel", release);
    grip.addEventListener("keydown", (event) => this.#key(event));
  }

  #key(event: KeyboardEvent): void {
    const p = this.#place?.p ?? 1;
    const step = event.shiftKey ? FINE_STEP : STEP;
    const targets: Readonly<Record<string, number>> = {
      ArrowUp: p + step,
      ArrowRight: p + step,
      ArrowDown: p - step,
      ArrowLeft: p - step,
      PageUp: p + LEAP,
      PageDown: p - LEAP,
      Home: 0,
      End: 1,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    this.#set(Number(Math.min(1, Math.max(0, target)).toFixed(6)), event);
  }

  /** Moves the handle: whoever does needs no invitation any more. */
  #set(p: number, event: Event): void {
    this.#hint.remove();
    this.#grip.querySelector(".handle-pulse")?.remove();
    this.#actions.setP(p, event);
  }
}

function decimalsOf(p: number): number {
  return String(p).split(".")[1]?.length ?? 0;
}
