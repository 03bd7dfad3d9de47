// The kept tokens in ascending id, as wide as they are likely: the line on which a draw's target falls.

import { KEPT } from "../engine/protocol";
import { label } from "../glyphs";
import type { Picture } from "../playground";
import { Pool, set, setText, svg } from "./svg";
import { TokenView } from "./token-view";

export interface StripModel {
  readonly picture: Picture;
  /** The token drawn last. */
  readonly drawn: number | null;
  /** Where the last target fell, in [0, 1), where it is known. */
  readonly target: number | null;
  readonly highlight: number | null;
}

export interface Segment {
  readonly token: number;
  readonly x0: number;
  readonly x1: number;
}

const HEIGHT = 26;
const TOP = 12;
/** Segments narrower than this run together. */
const LEAST = 1.5;
const LETTER = 7;

/** The kept tokens laid out in ascending id over `width` pixels. */
export function segmentsOf({ after }: Picture, width: number): Segment[] {
  const segments: Segment[] = [];
  let x0 = 0;
  for (let token = 0; token < after.removedBy.length; token++) {
    if (after.removedBy[token] !== KEPT) continue;
    const x1 = x0 + (after.probs[token] ?? 0) * width;
    segments.push({ token, x0, x1 });
    x0 = x1;
  }
  return segments;
}

export class StripView extends TokenView<StripModel> {
  readonly #base = svg("rect", { class: "base", x: 0, y: TOP, height: HEIGHT }, this.root);
  readonly #parts = new Pool(svg("g", { class: "parts" }, this.root), "rect");
  readonly #names = new Pool(svg("g", { class: "strip-names" }, this.root), "text");
  readonly #target = svg("path", { class: "target" }, this.root);
  #segments: readonly Segment[] = [];

  constructor(container: HTMLElement, highlight: (token: number | null) => void) {
    super(container, { class: "strip", height: TOP + HEIGHT + 2 }, highlight);
  }

  protected override tokenAt({ offsetX }: PointerEvent): number | null {
    return this.#segments.find(({ x0, x1 }) => offsetX >= x0 && offsetX < x1)?.token ?? null;
  }

  protected override draw(model: StripModel, width: number): void {
    const { picture, drawn, target, highlight } = model;
    set(this.root, { viewBox: `0 0 ${width} ${TOP + HEIGHT + 2}` });
    set(this.#base, { width });
    this.#segments = segmentsOf(picture, width);
    const special = (token: number) => token === drawn || token === highlight;
    const parts = this.#segments.filter(({ token, x0, x1 }) => x1 - x0 >= LEAST || special(token));
    this.#parts.draw(parts, (rect, { token, x0, x1 }) => {
      const width = Math.max(1, x1 - x0 - 1);
      const kind = token === drawn ? "drawn" : token === highlight ? "highlighted" : "";
      set(rect, { x: x0, y: TOP, width, height: HEIGHT, class: kind });
    });
    const named = parts
      .map((part) => ({ ...part, name: label(picture.row.texts.text(part.token)) }))
      .filter(({ name, x0, x1 }) => x1 - x0 > name.length * LETTER + 8);
    this.#names.draw(named, (text, { name, token, x0, x1 }) => {
      const at = { x: (x0 + x1) / 2, y: TOP + HEIGHT / 2 + 4, "text-anchor": "middle" };
      set(text, { ...at, class: token === drawn ? "drawn" : "" });
      setText(text, name);
    });
    set(this.#target, { visibility: target === null ? "hidden" : "visible" });
    if (target !== null)
      set(this.#target, { d: `M${(target * width).toFixed(1)} ${TOP - 1}l-5 -9h10zv${HEIGHT + 1}` });
  }
}
