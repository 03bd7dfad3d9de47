// The way to the models: their part of the page is fetched when a model is first asked for.

import { type Signal, signal } from "@preact/signals";
import { withModelFile, withSource } from "../edits";
import type { Playground, RowState } from "../playground";
import { FILE_SOURCE } from "../sources/catalogue";
import type { Row } from "../sources/row";
import { INITIAL_STATE, type State } from "../state";
import type * as Part from "./model-part";
import type { NamedFile, Shelf } from "./shelf";

type ModelPart = typeof Part;

export class ModelGate {
  /** The part, once it is there. */
  readonly part: Signal<ModelPart | null> = signal(null);
  readonly shelf: Signal<Shelf | null> = signal(null);
  /** Whether a person is about to choose a file. */
  readonly isChoosing: Signal<boolean> = signal(false);
  /** Why the last file could not be used, or null. */
  readonly problem: Signal<string | null> = signal(null);
  /** The state of an address that goes on when its file has been chosen again. */
  #wanted: State | null = null;
  #fetching: Promise<Shelf> | null = null;
  #turn = 0;

  /** At once where the row was read lately, else a promise. */
  row(state: RowState): Row | Promise<Row> {
    return this.shelf.peek()?.row(state) ?? this.#fetched().then((shelf) => shelf.row(state));
  }

  /** What can be shown of an address's state: a file on a disk is no part of it, so that it is asked for. */
  shown(state: State): State {
    if (state.source !== FILE_SOURCE || this.shelf.peek()?.hasFile === true) return state;
    void this.choose();
    this.#wanted = state;
    this.problem.value = CHOOSE_AGAIN;
    return withSource(state, INITIAL_STATE.source);
  }

  /** Asks for a file: the panel with the button appears. */
  async choose(): Promise<void> {
    if (!this.isChoosing.peek()) this.#wanted = null;
    this.isChoosing.value = true;
    this.problem.value = null;
    try {
      await this.#fetched();
    } catch (error) {
      this.isChoosing.value = false;
      this.problem.value = error instanceof Error ? error.message : String(error);
    }
  }

  /** Another source was chosen: a file that is on its way does not take its place any more. */
  leave(): void {
    this.#turn += 1;
    this.isChoosing.value = false;
    this.problem.value = null;
    this.shelf.peek()?.giveUp();
  }

  /** The page goes on with a model file, or says why it cannot be used. */
  async open(playground: Playground, file: NamedFile): Promise<void> {
    const turn = ++this.#turn;
    await this.choose();
    const shelf = this.shelf.peek();
    if (shelf === null || turn !== this.#turn) return;
    try {
      await shelf.open(file);
      const next = this.#wanted ?? withModelFile(playground.state.peek());
      this.#wanted = null;
      this.isChoosing.value = false;
      playground.replace(next);
    } catch (error) {
      if (error instanceof Error && error.name !== "AbortError") this.problem.value = error.message;
    }
  }

  #fetched(): Promise<Shelf> {
    this.#fetching ??= this.#fetch();
    this.#fetching.catch(() => {
      this.#fetching = null;
    });
    return this.#fetching;
  }

  async #fetch(): Promise<Shelf> {
    try {
      const part = await import("./model-part");
      const shelf = part.openShelf();
      this.part.value = part;
      this.shelf.value = shelf;
      return shelf;
    } catch (cause) {
      throw new Error(
        "The part of the page that reads with a model could not be fetched: try again with a network.",
        {
          cause,
        },
      );
    }
  }
}

const CHOOSE_AGAIN =
  "The text of this address was read by a model file, and a file on a disk is no part of an address: choose it again.";

/** A file that is dropped anywhere on the page is opened as a model. */
export function takeDrops(gate: ModelGate, playground: Playground): void {
  const { classList } = document.documentElement;
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes("Files") === true;
  window.addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    classList.add("dropping");
  });
  window.addEventListener("dragleave", ({ relatedTarget }) => {
    if (relatedTarget === null) classList.remove("dropping");
  });
  window.addEventListener("drop", (event) => {
    classList.remove("dropping");
    if (!hasFiles(event)) return;
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file !== undefined) void gate.open(playground, file);
  });
}
