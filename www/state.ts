// Everything a person can set, as one serialisable value; the address carries it, every picture follows from it.

import { CARDS, type Settable, WHOLE } from "./chain/cards";
import type { PresetKey } from "./chain/presets";
import { FLAT_ROW } from "./flat-row";

/** What one card is set to; a card uses the fields that its stage needs. */
export interface Setting {
  readonly on: boolean;
  /** Whether the card is on the page. */
  readonly shown: boolean;
  /** The stage's numbers, in the card's order. */
  readonly numbers: readonly number[];
  /** Tokens, each with its number (0 where the stage needs none). */
  readonly entries: readonly TokenValue[];
  /** Sequences of tokens. */
  readonly sequences: readonly (readonly number[])[];
}

export type TokenValue = readonly [token: number, value: number];

/** A token of a row written by hand. */
export interface HandToken {
  readonly text: string;
  readonly logit: number;
}

/** What accepted draws have moved: mirostat, adaptive-p and the guard's breaker, each null before the first one. */
export interface Controllers {
  /** In bits. */
  readonly mu: number | null;
  /** The weighted sum of the accepted draws' probabilities, and the sum of the weights. */
  readonly adaptiveP: readonly [sum: number, weight: number] | null;
  /** The guard's breaker. */
  readonly breaker: BreakerState | null;
}

/** What a guard's breaker remembers, in positions of the stream. */
export interface BreakerState {
  readonly trips: number;
  /** The first position at which it is closed again. */
  readonly openUntil: number;
  /** Trips that still count towards opening it, ascending. */
  readonly recent: readonly number[];
}

export const NO_CONTROLLERS: Controllers = { mu: null, adaptiveP: null, breaker: null };

export interface State {
  /** The id of the source of logits. */
  readonly source: string;
  /** The tokens of the row written by hand. */
  readonly hand: readonly HandToken[];
  /** Logits changed by hand in any other source. */
  readonly edits: readonly TokenValue[];
  /** The text that a model reads, where a model is the source. */
  readonly prompt: string;
  /** Tokens that count as output already; the prompt comes with the source. A model reads them after its prompt. */
  readonly output: readonly number[];
  readonly chain: Readonly<Record<string, Setting>>;
  readonly preset: PresetKey;
  /** The cards' keys in the order that a person gave them; empty for the preset's own. */
  readonly order: readonly string[];
  /** Where guidance's second row comes from: FLAT_ROW, or the id of a source. */
  readonly second: string;
  /** Whether XTC is shown as it is when its coin falls, or when it does not. */
  readonly coin: boolean;
  readonly controllers: Controllers;
  /** An integer in [0, 2^64 - 1], as digits. */
  readonly seed: string;
  /** The stream of the seed that is drawn from, an integer below 2^32. */
  readonly stream: number;
  /** Words of the seed's stream that draws used up before they were accepted. */
  readonly from: number;
  /** How many tokens have been drawn since. */
  readonly draws: number;
  readonly rankScale: "log" | "linear";
  readonly probScale: "linear" | "log";
}

export const MAX_DRAWS = 1_000_000;
/** The furthest place in a stream that an address may name. */
export const MAX_FROM = Number.MAX_SAFE_INTEGER - MAX_DRAWS;
/** Tokens that a row written by hand may have, so that an address can hold them. */
export const MAX_HAND_TOKENS = 200;
export const MAX_SEED = 2n ** 64n - 1n;
export const MAX_STREAM = 2 ** 32 - 1;

/** A card's setting before anybody touches it. */
export function initialSetting({ on, shown, numbers }: Settable): Setting {
  return { on, shown, numbers: numbers.map(({ initial }) => initial), entries: [], sequences: [] };
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
  prompt: "Once upon a time",
  output: [],
  chain: Object.fromEntries([...CARDS, ...WHOLE].map((card) => [card.key, initialSetting(card)])),
  preset: "nucleus",
  order: [],
  second: FLAT_ROW,
  coin: true,
  controllers: NO_CONTROLLERS,
  seed: "42",
  stream: 0,
  from: 0,
  draws: 0,
  rankScale: "log",
  probScale: "linear",
};

/** A card's setting in a state. */
export function settingOf(state: State, card: Settable): Setting {
  return state.chain[card.key] ?? initialSetting(card);
}

/** One of a setting's numbers, as the card counts them. */
export function numberOf({ numbers }: Setting, card: Settable, i: number): number {
  return numbers[i] ?? card.numbers[i]?.initial ?? 0;
}

/** The state with one card's setting changed. */
export function withSetting(state: State, card: Settable, change: Partial<Setting>): State {
  return { ...state, chain: { ...state.chain, [card.key]: { ...settingOf(state, card), ...change } } };
}

/** The state with one of a card's numbers changed. */
export function withNumber(state: State, card: Settable, i: number, value: number): State {
  const setting = settingOf(state, card);
  const numbers = card.numbers.map((_, at) => (at === i ? value : numberOf(setting, card, at)));
  return withSetting(state, card, { numbers });
}
