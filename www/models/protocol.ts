// What page and model worker say to each other. Every request has an id; every id gets one result, one error, or the
// word that a newer request has taken its place.

/** Where a model's file comes from: an address, or a file of a person's own. */
export type ModelFile = string | Blob;

/** A text as a model reads it: what was typed, then the tokens that followed. */
export interface ModelText {
  readonly prompt: string;
  readonly output: readonly number[];
}

export type ModelRequest =
  | { readonly kind: "load"; readonly id: number; readonly file: ModelFile }
  | { readonly kind: "read"; readonly id: number; readonly text: ModelText }
  /** Gives up reading. What was being read answers that it was superseded; this request has no answer of its own. */
  | { readonly kind: "stop" };

/** A model that is ready to read. */
export interface LoadedModel {
  readonly kind: "loaded";
  /** The most tokens that a text may have. */
  readonly contextLength: number;
  /** The tokens that end a text. */
  readonly ends: Uint32Array;
  /** The bytes of all tokens, one after the other. */
  readonly bytes: Uint8Array;
  /** Where each token's bytes begin, and after the last one where they end. */
  readonly starts: Uint32Array;
}

/** What follows a text. */
export interface NextRow {
  readonly kind: "row";
  /** The prompt as the model read it. */
  readonly promptTokens: Uint32Array;
  readonly logits: Float32Array;
}

export type ModelResult = LoadedModel | NextRow;

/** How far something has come: bytes of a file, or tokens of a text. */
export interface Progress {
  readonly done: number;
  /** Null where nobody knows yet. */
  readonly total: number | null;
}

export type ModelReply =
  | ({ readonly kind: "progress"; readonly id: number } & Progress)
  | { readonly kind: "result"; readonly id: number; readonly result: ModelResult }
  | { readonly kind: "superseded"; readonly id: number }
  | { readonly kind: "error"; readonly id: number; readonly message: string };
