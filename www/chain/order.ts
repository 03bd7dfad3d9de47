// The order of the cards: the preset's own until somebody moves one, and what no order may be.

import type { State } from "../state";
import { settingOf } from "../state";
import { CARDS, type Card, cardOf } from "./cards";
import { presetOf } from "./presets";

const PLACES = new Map(CARDS.map((card, i) => [card.key, i]));

/**
 * All cards in the state's order. Those that it does not name stand before the first one that comes after them in
 * the engine's own order.
 */
export function arrangement({ order, preset }: State): readonly Card[] {
  const given = order.length > 0 ? order : presetOf(preset).order;
  if (given === null) return CARDS;
  const arranged = given.map(cardOf);
  for (const card of CARDS) {
    if (given.includes(card.key)) continue;
    const next = arranged.findIndex((other) => place(other) > place(card));
    arranged.splice(next < 0 ? arranged.length : next, 0, card);
  }
  return arranged;
}

const place = (card: Card) => PLACES.get(card.key) ?? 0;

/** The cards on the page, in order. */
export function shownCards(state: State): readonly Card[] {
  return arrangement(state).filter((card) => settingOf(state, card).shown);
}

/** Whether the engine runs these cards in this order by itself: its preset lists them, one after the other. */
export function isOwnOrder({ preset }: State, cards: readonly Card[]): boolean {
  const listed = presetOf(preset).order;
  const places = cards.map((card) => (listed === null ? place(card) : listed.indexOf(card.key)));
  return places.every((at, i) => at >= 0 && (i === 0 || (places[i - 1] ?? 0) <= at));
}

/** What a move comes to: another state, or the reason why it cannot be. */
export type Move = { readonly state: State } | { readonly refused: string };

/** The state with a card moved to a place (from 0) among those on the page. */
export function withMoved(state: State, card: Card, to: number): Move {
  const shown = shownCards(state);
  const others = shown.filter(({ key }) => key !== card.key);
  const at = Math.min(others.length, Math.max(0, to));
  const moved = [...others.slice(0, at), card, ...others.slice(at)];
  const refused = objection(moved, card);
  if (refused !== null) return { refused };
  const order = moved.map(({ key }) => key);
  const usual = shownCards({ ...state, order: [] }).map(({ key }) => key);
  return { state: { ...state, order: order.join() === usual.join() ? [] : order } };
}

/** Why cards cannot stand like this, when the one in question was moved; null where they can. */
function objection(cards: readonly Card[], moved: Card): string | null {
  const last = cards.findLastIndex(({ isTerminal }) => !isTerminal);
  const early = cards.slice(0, Math.max(0, last)).find(({ isTerminal }) => isTerminal);
  if (early === undefined) return null;
  return moved.isTerminal
    ? `${moved.title} chooses the token, so it stays last.`
    : `${early.title} chooses the token, so nothing comes after it.`;
}

/** Whether keys can be an order: known ones, none twice, and none after a stage that chooses the token. */
export function isOrder(keys: readonly string[]): boolean {
  const cards = keys.flatMap((key) => CARDS.find((card) => card.key === key) ?? []);
  const last = cards.findLastIndex(({ isTerminal }) => !isTerminal);
  const isLast = cards.every(({ isTerminal }, i) => !isTerminal || i > last);
  return cards.length === keys.length && new Set(keys).size === keys.length && isLast;
}
