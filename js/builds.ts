/** The two builds of the module, with SIMD and without: which of them this engine gets. */
import { named } from "./arguments.js";
import { wrongType } from "./errors.js";
import type { BuildChoice, WasmSource } from "./source.js";

/** A place that an entry point knows. */
type Place = () => WasmSource | Promise<ArrayBufferView>;

/** Where an entry point has each build. */
export interface Builds {
  readonly simd: Place;
  readonly scalar: Place;
  /** What it makes of a source that it was given, where that is more than the source itself. */
  readonly opened?: (source: WasmSource) => unknown;
}

/**
 * A module that is valid where SIMD is: its one function squares four floats at once.
 *
 *     (module (func (param v128) (result v128) local.get 0 local.get 0 f32x4.mul))
 */
const FOUR_SQUARES = Uint8Array.of(
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00], // "\0asm", version 1
  ...[0x01, 0x06, 0x01, 0x60, 0x01, 0x7b, 0x01, 0x7b], // types, 6 bytes, one: a function, one v128 to one v128
  ...[0x03, 0x02, 0x01, 0x00], // functions, 2 bytes, one: of type 0
  ...[0x0a, 0x0b, 0x01, 0x09, 0x00], // code, 11 bytes, one: of 9 bytes, without locals
  ...[0x20, 0x00, 0x20, 0x00, 0xfd, 0xe6, 0x01, 0x0b], // local.get 0, local.get 0, f32x4.mul, end
);

/** Whether this engine runs modules with SIMD. */
export function engineHasSimd(): boolean {
  if (typeof WebAssembly === "undefined") throw new Error("this engine has no WebAssembly");
  return WebAssembly.validate(FOUR_SQUARES);
}

/**
 * What to start from: the source given, the build chosen, or the build that the engine can run.
 * @throws `wrong_type` and `unknown_option` for a choice that is none.
 */
export function placeOf(given: WasmSource | BuildChoice | undefined, builds: Builds): unknown {
  if (given !== undefined && !isChoice(given)) return builds.opened?.(given) ?? given;
  const { simd = engineHasSimd() } = named<Partial<BuildChoice>>(given, ["simd"]);
  if (typeof simd !== "boolean") throw wrongType("simd", "true or false", simd);
  return simd ? builds.simd() : builds.scalar();
}

const isChoice = (given: unknown): given is BuildChoice =>
  Object.prototype.toString.call(given) === "[object Object]" && "simd" in (given as object);
