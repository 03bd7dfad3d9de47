// The page's store: one state, and what the engine says about it. Every change goes through `change`; picture,
// explanation and draws follow, the latest state winning. An error leaves the last good picture where it is.

import { batch, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { chainOptions, upstreamOptions } from "./chain/options";
import { Drawing } from "./drawing";
import { type Edited, editedOf } from "./edits";
import { type EngineClient, EngineError } from "./engine/client";
import { Latest } from "./engine/latest";
import { firstCut } from "./engine/picture";
import type { After, Before, Explanation, PictureResult, Problem, Setup, Upstream } from "./engine/protocol";
import type { Row } from "./sources/row";
import { INITIAL_STATE, type State } from "./state";
import { noteDrawn } from "./timing";

/** All that is drawn: the engine's answers, with the row and the state that they answer. */
export interface Picture {
  readonly state: State;
  readonly row: Row;
  readonly before: Before;
  readonly upstream: Upstream;
  readonly after: After;
  /** Whether bars may glide to their new height. */
  readonly glide: boolean;
}

export interface Change {
  /** The event behind the change, from whose time latency is measured. */
  readonly event?: Event;
  /** Whether bars may glide: not while a handle is held. */
  readonly glide?: boolean;
  /** Edits of one gesture are undone together. */
  readonly gesture?: string;
}

interface Wanted {
  readonly state: State;
  readonly row: Row;
  readonly inputAt: number | null;
  readonly glide: boolean;
}

export class Playground {
  readonly state: Signal<State>;
  readonly picture: Signal<Picture | null> = signal(null);
  readonly explanation: Signal<Explanation | null> = signal(null);
  /** The token under the pointer or the focus, anywhere on the page. */
  readonly highlight: Signal<number | null> = signal(null);
  readonly problem: Signal<Problem | null> = signal(null);
  readonly notice: Signal<string | null> = signal(null);
  readonly drawing: Drawing;
  readonly #undoable: Signal<readonly Edited[]> = signal([]);
  readonly #client: EngineClient;
  readonly #openRow: (state: State) => Row | Promise<Row>;
  readonly #pictures: Latest<Wanted>;
  readonly #explanations: Latest<number>;
  #gesture: string | null = null;
  #shownKey = "";
  #sentRow = "";
  #opening = 0;

  constructor(client: EngineClient, openRow: (state: State) => Row | Promise<Row>, state: State) {
    this.#client = client;
    this.#openRow = openRow;
    this.state = signal(state);
    this.#pictures = new Latest((wanted) => this.#askPicture(wanted));
    this.#explanations = new Latest((token) => this.#askExplanation(token));
    this.drawing = new Drawing(client, this.state, this.picture, (error) => this.#fail(error));
    effect(() => this.#explain(this.highlight.value));
  }

  /** The states that undo can return to. */
  get undoable(): ReadonlySignal<readonly Edited[]> {
    return this.#undoable;
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

  change(next: State, { event, glide = false }: Change = {}): void {
    if (next === this.state.peek()) return;
    this.state.value = next;
    void this.#show(next, event?.timeStamp ?? null, glide);
  }

  /** A change of logits or tokens that can be undone. */
  edit(next: State, change: Change = {}): void {
    const gesture = change.gesture ?? null;
    if (gesture === null || gesture !== this.#gesture) {
      this.#undoable.value = [...this.#undoable.peek(), editedOf(this.state.peek())];
    }
    this.#gesture = gesture;
    this.change(next, change);
  }

  endGesture(): void {
    this.#gesture = null;
  }

  undo(event?: Event): void {
    const last = this.#undoable.peek().at(-1);
    if (last === undefined) return;
    this.#gesture = null;
    this.#undoable.value = this.#undoable.peek().slice(0, -1);
    this.change({ ...this.state.peek(), ...last }, { glide: true, ...(event && { event }) });
  }

  /** Replaces the whole state: another source, another address. What could be undone is forgotten. */
  replace(next: State): void {
    this.#undoable.value = [];
    this.#gesture = null;
    this.drawing.stop();
    this.change(next);
  }

  async #show(state: State, inputAt: number | null, glide: boolean): Promise<void> {
    const opening = ++this.#opening;
    try {
      const opened = this.#openRow(state);
      const row = opened instanceof Promise ? await opened : opened;
      if (opening === this.#opening) this.#pictures.request({ state, row, inputAt, glide });
    } catch (error) {
      if (opening === this.#opening) this.#fail(error);
    }
  }

  async #askPicture({ state, row, inputAt, glide }: Wanted): Promise<void> {
    const setup = setupOf(state, row, row.key === this.#sentRow);
    const key = keyOf(setup);
    try {
      const shown = this.picture.peek();
      if (shown !== null && key === this.#shownKey) this.picture.value = { ...shown, state, glide };
      else this.#merge(await this.#client.picture(setup, this.highlight.peek()), state, row, glide);
      this.#sentRow = row.key;
      this.#shownKey = key;
      this.problem.value = null;
      if (inputAt !== null) noteDrawn(inputAt);
    } catch (error) {
      this.#fail(error);
    }
  }

  #merge(result: PictureResult, state: State, row: Row, glide: boolean): void {
    const shown = this.picture.peek();
    const before = result.before ?? shown?.before;
    const upstream = result.upstream ?? shown?.upstream;
    if (before === undefined || upstream === undefined) throw new Error("The first picture was not whole.");
    batch(() => {
      this.picture.value = { state, row, before, upstream, after: result.after, glide };
      this.explanation.value = result.explanation;
      if ((this.highlight.peek() ?? 0) >= row.texts.size) this.highlight.value = null;
    });
  }

  /** Asks why a token is in or out once it is pointed at; a new picture brings its own explanation. */
  #explain(highlight: number | null): void {
    const picture = this.picture.peek();
    if (picture === null) return;
    const token = highlight ?? firstCut(picture.after) ?? picture.after.order[0];
    if (token !== undefined && token !== this.explanation.peek()?.token) this.#explanations.request(token);
  }

  async #askExplanation(token: number): Promise<void> {
    try {
      this.explanation.value = await this.#client.explain(token);
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (!(error instanceof EngineError)) this.notice.value = message;
    else if (this.picture.peek() !== null) this.problem.value = error.problem;
    else if (this.state.peek() === INITIAL_STATE) this.notice.value = message;
    else {
      this.notice.value = `This address asks for what the engine cannot do, so the page starts fresh. ${message}`;
      this.replace(INITIAL_STATE);
    }
  }
}

function setupOf(state: State, row: Row, isKnown: boolean): Setup {
  return {
    rowKey: row.key,
    logits: isKnown ? null : row.logits,
    edits: state.edits,
    prompt: row.promptTokens,
    output: state.output,
    chain: chainOptions(state),
    upstream: upstreamOptions(state),
  };
}

/** Equal for setups that give equal pictures. Minus infinity, which JSON has not, is written out. */
function keyOf({ logits, ...setup }: Setup): string {
  return JSON.stringify(setup, (_, value) => (value === -Infinity ? "-inf" : value));
}
