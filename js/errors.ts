import { nearest } from "./nearest.js";

/** Every code that an error of this package can have. */
export type ErrorCode =
  | "unknown_option"
  | "wrong_type"
  | "out_of_range"
  | "not_finite"
  | "empty"
  | "wrong_length"
  | "bad_token"
  | "nothing_left"
  | "bad_order"
  | "preset_rejects"
  | "stale_buffer"
  | "freed"
  | "not_initialized"
  | "state_version"
  | "state_invalid"
  | "row_unknown"
  | "too_large"
  | "internal";

/** What an error says beside its message. */
export interface ErrorDetails {
  /** The offending option or argument, with dots for nesting. */
  option?: string;
  /** The offending place: an index into the logits, or the token id. */
  index?: number;
  /** The row at fault. */
  row?: number;
  /** The stage at fault, in snake_case. */
  stage?: string;
  /** What is accepted instead. */
  accepted?: string;
}

/**
 * Thrown by everything in this package; a failed call has changed nothing.
 *
 * `internal` is for what must not happen: a call broke off inside the wasm module, for a defect, or because the stack or the
 * memory of the program was used up. `cause` is what broke it. The module has been replaced then by a new instance of
 * itself, in which every sampler goes on from its state before the call: nothing has to be done, but for views of a
 * `logitsBuffer`, which are asked for again as after memory's growth, and for models, which are to be loaded again. What a
 * state does not hold is gone: `rowErrors()` and `lastTrip`.
 */
export class NucleusError extends Error implements ErrorDetails {
  override readonly name = "NucleusError";
  /** Stable; messages may be reworded, codes are not. */
  readonly code: ErrorCode;
  declare readonly option?: string;
  declare readonly index?: number;
  declare readonly row?: number;
  declare readonly stage?: string;
  declare readonly accepted?: string;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    for (const [name, value] of Object.entries(details)) {
      if (value !== undefined) Object.defineProperty(this, name, { value, enumerable: true });
    }
  }
}

/** The error for a value of the wrong type. */
export function wrongType(option: string, accepted: string, value: unknown): NucleusError {
  return new NucleusError("wrong_type", `${option} must be ${accepted}, not ${describe(value)}`, {
    option,
    accepted,
  });
}

/** The error for a value outside what is accepted. */
export function outOfRange(option: string, accepted: string, value: unknown): NucleusError {
  return new NucleusError("out_of_range", `${option} must be ${accepted}, not ${String(value)}`, {
    option,
    accepted,
  });
}

/** No name is nearly as long. */
const MAX_NAME = 60;

/** The error for a name that a call's last argument does not have. */
export function unknownName(name: string, known: readonly string[]): NucleusError {
  const option = name.slice(0, MAX_NAME);
  const near = nearest(option, known);
  const names = known.join(", ");
  const instead = near === undefined ? `this call takes ${names}` : `did you mean ${JSON.stringify(near)}?`;
  const message = `unknown option ${JSON.stringify(option)}: ${instead}`;
  return new NucleusError("unknown_option", message, { option, accepted: near ?? `one of ${names}` });
}

/** The error for a field of a state; an empty path is the state itself. */
export function stateInvalid(path: readonly string[], accepted: string, value: unknown): NucleusError {
  const field = path.map((name) => name.slice(0, MAX_NAME)).join(".");
  const what = field === "" ? "the state" : `the state's ${field}`;
  const details = field === "" ? { accepted } : { option: field, accepted };
  return new NucleusError("state_invalid", `${what} must be ${accepted}, not ${describe(value)}`, details);
}

/** What a value is, in words; what it says of its own class is not trusted. */
function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "an array";
  const kind = typeof value;
  const name = kind === "object" ? (value.constructor as { name?: unknown } | undefined)?.name : kind;
  if (typeof name !== "string" || name === "" || name === "Object") return "an object";
  return `${/^[aeiou]/i.test(name) ? "an" : "a"} ${name}`;
}
