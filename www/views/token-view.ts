// A picture of tokens as wide as its room: drawn again when the room changes, and telling which token is pointed at.

import { type Attributes, svg } from "./svg";

export abstract class TokenView<Model> {
  protected readonly root: SVGSVGElement;
  #model: Model | null = null;

  constructor(container: HTMLElement, attributes: Attributes, highlight: (token: number | null) => void) {
    this.root = svg("svg", { ...attributes, "aria-hidden": "true" }, container);
    this.root.addEventListener("pointermove", (event) => {
      if (this.#model !== null) highlight(this.tokenAt(event, this.#model));
    });
    this.root.addEventListener("pointerleave", () => highlight(null));
    new ResizeObserver(() => this.#redraw()).observe(container);
  }

  update(model: Model): void {
    this.#model = model;
    this.#redraw();
  }

  #redraw(): void {
    const width = this.root.parentElement?.clientWidth ?? 0;
    if (this.#model !== null && width > 0) this.draw(this.#model, width);
  }

  /** Draws a model over `width` pixels. */
  protected abstract draw(model: Model, width: number): void;

  /** The token under the pointer, or null. */
  protected abstract tokenAt(event: PointerEvent, model: Model): number | null;
}
