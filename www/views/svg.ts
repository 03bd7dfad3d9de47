// Small tools for SVG views: elements made once, attributes set without style attributes.

const NAMESPACE = "http://www.w3.org/2000/svg";

export type Attributes = Readonly<Record<string, string | number>>;

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  parent?: Element,
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(NAMESPACE, tag);
  set(element, attributes);
  parent?.append(element);
  return element;
}

export function set(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    const text = typeof value === "number" ? String(Math.round(value * 100) / 100) : value;
    if (element.getAttribute(name) !== text) element.setAttribute(name, text);
  }
}

/** A group that always holds just as many elements of one kind as were last drawn. */
export class Pool<K extends keyof SVGElementTagNameMap> {
  readonly #parent: Element;
  readonly #tag: K;
  readonly #elements: SVGElementTagNameMap[K][] = [];

  constructor(parent: Element, tag: K) {
    this.#parent = parent;
    this.#tag = tag;
  }

  draw<T>(items: readonly T[], update: (element: SVGElementTagNameMap[K], item: T) => void): void {
    while (this.#elements.length > items.length) this.#elements.pop()?.remove();
    items.forEach((item, i) => {
      const element = this.#elements[i] ?? svg(this.#tag, {}, this.#parent);
      this.#elements[i] = element;
      update(element, item);
    });
  }
}

export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
