// The token table: every token by rank, with only the rows in view in the document.

import { HAND_SOURCE } from "../../sources/catalogue";
import { type Bounds, boundsOf, NO_BOUNDS } from "./bounds";
import { contentOf, type TokensModel } from "./content";
import { arrange, createFrame, type TableFrame } from "./frame";
import { type RowActions, TokenRow } from "./row";

export type TokensActions = Omit<RowActions, "move">;

/** Rows kept ready above and below those in view. */
const SPARE = 3;
/** Rows in view at once, where there are as many. */
const MOST_ROWS = 12;

export class TokensView {
  readonly #frame: TableFrame;
  readonly #rows: TokenRow[] = [];
  readonly #actions: RowActions;
  #model: TokensModel | null = null;
  #order: Uint32Array = new Uint32Array(0);
  #edits: ReadonlyMap<number, number> = new Map();
  #bounds: Bounds = NO_BOUNDS;
  #held = false;
  #lastEdited: number | null = null;
  /** Sizes in pixels, read when they change: reading them while drawing would lay out the page twice. */
  #rowHeight = 1;
  #height = 0;
  #scrollTop = 0;

  constructor(container: HTMLElement, actions: TokensActions) {
    this.#frame = createFrame(container);
    this.#actions = {
      ...actions,
      typeLogit: (token, text, event) => {
        this.#lastEdited = token;
        return actions.typeLogit(token, text, event);
      },
      dragLogit: (token, logit, event) => {
        this.#lastEdited = token;
        actions.dragLogit(token, logit, event);
      },
      move: (index, field) => this.#move(index, field),
    };
    this.#listen();
    this.#measure();
    new ResizeObserver(() => this.#measure()).observe(this.#frame.scroller);
  }

  update(model: TokensModel): void {
    const old = this.#model;
    this.#model = model;
    const isOther = old?.picture.row.texts !== model.picture.row.texts;
    if (isOther) this.#scrollTo(0);
    if (isOther || old?.picture !== model.picture || old.found !== model.found) {
      this.#edits = new Map(model.picture.state.edits);
      this.#bounds = boundsOf(model.picture, this.#bounds, this.#held);
      if (isOther || old?.found !== model.found || !this.#isBusy()) this.#sort(model);
    }
    this.#fill();
  }

  #listen(): void {
    const { scroller } = this.#frame;
    const scrolled = () => {
      this.#scrollTop = scroller.scrollTop;
      this.#fill();
    };
    scroller.addEventListener("scroll", scrolled, { passive: true });
    scroller.addEventListener("pointerleave", () => this.#actions.highlight(null));
    scroller.addEventListener("pointerdown", () => {
      this.#held = true;
    });
    for (const type of ["pointerup", "pointercancel"]) {
      window.addEventListener(type, () => {
        if (this.#held) this.#settle();
        this.#held = false;
      });
    }
    scroller.addEventListener("focusout", ({ relatedTarget }) => {
      this.#actions.highlight(null);
      // From one field to the next nobody has left yet: the rows stay under the hand.
      if (!(relatedTarget instanceof HTMLInputElement && scroller.contains(relatedTarget))) this.#settle();
    });
  }

  /** The style sheet gives rows their height: more where the bar has a line of its own. */
  #measure(): void {
    const { scroller } = this.#frame;
    const height = Number.parseFloat(getComputedStyle(scroller).getPropertyValue("--row-height"));
    const isNew = height !== this.#rowHeight;
    this.#rowHeight = height;
    if (isNew && this.#model !== null) this.#sort(this.#model);
    this.#height = scroller.clientHeight;
    this.#scrollTop = scroller.scrollTop;
    this.#fill();
  }

  #scrollTo(top: number): void {
    this.#frame.scroller.scrollTop = top;
    this.#scrollTop = this.#frame.scroller.scrollTop;
  }

  /** While a bar is held or a field has the focus, rows stay where they are. */
  #isBusy(): boolean {
    const active = document.activeElement;
    return this.#held || (active instanceof HTMLInputElement && this.#frame.scroller.contains(active));
  }

  /** Once nobody holds a row, rows go where their ranks are; the one just edited stays in view. */
  #settle(): void {
    queueMicrotask(() => {
      if (this.#model === null || this.#isBusy()) return;
      const edited = this.#lastEdited;
      const place = () => (edited === null ? 0 : this.#order.indexOf(edited) * this.#rowHeight);
      const offset = place() - this.#scrollTop;
      this.#lastEdited = null;
      this.#sort(this.#model);
      if (edited !== null) this.#scrollTo(place() - offset);
      this.#fill();
    });
  }

  #sort({ picture, found }: TokensModel): void {
    const { table, scroller, sheet } = this.#frame;
    const { order } = picture.after;
    const { length } = this.#order;
    this.#order = found === null ? order : order.filter((token) => found[token] === 1);
    table.classList.toggle("written", picture.state.source === HAND_SOURCE);
    table.classList.toggle("read", picture.row.reader !== undefined);
    if (this.#order.length === length && sheet.style.height !== "") return;
    scroller.style.height = `${Math.min(MOST_ROWS, Math.max(1, this.#order.length)) * this.#rowHeight}px`;
    sheet.style.height = `${this.#order.length * this.#rowHeight}px`;
    table.setAttribute("aria-rowcount", String(this.#order.length + 1));
  }

  #fill(): void {
    const model = this.#model;
    if (model === null) return;
    const first = Math.max(0, Math.floor(this.#scrollTop / this.#rowHeight) - SPARE);
    const n = Math.ceil(this.#height / this.#rowHeight) + 2 * SPARE;
    const last = Math.min(this.#order.length, first + n);
    while (this.#rows.length < n) this.#rows.push(new TokenRow(this.#actions));
    const size = this.#rows.length;
    const shown: HTMLElement[] = [];
    for (let i = 0; i < size; i++) {
      const index = first + i;
      const row = this.#rows[index % size];
      if (row !== undefined) this.#place(row, index < last ? index : null, model, shown);
    }
    arrange(this.#frame.sheet, shown);
  }

  /** Fills a row for the place at `index`, or takes it away; a row that changes its token gives up the focus. */
  #place(row: TokenRow, index: number | null, model: TokensModel, shown: HTMLElement[]): void {
    const token = index === null ? undefined : this.#order[index];
    if (row.content?.token !== token && row.element.contains(document.activeElement)) {
      this.#frame.scroller.focus({ preventScroll: true });
    }
    if (index === null || token === undefined) {
      row.element.remove();
      return;
    }
    const content = contentOf(model, token, this.#edits, this.#bounds);
    row.show({ ...content, index, top: index * this.#rowHeight });
    shown.push(row.element);
  }

  #move(index: number, field: string): void {
    if (index < 0 || index >= this.#order.length) return;
    const top = index * this.#rowHeight;
    if (top < this.#scrollTop) this.#scrollTo(top);
    else if (top + this.#rowHeight > this.#scrollTop + this.#height) {
      this.#scrollTo(top + this.#rowHeight - this.#height);
    }
    this.#fill();
    this.#rows.find(({ content, element }) => content?.index === index && element.isConnected)?.focus(field);
  }
}
