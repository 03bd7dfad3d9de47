// The texts of a model's tokens, from the bytes that its tokenizer has for them.

import { decodeUtf8, type TokenTexts } from "../sources/vocabulary";
import type { LoadedModel } from "./protocol";

type TokenBytes = Pick<LoadedModel, "bytes" | "starts">;

/** A token's bytes; none for an id that is no token. */
function bytesOf({ bytes, starts }: TokenBytes, id: number): Uint8Array {
  return bytes.subarray(starts[id] ?? 0, starts[id + 1] ?? starts[id] ?? 0);
}

/** Texts, decoded when first asked for. */
export function modelTexts(tokens: TokenBytes): TokenTexts {
  const decoded: string[] = [];
  return {
    size: tokens.starts.length - 1,
    text(id) {
      const text = decoded[id] ?? decodeUtf8([...bytesOf(tokens, id)]);
      decoded[id] = text;
      return text;
    },
  };
}

/** Tokens as one text: a character may be spread over several, and one that is not whole yet is U+FFFD. */
export function joinedText(tokens: TokenBytes, ids: readonly number[]): string {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const parts = ids.map((id) => decoder.decode(bytesOf(tokens, id), { stream: true }));
  return parts.join("") + decoder.decode();
}

/** Characters of a text that a headline has room for. */
const HEADLINE = 140;

/** The end of a text, on one line, from the beginning of a word. */
export function endOfText(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  if (line.length <= HEADLINE) return line;
  const end = line.slice(-HEADLINE);
  const words = end.slice(end.indexOf(" ") + 1);
  // Of a character in two halves the first may have been cut.
  return `… ${words.replace(/^[\udc00-\udfff]/, "")}`;
}
