// A card that is being dragged: it follows the pointer, and says at which place of the list it is.

/** Pixels that a pointer may move before it is a drag. */
const SLACK = 4;
/** The strip at the window's edges in which a drag scrolls the page, and by how much at a time. */
const EDGE = 48;
const SCROLL = 12;

export class Drag {
  readonly key: string;
  readonly #item: HTMLElement | null;
  /** The middles of the other cards, in order, in pixels of the page. */
  readonly #middles: readonly number[];
  readonly #middle: number;
  readonly #startY: number;
  #isMoving = false;

  constructor(list: HTMLElement, key: string, event: PointerEvent) {
    const items = [...list.children].filter((child): child is HTMLElement => child instanceof HTMLElement);
    this.key = key;
    this.#item = items.find(({ dataset }) => dataset.key === key) ?? null;
    this.#middles = items.filter((item) => item !== this.#item).map(middleOf);
    this.#middle = this.#item === null ? 0 : middleOf(this.#item);
    this.#startY = event.clientY + window.scrollY;
  }

  /** The place (from 0) at which the card would land now; null before it has moved. */
  to({ clientY }: PointerEvent): number | null {
    if (clientY < EDGE) window.scrollBy(0, -SCROLL);
    else if (clientY > window.innerHeight - EDGE) window.scrollBy(0, SCROLL);
    const dy = clientY + window.scrollY - this.#startY;
    if (Math.abs(dy) > SLACK) this.#isMoving = true;
    if (!this.#isMoving) return null;
    if (this.#item !== null) this.#item.style.transform = `translateY(${dy}px)`;
    return this.#middles.filter((middle) => middle < this.#middle + dy).length;
  }

  end(): void {
    if (this.#item !== null) this.#item.style.transform = "";
  }
}

function middleOf(item: HTMLElement): number {
  const { top, height } = item.getBoundingClientRect();
  return top + window.scrollY + height / 2;
}
