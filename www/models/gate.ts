// The way to the models: their part of the page is fetched when a model is first asked for.

import { type Signal, signal } from "@preact/signals";
import { withModelFile } from "../edits";
import type { Playground, RowState } from "../playground";
import type { Row } from "../sources/row";
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
  #fetching: Promise<Shelf> | null = null;

  /** At once where the row was read lately, else a promise. */
  row(state: RowState): Row | Promise<Row> {
    return this.shelf.peek()?.row(state) ?? this.#fetched().then((shelf) => shelf.row(state));
  }

  /** Asks for a file: the panel with the button appears. */
  async choose(): Promise<void> {
    this.isChoosing.value = true;
    this.problem.value = null;
    await this.#fetched();
  }

  /** The page goes on with a model file, or says why it cannot be used. */
  async open(playground: Playground, file: NamedFile): Promise<void> {
    await this.choose();
    const shelf = await this.#fetched();
    try {
      await shelf.open(file);
      this.isChoosing.value = false;
      playground.replace(withModelFile(playground.state.peek()));
    } catch (error) {
      if (error instanceof Error && error.name !== "AbortError") this.problem.value = error.message;
    }
  }

  #fetched(): Promise<Shelf> {
    this.#fetching ??= import("./model-part").then((part) => {
      const shelf = part.openShelf();
      this.part.value = part;
      this.shelf.value = shelf;
      return shelf;
    });
    this.#fetching.catch(() => {
      this.#fetching = null;
    });
    return this.#fetching;
  }
}

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
