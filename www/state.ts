// Everything a person can set, as one serialisable value; the address carries it, every picture follows from it.

import { CARDS, type Card } from "./chain/cards";

/** What one card is set to; a card uses the fields that its kind needs. */
export interface Setting {
  readonly on: boolean;
  /** Whether the card is on the page. */
  readonly shown: boolean;
  readonly value: number;
  /** Tokens, each with its number (0 where the stage needs none). */
  readonly entries: readonly TokenValue[];
}

export type TokenValue = readonly [token: number, value: number];

/** A token of a row written by hand. */
export interface HandToken {
  readonly text: string;
  readonly logit: number;
}

export interface State {
  /** The id of the source of logits. */
  readonly source: string;
  /** The tokens of the row written by hand. */
  readonly hand: readonly HandToken[];
  /** Logits changed by hand in any other source. */
  readonly edits: readonly TokenValue[];
  /** Tokens that count as output already; the prompt comes with the source. */
  readonly output: readonly number[];
  readonly chain: Readonly<Record<string, Setting>>;
  /** An integer in [0, 2^64 - 1], as digits. */
  readonly seed: string;
  /** How many tokens have been drawn. */
  readonly draws: number;
  readonly rankScale: "log" | "linear";
  readonly probScale: "linear" | "log";
}

export const MAX_DRAWS = 1_000_000;
/** Tokens that a row written by hand may have, so that an address can hold them. */
export const MAX_HAND_TOKENS = 200;
export const MAX_SEED = 2n ** 64n - 1n;

/** A card's setting before anybody touches it. */
export function initialSetting(card: Card): Setting {
  const isNumber = card.kind === "number";
  return { on: isNumber && card.on, shown: card.shown, value: isNumber ? card.initial : 0, entries: [] };
}

export const INITIAL_STATE: State = {
  source: "once",
  hand: [
    { text: "girl", logit: 4 },
    { text: "town", logit: 3.5 },
    { text: "village", logit: 1.5 },
    { text: "island", logit: 1.4 },
    { text: "boy", logit: 1.3 },
    { text: "fish", logit: 1 },
    { text: "teapot", logit: -2 },
  ],
  edits: [],
  output: [],
  chain: Object.fromEntries(CARDS.map((card) => [card.key, initialSetting(card)])),
  seed: "42",
  draws: 0,
  rankScale: "log",
  probScale: "linear",
};

/** A card's setting in a state. */
export function settingOf(state: State, card: Card): Setting {
  return state.chain[card.key] ?? initialSetting(card);
}

/** The state with one card's setting changed. */
export function withSetting(state: State, card: Card, change: Partial<Setting>): State {
  return { ...state, chain: { ...state.chain, [card.key]: { ...settingOf(state, card), ...change } } };
}
