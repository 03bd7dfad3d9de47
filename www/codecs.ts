// Values to short text for the address and back; reading returns null for what is not exactly such a value.

import { type HandToken, MAX_HAND_TOKENS, MAX_SEED, type TokenValue } from "./state";

export interface Codec<T> {
  write(value: T): string;
  read(text: string): T | null;
}

export const MAX_TOKEN = 2 ** 19 - 1;

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

/** Integers of any kind, joined by commas. */
export const wholes: Codec<readonly number[]> = {
  write: (numbers) => numbers.join(","),
  read: (text) => list(text, (part) => whole(Number.MAX_SAFE_INTEGER).read(part)),
};

/** Token ids, joined by commas. */
export const integers: Codec<readonly number[]> = {
  write: (tokens) => tokens.join(","),
  read: (text) => list(text, (part) => whole(MAX_TOKEN).read(part)),
};

/** Sequences of token ids, their ids joined by dots: 12.13,44. */
export const sequences: Codec<readonly (readonly number[])[]> = {
  write: (all) => all.map((ids) => ids.join(".")).join(","),
  read: (text) =>
    list(text, (part) => {
      const ids = part.split(".").map((id) => whole(MAX_TOKEN).read(id));
      return ids.every((id) => id !== null) ? ids : null;
    }),
};

/** Tokens without a number; older addresses gave each a 0: 8180:0. */
export const tokensOnly: Codec<readonly TokenValue[]> = {
  write: (entries) => entries.map(([token]) => token).join(","),
  read: (text) => tokenValues.read(text.replaceAll(/(^|,)(\d+)(?=,|$)/g, "$1$2:0")),
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

/** Any text. Halves of characters, which an address cannot hold, become U+FFFD. */
export const plainText: Codec<string> = {
  write: (text) => encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd")),
  read(text) {
    try {
      return decodeURIComponent(text);
    } catch {
      return null;
    }
  },
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
  const text = plainText.read(encoded);
  return logit === null || text === null ? null : { text, logit };
}

export function list<T>(text: string, read: (part: string) => T | null): T[] | null {
  if (text === "") return [];
  const items: T[] = [];
  for (const part of text.split(",")) {
    const item = read(part);
    if (item === null) return null;
    items.push(item);
  }
  return items;
}

export function writeNumber(value: number): string {
  return value === -Infinity ? "-inf" : String(value);
}

export function readNumber(text: string): number | null {
  if (text === "-inf") return -Infinity;
  return /^-?\d+(\.\d+)?(e-?\d+)?$/.test(text) ? Number(text) : null;
}
