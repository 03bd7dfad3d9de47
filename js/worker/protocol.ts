/** What a program and its sampling thread say to each other: every request has an id, every id gets one reply. */
import type { ErrorCode, ErrorDetails } from "../errors.js";
import type { AskedName } from "./names.js";

/** The first request: where the thread takes its module from. */
export interface StartRequest {
  readonly id: number;
  readonly kind: "start";
  readonly source: unknown;
}

/** Makes a sampler under a number that the program chose: of options, of a state, or as a copy of another. */
export interface MakeRequest {
  readonly id: number;
  readonly kind: "make";
  readonly sampler: number;
  readonly from: { options: unknown } | { state: unknown } | { original: number; with_: unknown };
}

/** Calls a method of a sampler, or reads a property of it. */
export interface AskRequest {
  readonly id: number;
  readonly kind: "ask";
  readonly sampler: number;
  readonly name: AskedName;
  readonly args: readonly unknown[];
}

/** Frees a sampler. */
export interface FreeRequest {
  readonly id: number;
  readonly kind: "free";
  readonly sampler: number;
}

/** Which build runs. */
export interface SimdRequest {
  readonly id: number;
  readonly kind: "simd";
}

export type Request = StartRequest | MakeRequest | AskRequest | FreeRequest | SimdRequest;

/** An error on its way: a message is all that every structured clone keeps of a class of ours. */
export interface Problem extends ErrorDetails {
  readonly code: ErrorCode;
  readonly message: string;
  /** What broke, in words. */
  readonly cause?: string | undefined;
}

export type Reply =
  | { readonly id: number; readonly kind: "result"; readonly value: unknown }
  | { readonly id: number; readonly kind: "problem"; readonly problem: Problem };
