/** Checks and conversions of arguments, before they cross into wasm. */
import { outOfRange, stateInvalid, unknownName, wrongType } from "./errors.js";
import { copied, kindOf } from "./typed.js";
import type { PreviewCall, RowCall } from "./types.js";

const MAX_U32 = 0xffffffff;

/** An integer from 0 to 2^32 - 1. */
export function u32(value: unknown, option: string): number {
  if (typeof value !== "number") throw wrongType(option, `an integer from 0 to ${MAX_U32}`, value);
  if (!Number.isInteger(value) || value < 0 || value > MAX_U32) {
    throw outOfRange(option, `an integer from 0 to ${MAX_U32}`, value);
  }
  return value;
}

/** Ids as a Uint32Array of our own: what the caller's array says of itself is not trusted. */
function ids(value: unknown, option: string, accepted: string): Uint32Array {
  if (kindOf(value) === "Uint32Array") return copied(value, Uint32Array, option, accepted);
  if (typeof value !== "object" || value === null) throw wrongType(option, accepted, value);
  refuseBigInts(value, option, accepted);
  if (!(Symbol.iterator in value || isArrayLike(value))) throw wrongType(option, accepted, value);
  return Uint32Array.from(list(value), (id) => u32(id, option));
}

/** Token ids, from whatever lists them. */
export const tokenIds = (value: unknown, option: string) =>
  ids(value, option, "a Uint32Array or an array of token ids");

/** The rows of a batch: how many, and their ids where they are not the first ones. */
export function batchRows(rows: unknown): { n: number; rowIds: Uint32Array | undefined } {
  if (typeof rows === "number") return { n: u32(rows, "rows"), rowIds: undefined };
  const rowIds = ids(rows, "rows", "a number of rows or an array of row ids");
  return { n: rowIds.length, rowIds };
}

/** Ids of 64 bits, as tensors of tokens hold them, would have to be narrowed: that is the caller's to do. */
function refuseBigInts(value: object, option: string, accepted: string): void {
  if (value instanceof BigInt64Array || value instanceof BigUint64Array)
    throw wrongType(option, `${accepted} (Uint32Array.from(ids, Number) makes one of bigints)`, value);
}

/** A list without an iterator: a length, and an element at 0 where it is not 0. */
function isArrayLike(value: object): value is ArrayLike<unknown> {
  const { length } = value as { length?: unknown };
  return (
    typeof length === "number" && (length === 0 || (Number.isInteger(length) && length > 0 && 0 in value))
  );
}

/** The elements of what can be iterated, or counted through. */
function* list(value: object): Generator<unknown> {
  if (Symbol.iterator in value) return yield* value as Iterable<unknown>;
  const { length } = value as ArrayLike<unknown>;
  for (let i = 0; i < length; i += 1) {
    yield (value as ArrayLike<unknown>)[i];
    // Nobody accepts the undefined of a hole: the rest of a length that promises too much is not counted through.
    if (!(i in value)) return;
  }
}

/** The names of what may come along with the logits of a row, and of a preview. */
export const ROW = ["row", "mask", "unconditional"];
export const PREVIEW = [...ROW, "coin"];

/** What came along with the logits of a row, checked; what the second row holds is looked at where it is read. */
export function rowCall(
  with_: RowCall | undefined,
  known: readonly string[],
): {
  row: number;
  bits: Uint32Array | undefined;
  unconditional: RowCall["unconditional"];
} {
  const { row = 0, mask: bits, unconditional } = named(with_, known);
  return { row: u32(row, "row"), bits: mask(bits), unconditional };
}

/** The side of the coin that was given with a preview, or none. */
export function coin({ coin: side }: PreviewCall): boolean | undefined {
  if (side !== undefined && typeof side !== "boolean") throw wrongType("coin", "true or false", side);
  return side;
}

/** What a mask has to be. */
export const MASK = "a Uint32Array of ceil(vocab / 32) words";

/** A bit mask, or none. */
function mask(value: unknown): Uint32Array | undefined {
  return value === undefined ? undefined : copied(value, Uint32Array, "mask", MASK);
}

/** The object of named arguments that a call may end with. */
export function named<T extends object>(value: T | undefined, known: readonly string[]): T {
  if (value === undefined) return {} as T;
  if (!isPlain(value)) {
    throw wrongType("the last argument", `an object with ${known.join(", ")}`, value);
  }
  for (const key of Object.keys(value)) {
    if (!known.includes(key)) throw unknownName(key, known);
  }
  return value;
}

/** Options as plain data: `undefined` dropped at every depth, Maps as pairs, iterables as arrays. */
export function plainOptions(options: unknown): unknown {
  if (options === undefined) return undefined;
  if (!isPlain(options)) throw wrongType("options", "an object", options);
  return plainObject(options);
}

/** An object that is a record of names, not a date, a map or another class's own kind. */
function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null || Symbol.iterator in value) return false;
  return Object.prototype.toString.call(value) === "[object Object]";
}

/** How deep options and states may be nested; no state goes deeper than half of it. */
const MAX_DEPTH = 16;

function plainObject(object: object, depth = 1): Record<string, unknown> {
  const plain = {};
  for (const [key, entry] of Object.entries(object)) {
    if (entry === undefined) continue;
    const value = plainValue(entry, key, depth);
    // Defined, not set: no name, "__proto__" neither, means anything but itself.
    Object.defineProperty(plain, key, { value, enumerable: true });
  }
  return plain;
}

/** What is no plain data at all (a function, a symbol) stays: the option that it was given to says what it accepts. */
function plainValue(value: unknown, option: string, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth > MAX_DEPTH) throw wrongType(option, `nested at most ${MAX_DEPTH} deep`, value);
  refuseBigInts(value, option, "numbers");
  const inner = (entry: unknown) => plainValue(entry, option, depth + 1);
  if (Symbol.iterator in value || isArrayLike(value)) return Array.from(list(value), inner);
  return plainObject(value, depth + 1);
}

/** A state as plain data; what JSON cannot hold is `state_invalid`, wherever it stands. */
export function plainState(state: unknown): unknown {
  const wanted = "an object, as state() returns it";
  if (typeof state === "string") throw stateInvalid([], `${wanted}; parse the JSON first`, state);
  if (typeof state !== "object" || state === null) throw stateInvalid([], wanted, state);
  return plainData(state, []);
}

function plainData(value: unknown, path: readonly string[]): unknown {
  if (["function", "symbol", "bigint"].includes(typeof value))
    throw stateInvalid(path, "plain data, as JSON holds it", value);
  if (typeof value !== "object" || value === null) return value;
  if (path.length >= MAX_DEPTH) throw stateInvalid(path, `nested at most ${MAX_DEPTH} deep`, value);
  if (Array.isArray(value)) return value.map((entry, i) => plainData(entry, [...path, String(i)]));
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  return Object.fromEntries(entries.map(([key, entry]) => [key, plainData(entry, [...path, key])]));
}
