import { NucleusError, wrongType } from "./errors.js";
import type { BatchCall } from "./types.js";

/** The masks of a batch, one after the other; a row without one gets a mask that allows everything. */
export function joinMasks(masks: BatchCall["masks"], rows: number, length: number): Uint32Array | undefined {
  if (masks === undefined) return undefined;
  const divides = rows > 0 && length > 0 && length % rows === 0;
  if (masks instanceof Uint32Array) return divides ? new Uint32Array(masks) : undefined;
  if (!Array.isArray(masks))
    throw wrongType("masks", "a Uint32Array, or an array with a Uint32Array a row", masks);
  // What is wrong with rows and logits is said by the call itself.
  if (!divides) return undefined;
  if (masks.length !== rows) throw wrongLength("masks", masks.length, rows);
  const words = Math.ceil(length / rows / 32);
  const joined = new Uint32Array(words * rows).fill(0xffffffff);
  masks.forEach((mask: unknown, row) => {
    if (mask === undefined) return;
    if (!(mask instanceof Uint32Array))
      throw wrongType(`masks.${row}`, "a Uint32Array of ceil(vocab / 32) words", mask);
    if (mask.length !== words) throw wrongLength(`masks.${row}`, mask.length, words);
    joined.set(mask, row * words);
  });
  return joined;
}

function wrongLength(option: string, found: number, expected: number): NucleusError {
  const message = `${option} has length ${found}, expected ${expected}`;
  return new NucleusError("wrong_length", message, { option, accepted: String(expected) });
}
