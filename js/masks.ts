/** The bit masks of a batch: taken from the caller, and joined for the module. */
import { MASK } from "./arguments.js";
import { NucleusError, wrongType } from "./errors.js";
import { copied, kindOf } from "./typed.js";
import type { BatchCall } from "./types.js";

/** The masks of a batch, copied: all of them one after the other, or one a row. */
export type Masks = Uint32Array | readonly (Uint32Array | undefined)[] | undefined;

/**
 * The masks of a call, as they are now. What the caller's objects do while they are read is over when this returns, and
 * lengths are the arrays' own, whatever they say of themselves.
 */
export function takeMasks(masks: BatchCall["masks"]): Masks {
  if (masks === undefined) return undefined;
  if (kindOf(masks) === "Uint32Array") return copied(masks, Uint32Array, "masks");
  if (!Array.isArray(masks))
    throw wrongType("masks", "a Uint32Array, or an array with a Uint32Array a row", masks);
  return Array.from(masks as readonly unknown[], (mask, row) =>
    mask === undefined ? undefined : copied(mask, Uint32Array, `masks.${row}`, MASK),
  );
}

/** The masks of a batch, one after the other; a row without one gets a mask that allows everything. */
export function joinMasks(masks: Masks, rows: number, length: number): Uint32Array | undefined {
  // What is wrong with rows and logits is said by the call itself.
  if (masks === undefined || rows === 0 || length === 0 || length % rows !== 0) return undefined;
  if (masks instanceof Uint32Array) return masks;
  if (masks.length !== rows) throw wrongLength("masks", masks.length, rows);
  const words = Math.ceil(length / rows / 32);
  const joined = new Uint32Array(words * rows).fill(0xffffffff);
  masks.forEach((mask, row) => {
    if (mask === undefined) return;
    if (mask.length !== words) throw wrongLength(`masks.${row}`, mask.length, words);
    joined.set(mask, row * words);
  });
  return joined;
}

function wrongLength(option: string, found: number, expected: number): NucleusError {
  const message = `${option} has length ${found}, expected ${expected}`;
  return new NucleusError("wrong_length", message, { option, accepted: String(expected) });
}
