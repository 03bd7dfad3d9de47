// Values to short text for the address and back; reading returns null for what is not exactly such a value.

import type { Card, NumberCard } from "./chain/cards";
import { largest } from "./chain/slider";
import {
  type HandToken,
  initialSetting,
  MAX_HAND_TOKENS,
  MAX_SEED,
  type Setting,
  type TokenValue,
} from "./state";

export interface Codec<T> {
  write(value: T): string;
  read(text: string): T | null;
}

const MAX_TOKEN = 2 ** 19 - 1;

/** One of a few words. */
export function oneOf<T extends string>(words: readonly T[]): Codec<T> {
  return { write: (word) => word, read: (text) => words.find((word) => word === text) ?? null };
}

/** An integer in [0, max]. */
export function whole(max: number): Codec<number> {
  return {
    write: String,
    read: (text) => (/^\d{1,15}$/.test(text) && Number(text) <= max ? Number(text) : null),
  };
}

/** A seed: an integer in [0, 2^64 - 1], kept as digits. */
export const digits: Codec<string> = {
  write: (text) => text,
  read: (text) => (/^\d{1,20}$/.test(text) && BigInt(text) <= MAX_SEED ? text : null),
};

/** Token ids, joined by commas. */
export const integers: Codec<readonly number[]> = {
  write: (tokens) => tokens.join(","),
  read: (text) => list(text, (part) => whole(MAX_TOKEN).read(part)),
};

/** Tokens with a number each: 8180:2.5,3102:-inf. */
export const tokenValues: Codec<readonly TokenValue[]> = {
  write: (entries) => entries.map(([token, value]) => `${token}:${writeNumber(value)}`).join(","),
  read: (text) =>
    list(text, (part) => {
      const [token = "", value = ""] = part.split(":");
      const id = whole(MAX_TOKEN).read(token);
      const number = readNumber(value);
      return id === null || number === null ? null : ([id, number] as const);
    }),
};

/** A row written by hand: girl:4,town:3.5. */
export const handTokens: Codec<readonly HandToken[]> = {
  write: (tokens) =>
    tokens.map(({ text, logit }) => `${encodeURIComponent(text)}:${writeNumber(logit)}`).join(","),
  read: (text) => {
    const tokens = list(text, readHandToken);
    return tokens === null || tokens.length === 0 || tokens.length > MAX_HAND_TOKENS ? null : tokens;
  },
};

function readHandToken(part: string): HandToken | null {
  const [encoded = "", value = ""] = part.split(":");
  const logit = readNumber(value);
  try {
    return logit === null ? null : { text: decodeURIComponent(encoded), logit };
  } catch {
    return null;
  }
}

/** A card: its value, after "~" when it is switched off, after "-" when it is not on the page. */
export function setting(card: Card): Codec<Setting> {
  const value: Codec<Pick<Setting, "value" | "entries">> = {
    write: (set) => (card.kind === "number" ? writeNumber(set.value) : tokenValues.write(set.entries)),
    read: (text) => (card.kind === "number" ? readValue(card, text) : readEntries(text)),
  };
  return {
    write: (set) => `${set.on ? "" : set.shown ? "~" : "-~"}${value.write(set)}`,
    read(text) {
      const [, hidden, off, rest = ""] = /^(-(?=~))?(~)?(.*)$/s.exec(text) ?? [];
      const read = value.read(rest);
      if (read === null) return null;
      return { ...initialSetting(card), ...read, on: off === undefined, shown: hidden === undefined };
    },
  };
}

function readValue(card: NumberCard, text: string): Pick<Setting, "value" | "entries"> | null {
  const value = readNumber(text);
  if (value === null || value < card.min || value > largest(card, MAX_TOKEN + 1)) return null;
  return card.digits === 0 && !Number.isInteger(value) ? null : { value, entries: [] };
}

function readEntries(text: string): Pick<Setting, "value" | "entries"> | null {
  const entries = tokenValues.read(text);
  return entries === null ? null : { value: 0, entries };
}

function list<T>(text: string, read: (part: string) => T | null): T[] | null {
  if (text === "") return [];
  const items: T[] = [];
  for (const part of text.split(",")) {
    const item = read(part);
    if (item === null) return null;
    items.push(item);
  }
  return items;
}

function writeNumber(value: number): string {
  return value === -Infinity ? "-inf" : String(value);
}

function readNumber(text: string): number | null {
  if (text === "-inf") return -Infinity;
  return /^-?\d+(\.\d+)?(e-?\d+)?$/.test(text) ? Number(text) : null;
}
