// The texts of a vocabulary's tokens: decoded from bytes, and found by text or id.

import { STRAY_BYTE } from "../glyphs";

export interface TokenTexts {
  readonly size: number;
  /** The token's text; a byte that is not part of valid UTF-8 is the code unit STRAY_BYTE + byte. */
  text(id: number): string;
}

/** Texts that are plain strings already. */
export function plainTexts(texts: readonly string[]): TokenTexts {
  return { size: texts.length, text: (id) => texts[id] ?? "" };
}

/** Texts written in the GPT-2 byte alphabet, decoded when first asked for. */
export function byteLevelTexts(encoded: readonly string[]): TokenTexts {
  const decoded: string[] = [];
  return {
    size: encoded.length,
    text(id) {
      const known = decoded[id];
      if (known !== undefined) return known;
      const text = decodeUtf8(toBytes(encoded[id] ?? ""));
      decoded[id] = text;
      return text;
    },
  };
}

/**
 * Ids whose text contains the query, letter case aside, in ascending order. A query of digits finds that id
 * too; an open box stands for a space, as the page prints it.
 */
export function findTokens(texts: TokenTexts, query: string): number[] {
  const wanted = query.replaceAll("␣", " ").toLowerCase();
  const id = /^\d+$/.test(query.trim()) ? Number(query) : -1;
  const found: number[] = [];
  for (let i = 0; i < texts.size; i++) {
    if (i === id || texts.text(i).toLowerCase().includes(wanted)) found.push(i);
  }
  return found;
}

const BYTE_OF = byteAlphabet();

/** The GPT-2 alphabet: printable Latin-1 bytes stand for themselves, the others for U+0100 onwards. */
function byteAlphabet(): Map<string, number> {
  const bytes = new Map<string, number>();
  let next = 0x100;
  for (let byte = 0; byte < 256; byte++) {
    const printable = (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad);
    bytes.set(String.fromCodePoint(printable ? byte : next++), byte);
  }
  return bytes;
}

function toBytes(encoded: string): number[] {
  return [...encoded].map((character) => BYTE_OF.get(character) ?? 0x3f);
}

/** UTF-8 decoded; each byte outside a valid sequence becomes a stray one. */
export function decodeUtf8(bytes: readonly number[]): string {
  let text = "";
  for (let i = 0; i < bytes.length; ) {
    const first = bytes[i] ?? 0;
    const length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    const character =
      length === 1 ? String.fromCharCode(first) : sequence(bytes.slice(i, i + length), length);
    text += character ?? String.fromCharCode(STRAY_BYTE + first);
    i += character === null ? 1 : length;
  }
  return text;
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function sequence(bytes: readonly number[], length: number): string | null {
  if (bytes.length < length) return null;
  try {
    return strict.decode(Uint8Array.from(bytes));
  } catch {
    return null;
  }
}
