// What can be undone: the states before the latest changes, one for each gesture.

import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { type Edited, editedOf, isEditedAlike } from "./edits";
import type { State } from "./state";

/** Steps back that are kept. */
const MOST_UNDOABLE = 200;

export class Undoing {
  readonly #states: Signal<readonly Edited[]> = signal([]);
  #gesture: string | null = null;

  /** The states that undo can return to. */
  get states(): ReadonlySignal<readonly Edited[]> {
    return this.#states;
  }

  /** Keeps the state before a change that can be undone; changes of one gesture are undone together. */
  keep(state: State, next: State, gesture: string | null): void {
    if (isEditedAlike(state, next)) return;
    if (gesture === null || gesture !== this.#gesture)
      this.#states.value = [...this.#states.peek(), editedOf(state)].slice(-MOST_UNDOABLE);
    this.#gesture = gesture;
  }

  endGesture(): void {
    this.#gesture = null;
  }

  /** Takes the latest one, or undefined where there is none. */
  take(): Edited | undefined {
    const last = this.#states.peek().at(-1);
    if (last === undefined) return undefined;
    this.#gesture = null;
    this.#states.value = this.#states.peek().slice(0, -1);
    return last;
  }

  forget(): void {
    this.#states.value = [];
    this.#gesture = null;
  }
}
