// Names on bars, the highlighted token and the drawn one, over the canvas.

import { Pool, set, setText, svg } from "../svg";
import type { NamedBar, PlacedLabel } from "./labels";
import type { Frame } from "./paint";

export class Marks {
  readonly #labels: Pool<"text">;
  readonly #highlight: SVGGElement;
  readonly #band: SVGRectElement;
  readonly #bar: SVGRectElement;
  readonly #name: SVGTextElement;
  readonly #drawn: SVGGElement;
  readonly #drawnLine: SVGLineElement;
  readonly #drawnDot: SVGCircleElement;

  constructor(root: SVGSVGElement) {
    this.#highlight = svg("g", { class: "highlight", "aria-hidden": "true" }, root);
    this.#band = svg("rect", { class: "band" }, this.#highlight);
    this.#bar = svg("rect", { class: "bar" }, this.#highlight);
    this.#name = svg("text", { class: "name" }, this.#highlight);
    this.#drawn = svg("g", { class: "drawn-mark", "aria-hidden": "true" }, root);
    this.#drawnLine = svg("line", {}, this.#drawn);
    this.#drawnDot = svg("circle", { r: 4.5 }, this.#drawn);
    this.#labels = new Pool(svg("g", { class: "bar-labels", "aria-hidden": "true" }, root), "text");
  }

  labels(frame: Frame, placed: readonly PlacedLabel[]): void {
    this.#labels.draw(placed, (element, { name, kind, x, y }) => {
      const [left, top] = [frame.left + x, frame.top + y];
      const upright = kind.startsWith("upright");
      set(element, {
        class: kind,
        "text-anchor": upright ? "start" : "middle",
        transform: `translate(${left.toFixed(1)} ${top.toFixed(1)})${upright ? " rotate(-90)" : ""}`,
      });
      setText(element, name);
    });
  }

  /** Shows the highlighted bar with its name in the free line above the plot, or nothing. */
  highlight(frame: Frame, mark: NamedBar | null, widthOf: (text: string) => number): void {
    set(this.#highlight, { visibility: mark === null ? "hidden" : "visible" });
    if (mark === null) return;
    const x = frame.left + mark.x0;
    const width = Math.max(3, mark.x1 - mark.x0);
    set(this.#band, { x, width, y: frame.top, height: frame.height });
    const top = Math.min(frame.height - 3, mark.top);
    set(this.#bar, { x: x - 1, width: width + 2, y: frame.top + top - 1, height: frame.height - top + 1 });
    const half = widthOf(mark.name) / 2;
    const middle = x + width / 2;
    const inside = Math.min(frame.left + frame.width - half, Math.max(frame.left + half, middle));
    set(this.#name, { x: inside, y: frame.top - 6, "text-anchor": "middle" });
    setText(this.#name, mark.name);
  }

  /** The token that was drawn last: from its bar's foot up to its place on the curve. */
  drawn(frame: Frame, mark: NamedBar | null, curveY: number): void {
    set(this.#drawn, { visibility: mark === null ? "hidden" : "visible" });
    if (mark === null) return;
    const x = frame.left + (mark.x0 + mark.x1) / 2;
    const y = frame.top + curveY;
    set(this.#drawnLine, { x1: x, x2: x, y1: frame.top + frame.height, y2: y });
    set(this.#drawnDot, { cx: x, cy: y });
  }
}
