// The token table: every token by rank, with only the rows in view in the document.

import { NO_RANK } from "../../engine/protocol";
import { logitOf } from "../../edits";
import { formatCount, formatPercent } from "../../format";
import type { Picture } from "../../playground";
import { fateOf } from "../../sentences";
import { HAND_SOURCE } from "../../sources/catalogue";
import { type RowActions, type RowContent, TokenRow } from "./row";

export interface TokensModel {
  readonly picture: Picture;
  readonly highlight: number | null;
  readonly drawn: number | null;
  /** The tokens that the search found, by token id; null shows all. */
  readonly found: Uint8Array | null;
}

interface Bounds {
  readonly key: string;
  readonly low: number;
  readonly high: number;
}

export type TokensActions = Omit<RowActions, "move">;

export const ROW_HEIGHT = 34;
/** Rows kept ready above and below those in view. */
const SPARE = 3;
/** Room to the right of the highest logit, so that every bar can grow. */
const ROOM = 6;
/** Bars show at most this much of the range of logits; lower ones, far from ever being drawn, are empty. */
const SPAN = 26;

export class TokensView {
  readonly #scroller: HTMLElement;
  readonly #sheet = document.createElement("div");
  readonly #rows: TokenRow[] = [];
  readonly #actions: RowActions;
  #model: TokensModel | null = null;
  #order: Uint32Array = new Uint32Array(0);
  #edits = new Map<number, number>();
  #bounds: Bounds = { key: "", low: 0, high: 1 };
  #held = false;
  #lastEdited: number | null = null;

  /** `scroller` is the element that scrolls; the table's header is outside it. */
  constructor(scroller: HTMLElement, actions: TokensActions) {
    this.#scroller = scroller;
    this.#sheet.className = "sheet";
    this.#sheet.setAttribute("role", "presentation");
    scroller.append(this.#sheet);
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
    scroller.addEventListener("scroll", () => this.#fill(), { passive: true });
    scroller.addEventListener("pointerleave", () => actions.highlight(null));
    scroller.addEventListener("pointerdown", () => {
      this.#held = true;
    });
    for (const type of ["pointerup", "pointercancel"]) {
      window.addEventListener(type, () => {
        this.#held = false;
        this.#settle();
      });
    }
    scroller.addEventListener("focusout", () => {
      actions.highlight(null);
      this.#settle();
    });
    new ResizeObserver(() => this.#fill()).observe(scroller);
  }

  update(model: TokensModel): void {
    const old = this.#model;
    this.#model = model;
    const isOther = old?.picture.row.texts !== model.picture.row.texts;
    if (isOther) this.#scroller.scrollTop = 0;
    if (isOther || old?.picture !== model.picture || old.found !== model.found) {
      this.#edits = new Map(model.picture.state.edits);
      this.#bounds = boundsOf(model.picture, this.#bounds, this.#held);
      if (isOther || old?.found !== model.found || !this.#isBusy()) this.#sort(model);
    }
    this.#fill();
  }

  /** Brings a token into view. */
  reveal(token: number): void {
    const index = this.#order.indexOf(token);
    if (index >= 0) this.#scroller.scrollTop = (index - 1) * ROW_HEIGHT;
  }

  /** While a bar is held or a field has the focus, rows stay where they are. */
  #isBusy(): boolean {
    const active = document.activeElement;
    return this.#held || (active instanceof HTMLInputElement && this.#scroller.contains(active));
  }

  /** Once nobody holds a row, rows go where their ranks are; the one just edited stays in view. */
  #settle(): void {
    queueMicrotask(() => {
      if (this.#model === null || this.#isBusy()) return;
      const edited = this.#lastEdited;
      const offset = edited === null ? 0 : this.#order.indexOf(edited) * ROW_HEIGHT - this.#scroller.scrollTop;
      this.#lastEdited = null;
      this.#sort(this.#model);
      if (edited !== null) this.#scroller.scrollTop = this.#order.indexOf(edited) * ROW_HEIGHT - offset;
      this.#fill();
    });
  }

  #sort({ picture, found }: TokensModel): void {
    const { order } = picture.after;
    this.#order = found === null ? order : order.filter((token) => found[token] === 1);
    this.#sheet.style.height = `${this.#order.length * ROW_HEIGHT}px`;
    this.#scroller.parentElement?.setAttribute("aria-rowcount", String(this.#order.length + 1));
  }

  #fill(): void {
    const model = this.#model;
    if (model === null) return;
    const first = Math.max(0, Math.floor(this.#scroller.scrollTop / ROW_HEIGHT) - SPARE);
    const n = Math.ceil(this.#scroller.clientHeight / ROW_HEIGHT) + 2 * SPARE;
    const last = Math.min(this.#order.length, first + n);
    while (this.#rows.length < n) this.#rows.push(new TokenRow(this.#actions));
    for (let i = 0; i < this.#rows.length; i++) {
      const row = this.#rows[i];
      const index = first + ((((i - first) % this.#rows.length) + this.#rows.length) % this.#rows.length);
      if (row === undefined) continue;
      if (index < last) {
        this.#release(row, index);
        row.show(this.#content(model, index));
        if (row.element.parentElement === null) this.#sheet.append(row.element);
      } else if (row.element.parentElement !== null) {
        this.#release(row, -1);
        row.element.remove();
      }
    }
    this.#arrange();
  }

  /** Puts the rows into the document in the order on screen, so that Tab goes down; the focused one is not moved. */
  #arrange(): void {
    const inOrder = this.#rows
      .filter(({ element }) => element.parentElement !== null)
      .sort((a, b) => (a.content?.index ?? 0) - (b.content?.index ?? 0))
      .map(({ element }) => element);
    if (inOrder.every((element, i) => this.#sheet.children[i] === element)) return;
    const focused = inOrder.find((element) => element.contains(document.activeElement));
    let isBefore = focused !== undefined;
    for (const element of inOrder) {
      if (element === focused) isBefore = false;
      else if (isBefore) focused?.before(element);
      else this.#sheet.append(element);
    }
  }

  /** A row that is about to show another token gives up the focus first. */
  #release(row: TokenRow, index: number): void {
    const changes = index < 0 || row.content?.token !== this.#order[index];
    if (changes && row.element.contains(document.activeElement)) this.#scroller.focus({ preventScroll: true });
  }

  #content({ picture, highlight, drawn }: TokensModel, index: number): RowContent {
    const { after, before, row, state } = picture;
    const token = this.#order[index] ?? 0;
    const rank = after.rank[token] ?? NO_RANK;
    const fate = fateOf(picture, token);
    const written = state.source === HAND_SOURCE;
    const recorded = row.logits[token] ?? 0;
    return {
      index,
      token,
      text: row.texts.text(token),
      rank: rank === NO_RANK ? "–" : formatCount(rank + 1),
      logit: written ? logitOf(state, token, recorded) : (this.#edits.get(token) ?? recorded),
      raw: formatPercent(before.probs[token] ?? 0),
      final: fate ?? formatPercent(after.probs[token] ?? 0),
      kept: fate === null,
      edited: this.#edits.has(token),
      highlighted: token === highlight,
      drawn: token === drawn,
      low: this.#bounds.low,
      high: this.#bounds.high,
      written,
      top: index * ROW_HEIGHT,
    };
  }

  #move(index: number, field: string): void {
    if (index < 0 || index >= this.#order.length) return;
    const top = index * ROW_HEIGHT;
    const { scrollTop, clientHeight } = this.#scroller;
    if (top < scrollTop) this.#scroller.scrollTop = top;
    else if (top + ROW_HEIGHT > scrollTop + clientHeight) this.#scroller.scrollTop = top + ROW_HEIGHT - clientHeight;
    this.#fill();
    this.#rows.find(({ content, element }) => content?.index === index && element.isConnected)?.focus(field);
  }
}

/** The logits at the ends of the bars: the row's own range with room to grow; still while a bar is held. */
function boundsOf({ row, state }: Picture, old: Bounds, held: boolean): Bounds {
  const hand = state.source === HAND_SOURCE;
  const key = hand ? JSON.stringify(state.hand) : row.key;
  if (old.key === key || (held && old.key !== "")) return old;
  let low = Infinity;
  let high = -Infinity;
  for (const logit of row.logits) {
    if (Number.isFinite(logit) && logit < low) low = logit;
    if (logit > high) high = logit;
  }
  if (!Number.isFinite(high)) [low, high] = [0, 1];
  const end = Math.ceil(high) + ROOM;
  return { key, low: Math.max(end - SPAN, Math.floor(low) - ROOM), high: end };
}
