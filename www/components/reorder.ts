// Reordering the cards, by keyboard and by dragging: what is lifted, where it would land, what is said about it.

import { batch, type Signal, signal } from "@preact/signals";
import { type Card, cardOf } from "../chain/cards";
import { shownCards, withMoved } from "../chain/order";
import type { Playground } from "../playground";
import { Drag } from "./drag";

/** What the chain says of what was just done: to be heard, or to be seen too where something was refused. */
export interface Said {
  readonly text: string;
  readonly isRefusal: boolean;
}

const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1, Home: -Infinity, End: Infinity };

interface Lifted {
  readonly key: string;
  /** The order to go back to. */
  readonly order: readonly string[];
}

export class Reorder {
  readonly lifted: Signal<Lifted | null> = signal(null);
  readonly #stop: Signal<string | null> = signal(null);
  /** Where the dragged card would land, in the order without it. */
  readonly #landing: Signal<number | null> = signal(null);
  readonly #playground: Playground;
  readonly #list: { readonly current: HTMLElement | null };
  readonly #say: (said: Said) => void;
  #drag: Drag | null = null;
  #tried: number | null = null;

  constructor(
    playground: Playground,
    list: { readonly current: HTMLElement | null },
    say: (said: Said) => void,
  ) {
    this.#playground = playground;
    this.#list = list;
    this.#say = say;
  }

  isLifted({ key }: Card): boolean {
    return this.lifted.value?.key === key;
  }

  /** Whether the card's grip is the one that Tab stops at. */
  isStop({ key }: Card): boolean {
    const shown = this.#shown();
    const stop = this.#stop.value;
    return key === (shown.some((card) => card.key === stop) ? stop : shown[0]?.key);
  }

  /** The class of a card's place in the list: lifted, or the one beside which the dragged card would land. */
  placeClass({ key }: Card): string {
    const [lifted, landing] = [this.lifted.value, this.#landing.value];
    if (lifted?.key === key) return "lifted";
    if (lifted === null || landing === null) return "";
    const others = this.#shown().filter((card) => card.key !== lifted.key);
    if (others[landing]?.key === key) return "lands-before";
    return landing === others.length && others.at(-1)?.key === key ? "lands-after" : "";
  }

  stopAt({ key }: Card): void {
    this.#stop.value = key;
  }

  /** The focus has gone; it comes back at once where the card has only moved. */
  left({ key }: Card): void {
    setTimeout(() => {
      if (this.#drag === null && document.activeElement !== this.#grip(key)) this.lifted.value = null;
    });
  }

  /** A card that moves in the document takes its focus from it: the lifted one gets it back. */
  refocus(): void {
    const lifted = this.lifted.peek();
    if (lifted !== null && this.#drag === null) this.#grip(lifted.key)?.focus();
  }

  key(card: Card, event: KeyboardEvent): void {
    const lifted = this.lifted.peek();
    const isLift = event.key === " " || event.key === "Enter";
    const steps = STEPS[event.key];
    if (event.key === "Escape" && this.#drag !== null) this.cancel();
    else if (event.key === "Escape" && lifted !== null) this.#putBack(card, lifted, event);
    else if (isLift && lifted !== null) this.#drop(card);
    else if (isLift) this.#lift(card);
    else if (steps !== undefined) this.#step(card, steps, event);
    else return;
    event.preventDefault();
  }

  take(card: Card, event: PointerEvent): void {
    const { currentTarget: grip } = event;
    if (event.button !== 0 || this.#list.current === null || !(grip instanceof HTMLElement)) return;
    grip.setPointerCapture(event.pointerId);
    grip.focus();
    this.#drag = new Drag(this.#list.current, card.key, event);
  }

  drag(event: PointerEvent): void {
    const to = this.#drag?.to(event) ?? null;
    if (this.#drag === null || to === null || to === this.#tried) return;
    this.#tried = to;
    const { key } = this.#drag;
    const state = this.#playground.state.peek();
    const move = withMoved(state, cardOf(key), to);
    if ("refused" in move) {
      this.#tell(move.refused, true);
      return;
    }
    batch(() => {
      this.lifted.value = { key, order: state.order };
      this.#landing.value = to;
    });
    this.#tell("");
  }

  release(event: PointerEvent): void {
    const [drag, to] = [this.#drag, this.#landing.peek()];
    this.cancel();
    if (drag !== null && to !== null) this.move(cardOf(drag.key), to, event);
  }

  cancel(): void {
    this.#drag?.end();
    this.#drag = null;
    this.#tried = null;
    batch(() => {
      this.#landing.value = null;
      this.lifted.value = null;
    });
  }

  /** Moves a card to a place from 0 on, or says why it cannot be there. */
  move(card: Card, to: number, event: Event): void {
    const state = this.#playground.state.peek();
    const move = withMoved(state, card, to);
    if ("refused" in move) {
      this.#tell(move.refused, true);
      return;
    }
    const { order } = move.state;
    if (order.join() !== state.order.join()) this.#playground.change(move.state, { event, glide: true });
    this.#tell(`${card.title} is ${this.#placeOf(card)} now.`);
  }

  #step(card: Card, steps: number, event: Event): void {
    const shown = this.#shown();
    const at = shown.findIndex(({ key }) => key === card.key);
    const to = Math.min(shown.length - 1, Math.max(0, at + steps));
    if (this.lifted.peek() !== null) this.move(card, to, event);
    else this.#grip(shown[to]?.key ?? card.key)?.focus();
  }

  #lift(card: Card): void {
    this.lifted.value = { key: card.key, order: this.#playground.state.peek().order };
    this.#tell(`${card.title} is lifted: it is ${this.#placeOf(card)}.`);
  }

  #drop(card: Card): void {
    this.lifted.value = null;
    this.#tell(`${card.title} is dropped: it is ${this.#placeOf(card)}.`);
  }

  #putBack(card: Card, { order }: Lifted, event: Event): void {
    this.lifted.value = null;
    this.#playground.change({ ...this.#playground.state.peek(), order }, { event, glide: true });
    this.#tell(`${card.title} is back in its place: it is ${this.#placeOf(card)}.`);
  }

  #placeOf({ key }: Card): string {
    const shown = shownCards(this.#playground.state.peek());
    return `stage ${shown.findIndex((card) => card.key === key) + 1} of ${shown.length}`;
  }

  #tell(text: string, isRefusal = false): void {
    this.#say({ text, isRefusal });
  }

  #shown(): readonly Card[] {
    return shownCards(this.#playground.state.value);
  }

  #grip(key: string): HTMLElement | null {
    return this.#list.current?.querySelector(`[data-grip="${key}"]`) ?? null;
  }
}
