// The page's store: one state, and what the engine says about it. Every change goes through `change`; picture,
// explanation and draws follow, the latest state winning. An error leaves the last good picture where it is.

import { batch, computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { cardOf } from "./chain/cards";
import { Drawing } from "./drawing";
import { type Edited, isSameRow, withAccepted } from "./edits";
import { type EngineClient, EngineError } from "./engine/client";
import { Latest } from "./engine/latest";
import type { PictureResult, Problem } from "./engine/protocol";
import { Explaining } from "./explaining";
import { FLAT_ROW } from "./flat-row";
import { merged, type Picture, subjectOf } from "./picture";
import { type OpenedRows, setupKey, setupOf } from "./setup";
import type { Row } from "./sources/row";
import { INITIAL_STATE, type State, settingOf } from "./state";
import { noteDrawn } from "./timing";
import { Trail } from "./trail";
import { Undoing } from "./undoing";

export type { Picture } from "./picture";

export interface Change {
  /** The event behind the change, from whose time latency is measured. */
  readonly event?: Event;
  /** Whether bars may glide: not while a handle is held. */
  readonly glide?: boolean;
  /** Changes of one gesture are undone together. */
  readonly gesture?: string;
}

/** The parts of a state that a row comes of. */
export type RowState = Pick<State, "source" | "hand" | "prompt" | "output">;

/** Opens the row that a source names. */
type OpenRow = (state: RowState) => Row | Promise<Row>;

interface Wanted {
  readonly state: State;
  readonly rows: OpenedRows;
  readonly inputAt: number | null;
  readonly glide: boolean;
}

export class Playground {
  readonly state: Signal<State>;
  readonly picture: Signal<Picture | null> = signal(null);
  /** The token under the pointer or the focus, anywhere on the page. */
  readonly highlight: Signal<number | null> = signal(null);
  /** The first token that the search has found. */
  readonly found: Signal<number | null> = signal(null);
  /** The token that is marked everywhere: the one pointed at, else the one found. */
  readonly pointed: ReadonlySignal<number | null> = computed(() => this.highlight.value ?? this.found.value);
  /** Whether the cut-off's handle is held: it is the cut-off that is looked at then, whatever lies under the pointer. */
  readonly handleHeld: Signal<boolean> = signal(false);
  /** The token that the page speaks of: the one pointed at, else the one drawn last, else the first that is cut. */
  readonly subject: ReadonlySignal<number | null> = computed(() => {
    const drawn = this.drawing.result.value?.last ?? null;
    return subjectOf(this.picture.value, this.handleHeld.value, this.pointed.value ?? drawn);
  });
  /** Whether the row on screen is the state's own: a model may still be reading. */
  readonly isCurrent: ReadonlySignal<boolean> = computed(() => {
    const picture = this.picture.value;
    return picture !== null && isSameRow(picture.state, this.state.value);
  });
  readonly problem: Signal<Problem | null> = signal(null);
  readonly notice: Signal<string | null> = signal(null);
  readonly drawing: Drawing;
  readonly explaining: Explaining;
  /** The picture that draws are made of, where it is the state's own. */
  readonly #drawable: ReadonlySignal<Picture | null> = computed(() =>
    this.isCurrent.value ? this.picture.value : null,
  );
  readonly #undoing = new Undoing();
  /** The states that undo can return to. */
  readonly undoable: ReadonlySignal<readonly Edited[]> = this.#undoing.states;
  readonly #client: EngineClient;
  readonly #openRow: OpenRow;
  readonly #pictures: Latest<Wanted>;
  readonly #trail = new Trail();
  #shownKey = "";
  #sentRow = "";
  #sentSecond = "";
  #opening = 0;

  constructor(client: EngineClient, openRow: OpenRow, state: State) {
    this.#client = client;
    this.#openRow = openRow;
    this.state = signal(state);
    this.#pictures = new Latest((wanted) => this.#askPicture(wanted));
    this.drawing = new Drawing(client, this.state, this.#drawable, (error) => this.#fail(error));
    this.explaining = new Explaining(client, this.picture, this.subject);
  }

  /** Asks for the first picture as soon as the engine can answer. */
  async start(): Promise<void> {
    try {
      await this.#client.ready;
      await this.#show(this.state.peek(), null, false);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** The one way to a new state. What changes tokens, logits, output or chain can be undone. */
  change(next: State, change: Change = {}): void {
    this.#undoing.keep(this.state.peek(), next, change.gesture ?? null);
    this.#apply(next, change);
  }

  endGesture(): void {
    this.#undoing.endGesture();
  }

  undo(event?: Event): void {
    const last = this.#undoing.take();
    if (last === undefined) return;
    this.#apply({ ...this.state.peek(), ...last }, { glide: true, ...(event && { event }) });
  }

  /** Replaces the whole state: another source, another address. What could be undone is forgotten. */
  replace(next: State): void {
    this.#undoing.forget();
    this.drawing.stop();
    this.#apply(next, {});
  }

  /** Accepts the token drawn last: it joins the output, and controllers learn from it. */
  async accept(event?: Event): Promise<void> {
    const { seed, stream, from, draws } = this.state.peek();
    this.drawing.stop();
    if (!this.isCurrent.peek()) return;
    try {
      const { token, controllers } = await this.#client.accept({ seed, stream, from, n: draws });
      const now = this.state.peek();
      // Whoever went on meanwhile has drawn something else.
      const isSame = now.seed === seed && now.stream === stream && now.from === from;
      if (!isSame || now.draws !== draws) return;
      this.change(withAccepted(now, token, controllers), { ...(event && { event }), glide: true });
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Picks a token without a draw: it joins the output. */
  take(token: number, event?: Event): void {
    if (!this.isCurrent.peek()) return;
    this.drawing.stop();
    const state = this.state.peek();
    this.change(withAccepted(state, token, state.controllers), { ...(event && { event }), glide: true });
  }

  /** Goes back to the first tokens of the output. */
  back(nOutput: number, event?: Event): void {
    this.drawing.stop();
    this.change(this.#trail.back(this.state.peek(), nOutput), { ...(event && { event }), glide: true });
  }

  /** Points at a token, or at none; while the handle is held, what lies under the pointer does not count. */
  point(token: number | null): void {
    if (!this.handleHeld.peek()) this.highlight.value = token;
  }

  /** The handle is taken hold of, or let go. */
  hold(isHeld: boolean): void {
    batch(() => {
      this.handleHeld.value = isHeld;
      if (isHeld) this.highlight.value = null;
    });
  }

  #apply(next: State, { event, glide = false }: Change): void {
    const state = this.state.peek();
    if (next === state) return;
    this.#trail.follow(state, next);
    this.state.value = next;
    void this.#show(next, event?.timeStamp ?? null, glide);
  }

  async #show(state: State, inputAt: number | null, glide: boolean): Promise<void> {
    const opening = ++this.#opening;
    try {
      const opened = this.#openRow(state);
      const row = opened instanceof Promise ? await opened : opened;
      const other = this.#openSecond(state);
      const second = other instanceof Promise ? await other : other;
      if (opening !== this.#opening) return;
      this.#pictures.request({ state, rows: { row, second }, inputAt, glide });
    } catch (error) {
      if (opening === this.#opening) this.#stay(error);
    }
  }

  /** The row that guidance moves away from, where one is needed that the worker does not make itself. */
  #openSecond(state: State): Row | null | Promise<Row> {
    const isNeeded = settingOf(state, cardOf("guidance")).on && state.second !== FLAT_ROW;
    return isNeeded ? this.#openRow({ ...state, source: state.second }) : null;
  }

  async #askPicture({ state, rows, inputAt, glide }: Wanted): Promise<void> {
    const { row, second } = rows;
    const setup = setupOf(state, rows, { row: this.#sentRow, second: this.#sentSecond });
    const key = setupKey(setup);
    try {
      const shown = this.picture.peek();
      if (shown !== null && key === this.#shownKey) this.picture.value = { ...shown, state, glide };
      else this.#merge(await this.#client.picture(setup), state, row, glide);
      this.#sentRow = row.key;
      if (second !== null) this.#sentSecond = second.key;
      this.#shownKey = key;
      this.problem.value = null;
      if (inputAt !== null) noteDrawn(inputAt);
    } catch (error) {
      this.#fail(error);
    }
  }

  #merge(result: PictureResult, state: State, row: Row, glide: boolean): void {
    batch(() => {
      this.picture.value = merged(result, this.picture.peek(), { state, row, glide });
      for (const token of [this.highlight, this.found])
        if ((token.peek() ?? 0) >= row.texts.size) token.value = null;
    });
  }

  /** A row that could not be opened: a source that has none leaves the page where it was. */
  #stay(error: unknown): void {
    const shown = this.picture.peek();
    const isCancelled = error instanceof Error && error.name === "AbortError";
    if (shown === null || (!isCancelled && shown.state.source === this.state.peek().source))
      this.#fail(error);
    else {
      if (!isCancelled) this.notice.value = messageOf(error);
      this.replace(shown.state);
    }
  }

  #fail(error: unknown): void {
    const message = messageOf(error);
    if (!(error instanceof EngineError)) this.notice.value = message;
    else if (this.picture.peek() !== null) this.problem.value = error.problem;
    else if (this.state.peek() === INITIAL_STATE) this.notice.value = message;
    else {
      this.notice.value = `This address asks for what the engine cannot do, so the page starts fresh. ${message}`;
      this.replace(INITIAL_STATE);
    }
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
