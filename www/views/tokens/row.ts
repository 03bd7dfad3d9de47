// One row of the token table: made once, then filled with whatever token scrolls into its place.

import { writeToken } from "../token-text";

export interface RowContent {
  readonly index: number;
  readonly token: number;
  readonly text: string;
  readonly rank: string;
  readonly logit: number;
  readonly raw: string;
  readonly final: string;
  readonly kept: boolean;
  readonly edited: boolean;
  readonly highlighted: boolean;
  readonly drawn: boolean;
  /** The logits at the two ends of the bar. */
  readonly low: number;
  readonly high: number;
  /** Whether text can be changed and the token removed. */
  readonly written: boolean;
  /** Whether the token can be picked, to join a model's text. */
  readonly takes: boolean;
  readonly top: number;
}

export interface RowActions {
  /** The typed text of a logit; returns what was read, or null where it is none and the old one comes back. */
  typeLogit(token: number, text: string, event: Event): number | null;
  dragLogit(token: number, logit: number, event: Event): void;
  endDrag(): void;
  typeText(token: number, text: string, event: Event): void;
  remove(token: number, event: Event): void;
  /** Picks the token: it joins the text. */
  take(token: number, event: Event): void;
  highlight(token: number | null): void;
  /** Moves the focus to the same field of a row nearby. */
  move(index: number, field: string): void;
}

function cell(row: HTMLElement, name: string): HTMLElement {
  const element = document.createElement("div");
  element.className = `cell cell-${name}`;
  element.setAttribute("role", "cell");
  row.append(element);
  return element;
}

export class TokenRow {
  readonly element = document.createElement("div");
  readonly #rank = cell(this.element, "rank");
  readonly #token = cell(this.element, "token");
  readonly #id = cell(this.element, "id");
  readonly #logit = document.createElement("input");
  readonly #fill = document.createElement("span");
  readonly #range = document.createElement("input");
  readonly #raw: HTMLElement;
  readonly #final: HTMLElement;
  readonly #text = document.createElement("input");
  readonly #remove = document.createElement("button");
  readonly #take = document.createElement("button");
  readonly #actions: RowActions;
  /** Whether the logit's field holds text that nobody has entered yet. */
  #typing = false;
  content: RowContent | null = null;

  constructor(actions: RowActions) {
    this.#actions = actions;
    this.element.setAttribute("role", "row");
    this.#logit.inputMode = "decimal";
    this.#logit.autocomplete = "off";
    this.#logit.className = "logit-field";
    this.#logit.dataset.field = "logit";
    cell(this.element, "logit").append(this.#logit);
    const track = document.createElement("span");
    track.className = "bar-track";
    this.#fill.className = "bar-fill";
    track.append(this.#fill);
    this.#range.type = "range";
    this.#range.step = "0.01";
    this.#range.className = "bar-range";
    this.#range.dataset.field = "bar";
    cell(this.element, "bar").append(track, this.#range);
    this.#raw = cell(this.element, "raw");
    this.#final = cell(this.element, "final");
    this.#text.className = "text-field";
    this.#text.dataset.field = "text";
    this.#text.autocomplete = "off";
    this.#remove.type = "button";
    this.#remove.textContent = "×";
    this.#remove.className = "remove";
    this.#take.type = "button";
    this.#take.textContent = "+";
    this.#take.className = "take";
    this.#listen();
  }

  show(content: RowContent): void {
    const old = this.content;
    this.content = content;
    const { element } = this;
    if (old?.top !== content.top) element.style.transform = `translateY(${content.top}px)`;
    if (old?.index !== content.index) element.setAttribute("aria-rowindex", String(content.index + 2));
    const names = ["row", content.kept ? "kept" : "cut"];
    if (content.highlighted) names.push("highlighted");
    if (content.edited) names.push("edited");
    if (content.drawn) names.push("drawn");
    const className = names.join(" ");
    if (element.className !== className) element.className = className;
    if (!isNamedAlike(old, content)) this.#name(content);
    if (old?.rank !== content.rank) this.#rank.textContent = content.rank;
    if (old?.raw !== content.raw) this.#raw.textContent = content.raw;
    if (old?.final !== content.final) this.#final.textContent = content.final;
    const { logit, low, high } = content;
    if (old?.logit !== logit || old.low !== low || old.high !== high) this.#showLogit(content);
  }

  focus(field: string): void {
    this.element.querySelector<HTMLElement>(`[data-field="${field}"]`)?.focus();
  }

  #name({ token, text, written, takes }: RowContent): void {
    const name = text === "" ? `token ${token}` : text;
    this.#id.textContent = String(token);
    this.#logit.setAttribute("aria-label", `logit of ${name}`);
    this.#range.setAttribute("aria-label", `logit of ${name}, as a bar`);
    if (!written) {
      writeToken(this.#token, text);
      this.#take.setAttribute("aria-label", `add ${name} to the text`);
      if (takes) this.#token.append(this.#take);
      return;
    }
    this.#text.setAttribute("aria-label", `text of token ${token}`);
    this.#remove.setAttribute("aria-label", `remove ${name}`);
    if (document.activeElement !== this.#text) this.#text.value = text;
    if (this.#text.parentElement !== this.#token) this.#token.replaceChildren(this.#text, this.#remove);
  }

  /** A field that is being typed into keeps its text until it is entered or left. */
  #showLogit({ logit, low, high }: RowContent): void {
    const text = logit === -Infinity ? "-∞" : String(Number(logit.toFixed(3)));
    if (!this.#typing) this.#logit.value = text;
    const inside = Math.min(high, Math.max(low, logit));
    this.#range.min = String(low);
    this.#range.max = String(high);
    if (Number(this.#range.value) !== inside) this.#range.value = String(inside);
    this.#range.setAttribute("aria-valuetext", text);
    this.#fill.style.transform = `scaleX(${((inside - low) / (high - low)).toFixed(4)})`;
  }

  #listen(): void {
    const { element } = this;
    const token = () => this.content?.token ?? 0;
    element.addEventListener("pointerenter", () => this.#actions.highlight(token()));
    element.addEventListener("focusin", () => this.#actions.highlight(token()));
    this.#logit.addEventListener("input", () => {
      this.#typing = true;
    });
    for (const type of ["change", "blur"]) this.#logit.addEventListener(type, (event) => this.#enter(event));
    this.#range.addEventListener("input", (event) =>
      this.#actions.dragLogit(token(), Number(this.#range.value), event),
    );
    this.#range.addEventListener("change", () => this.#actions.endDrag());
    this.#text.addEventListener("change", (event) =>
      this.#actions.typeText(token(), this.#text.value, event),
    );
    this.#remove.addEventListener("click", (event) => this.#actions.remove(token(), event));
    this.#take.addEventListener("click", (event) => this.#actions.take(token(), event));
    element.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Takes what was typed. The row says it at once: the picture that answers comes later. */
  #enter(event: Event): void {
    if (!this.#typing || this.content === null) return;
    this.#typing = false;
    const read = this.#actions.typeLogit(this.content.token, this.#logit.value, event);
    if (read !== null) this.content = { ...this.content, logit: read };
    this.#showLogit(this.content);
  }

  #key(event: KeyboardEvent): void {
    const field = event.target instanceof HTMLElement ? (event.target.dataset.field ?? "") : "";
    const index = this.content?.index ?? 0;
    const isText = field === "logit" || field === "text";
    if (isText && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      this.#actions.move(index + (event.key === "ArrowDown" ? 1 : -1), field);
    } else if (field === "logit" && (event.key === "Enter" || event.key === "Escape")) {
      if (event.key === "Escape") this.#typing = false;
      this.#enter(event);
      if (this.content !== null) this.#showLogit(this.content);
    }
  }
}

/** Whether two contents have the same in the token's cell. */
function isNamedAlike(old: RowContent | null, { token, text, written, takes }: RowContent): boolean {
  return old?.token === token && old.text === text && old.written === written && old.takes === takes;
}
