/** Checks and conversions of arguments, before they cross into wasm. */
import { outOfRange, wrongType } from "./errors.js";

const MAX_U32 = 0xffffffff;

/** An integer from 0 to 2^32 - 1. */
export function u32(value: unknown, option: string): number {
  if (typeof value !== "number") throw wrongType(option, `an integer from 0 to ${MAX_U32}`, value);
  if (!Number.isInteger(value) || value < 0 || value > MAX_U32) {
    throw outOfRange(option, `an integer from 0 to ${MAX_U32}`, value);
  }
  return value;
}

/** Token ids as a Uint32Array; typed arrays of other kinds and plain iterables are copied. */
export function tokenIds(value: unknown, option: string): Uint32Array {
  if (value instanceof Uint32Array) return value;
  if (typeof value === "object" && value !== null && Symbol.iterator in value) {
    return Uint32Array.from(value as Iterable<unknown>, (id) => u32(id, option));
  }
  throw wrongType(option, "a Uint32Array or an array of token ids", value);
}

/** A bit mask, or none. */
export function mask(value: unknown): Uint32Array | undefined {
  if (value === undefined || value instanceof Uint32Array) return value;
  throw wrongType("mask", "a Uint32Array of ceil(vocab / 32) words", value);
}

/** The object of named arguments that a call may end with. */
export function named<T extends object>(value: T | undefined, known: readonly string[]): T {
  if (value === undefined) return {} as T;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw wrongType("the last argument", `an object with ${known.join(", ")}`, value);
  }
  for (const key of Object.keys(value)) {
    if (!known.includes(key)) throw outOfRange(key, `one of ${known.join(", ")}`, `the unknown name "${key}"`);
  }
  return value;
}

/** Options as plain data: `undefined` dropped at every depth, Maps as pairs, iterables as arrays. */
export function plainOptions(options: unknown): unknown {
  if (options === undefined) return undefined;
  if (typeof options !== "object" || options === null || Symbol.iterator in options) {
    throw wrongType("options", "an object", options);
  }
  return plainObject(options);
}

function plainObject(object: object): Record<string, unknown> {
  const plain: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(object)) {
    if (value === undefined) continue;
    if (typeof value === "bigint" && key !== "seed") throw wrongType(key, "a number", value);
    plain[key] = key === "seed" ? plainSeed(value) : plainValue(value);
  }
  return plain;
}

function plainValue(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(plainValue);
  if (Symbol.iterator in value) return Array.from(value as Iterable<unknown>, plainValue);
  return plainObject(value);
}

/** Bigints travel as digits, so that one outside 64 bits is an error of range and not of type. */
function plainSeed(value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
