// State to the address's fragment and back. One table drives it: a row says which part of the state it carries.

import { CARDS, type Settable, WHOLE } from "./chain/cards";
import { isOrder } from "./chain/order";
import { PRESETS } from "./chain/presets";
import {
  type Codec,
  digits,
  handTokens,
  integers,
  oneOf,
  plainText,
  readNumber,
  tokenValues,
  whole,
  wholes,
  writeNumber,
} from "./codecs";
import { FLAT_ROW } from "./flat-row";
import { setting } from "./setting-codec";
import { HAND_SOURCE, isModelSource, SOURCE_IDS } from "./sources/catalogue";
import {
  type Controllers,
  INITIAL_STATE,
  MAX_DRAWS,
  MAX_FROM,
  MAX_STREAM,
  type State,
  settingOf,
  withSetting,
} from "./state";

/** Raised when old addresses can no longer be read as they were meant. */
export const VERSION = "1";
/** Longer addresses are cut by mail programs and chats. */
export const MAX_LENGTH = 8000;

interface Field {
  readonly name: string;
  write(state: State): string;
  /** The state with this field read, or null where the text cannot be read. */
  read(state: State, text: string): State | null;
}

function field<K extends keyof State>(name: string, key: K, codec: Codec<State[K]>): Field {
  return {
    name,
    write: (state) => codec.write(state[key]),
    read(state, text) {
      const value = codec.read(text);
      return value === null ? null : { ...state, [key]: value };
    },
  };
}

function cardField(card: Settable): Field {
  const codec = setting(card);
  return {
    name: card.key,
    write: (state) => codec.write(settingOf(state, card)),
    read(state, text) {
      const value = codec.read(text);
      return value === null ? null : withSetting(state, card, value);
    },
  };
}

/** Keys of cards in order. */
const cardOrder: Codec<readonly string[]> = {
  write: (keys) => keys.join(","),
  read: (text) => (isOrder(text.split(",")) ? text.split(",") : null),
};

/** Mirostat's mu, or nothing. */
const mu: Codec<Controllers["mu"]> = {
  write: (value) => (value === null ? "" : writeNumber(value)),
  read: (text) => {
    const value = readNumber(text);
    return value === null || !Number.isFinite(value) ? null : value;
  },
};

/** Adaptive-p's sum and weight, or nothing. */
const sumAndWeight: Codec<Controllers["adaptiveP"]> = {
  write: (pair) => (pair === null ? "" : pair.map(writeNumber).join(",")),
  read: (text) => {
    const [sum, weight, ...more] = text.split(",").map(readNumber);
    if (typeof sum !== "number" || typeof weight !== "number" || more.length > 0) return null;
    return weight >= 1 && sum >= 0 && sum <= weight ? [sum, weight] : null;
  },
};

/** What a guard's breaker remembers, or nothing: trips, the end of its opening, the trips that still count. */
const breaker: Codec<Controllers["breaker"]> = {
  write: (state) => (state === null ? "" : wholes.write([state.trips, state.openUntil, ...state.recent])),
  read: (text) => {
    const [trips, openUntil, ...recent] = wholes.read(text) ?? [];
    if (trips === undefined || openUntil === undefined) return null;
    const isAscending = recent.every((at, i) => i === 0 || (recent[i - 1] ?? 0) <= at);
    return isAscending ? { trips, openUntil, recent } : null;
  },
};

function controllerField<K extends keyof Controllers>(
  name: string,
  key: K,
  codec: Codec<Controllers[K]>,
): Field {
  return {
    name,
    write: ({ controllers }) => codec.write(controllers[key]),
    read(state, text) {
      const value = codec.read(text);
      return value === null ? null : { ...state, controllers: { ...state.controllers, [key]: value } };
    },
  };
}

const COINS: Codec<boolean> = {
  write: (falls) => (falls ? "falls" : "stays"),
  read: (text) => (text === "falls" ? true : text === "stays" ? false : null),
};
const SECOND_ROWS = [FLAT_ROW, ...SOURCE_IDS.filter((id) => id !== HAND_SOURCE && !isModelSource(id))];

const FIELDS: readonly Field[] = [
  field("source", "source", oneOf(SOURCE_IDS)),
  field("tokens", "hand", handTokens),
  field("edits", "edits", tokenValues),
  field("prompt", "prompt", plainText),
  field("output", "output", integers),
  field("preset", "preset", oneOf(PRESETS.map(({ key }) => key))),
  ...[...CARDS, ...WHOLE].map(cardField),
  field("order", "order", cardOrder),
  field("second", "second", oneOf(SECOND_ROWS)),
  field("coin", "coin", COINS),
  controllerField("mu", "mu", mu),
  controllerField("adaptive", "adaptiveP", sumAndWeight),
  controllerField("breaker", "breaker", breaker),
  field("from", "from", whole(MAX_FROM)),
  field("seed", "seed", digits),
  field("stream", "stream", whole(MAX_STREAM)),
  field("draws", "draws", whole(MAX_DRAWS)),
  field("rank", "rankScale", oneOf(["log", "linear"])),
  field("probability", "probScale", oneOf(["linear", "log"])),
];

/** The fragment, without "#": empty for the initial state, else the version and whatever differs. */
export function toFragment(state: State): string {
  const parts = FIELDS.filter(({ write }) => write(state) !== write(INITIAL_STATE));
  if (parts.length === 0) return "";
  return [`v=${VERSION}`, ...parts.map(({ name, write }) => `${name}=${write(state)}`)].join("&");
}

export interface ReadAddress {
  readonly state: State;
  /** What could not be read, as a sentence, or null. */
  readonly notice: string | null;
}

/** The state that a fragment (without "#") names; what cannot be read stays at its initial value. */
export function fromFragment(fragment: string): ReadAddress {
  if (fragment === "") return { state: INITIAL_STATE, notice: null };
  const pairs = fragment.split("&").map((part) => part.split(/=(.*)/s, 2));
  const version = pairs.find(([name]) => name === "v")?.[1];
  if (version !== VERSION) {
    const notice = "This address is from another version of the page, so the page starts fresh.";
    return { state: INITIAL_STATE, notice };
  }
  let state = INITIAL_STATE;
  const bad: string[] = [];
  for (const [name = "", text = ""] of pairs) {
    if (name === "v") continue;
    const next = FIELDS.find((candidate) => candidate.name === name)?.read(state, text) ?? null;
    if (next === null) bad.push(name);
    else state = next;
  }
  return { state, notice: bad.length === 0 ? null : unreadable(bad) };
}

function unreadable(names: readonly string[]): string {
  const list = names.map((name) => `"${name.slice(0, 30)}"`).join(", ");
  return `Part of this address could not be read (${list}), so the usual value stands in its place.`;
}
