/** Typed arrays as they are, whatever they say of themselves. */
import { wrongType } from "./errors.js";

/** What a typed array is of itself, whatever its own properties, its prototype or its realm say. */
const getters = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(Uint8Array.prototype) as Float32Array);
const { get: kind } = getters[Symbol.toStringTag];
const { get: length } = getters.length;
const { get: buffer } = getters.buffer;

/** The name of a typed array's kind; undefined for anything else, also for what only looks like one. */
export function kindOf(value: unknown): string | undefined {
  return kind?.call(value);
}

/** How many elements a typed array has; 0 once its buffer is gone. */
export function lengthOf(array: ArrayBufferView): number {
  return length?.call(array) ?? 0;
}

/** The buffer that a typed array is a view of. */
export function bufferOf(array: ArrayBufferView): ArrayBufferLike | undefined {
  return buffer?.call(array);
}

/** A copy of the typed array that an option has to be. */
export function copied<T extends Uint32Array | Float64Array>(
  value: unknown,
  Kind: { readonly name: string; new (from: T): T },
  option: string,
  accepted = `a ${Kind.name}`,
): T {
  if (kindOf(value) !== Kind.name) throw wrongType(option, accepted, value);
  try {
    return new Kind(value as T);
  } catch {
    throw wrongType(option, `${accepted} whose buffer is still there`, value);
  }
}
