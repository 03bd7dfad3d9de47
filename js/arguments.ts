/** Checks and conversions of arguments, before they cross into wasm. */
import { outOfRange, stateInvalid, unknownName, wrongType } from "./errors.js";

const MAX_U32 = 0xffffffff;

/** An integer from 0 to 2^32 - 1. */
export function u32(value: unknown, option: string): number {
  if (typeof value !== "number") throw wrongType(option, `an integer from 0 to ${MAX_U32}`, value);
  if (!Number.isInteger(value) || value < 0 || value > MAX_U32) {
    throw outOfRange(option, `an integer from 0 to ${MAX_U32}`, value);
  }
  return value;
}

/** Token ids as a Uint32Array of our own: what the caller's array says of itself is not trusted. */
export function tokenIds(value: unknown, option: string): Uint32Array {
  if (value instanceof Uint32Array) return new Uint32Array(value);
  if (typeof value === "object" && value !== null && Symbol.iterator in value) {
    return Uint32Array.from(value as Iterable<unknown>, (id) => u32(id, option));
  }
  throw wrongType(option, "a Uint32Array or an array of token ids", value);
}

/** A bit mask, or none. */
export function mask(value: unknown): Uint32Array | undefined {
  if (value === undefined) return undefined;
  if (value instanceof Uint32Array) return new Uint32Array(value);
  throw wrongType("mask", "a Uint32Array of ceil(vocab / 32) words", value);
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
  const inner = (entry: unknown) => plainValue(entry, option, depth + 1);
  if (Symbol.iterator in value) return Array.from(value as Iterable<unknown>, inner);
  return plainObject(value, depth + 1);
}

/** A state as plain data; what JSON cannot hold is `state_invalid`, wherever it stands. */
export function plainState(state: unknown): unknown {
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
