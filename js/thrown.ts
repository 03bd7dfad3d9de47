import { type ErrorCode, type ErrorDetails, NucleusError } from "./errors.js";

/** The shape in which the wasm module throws. */
interface Thrown extends ErrorDetails {
  code: ErrorCode;
  message: string;
}

/** Whether the module threw it: anything else broke it. */
export function isThrown(value: unknown): value is Thrown {
  return value instanceof Error && typeof (value as Partial<Thrown>).code === "string";
}

/** The error that the module threw, with the caller's stack. */
export function ofThrown({ code, message, option, index, row, stage, accepted }: Thrown): NucleusError {
  const present = Object.entries({ option, index, row, stage, accepted }).filter(
    ([, value]) => value !== undefined,
  );
  return new NucleusError(code, message, Object.fromEntries(present));
}
