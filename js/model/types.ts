/** The types of what models take and give. Written without the names of any one platform. */

/** A `ReadableStream` of bytes. */
export interface StreamLike {
  getReader(): {
    read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
    cancel(reason?: unknown): Promise<void>;
  };
}

/** A `Blob`, and so a `File`, too. */
export interface BlobLike {
  readonly size: number;
  stream(): StreamLike;
}

/** A `Response`. */
export interface FileResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly url: string;
  readonly headers: { get(name: string): string | null };
  readonly body: StreamLike | null;
}

/** Where a model comes from. */
export type ModelSource = BlobLike | FileResponse | StreamLike;

/** An `AbortSignal`. */
export interface SignalLike {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** How far a file has come. */
export interface LoadProgress {
  /** Bytes that have come. */
  readonly loaded: number;
  /** Bytes of the whole, where they are known: at the latest once the file's header has come. */
  readonly total: number | undefined;
}

/** What may come along with a source. */
export interface StreamOptions {
  /** The length of the file in bytes, where the source does not tell it; a file that needs more is refused at once. */
  readonly size?: number | undefined;
  /** Called after every piece that came. */
  readonly onProgress?: ((progress: LoadProgress) => void) | undefined;
  /** Cancels loading: the source is cancelled, the promise rejected with the signal's reason. */
  readonly signal?: SignalLike | undefined;
}

/** The shape of a model. */
export interface ModelConfig {
  readonly architecture: string;
  /** Tokens: the length of a row of logits. */
  readonly vocabSize: number;
  /** The most tokens of a session. */
  readonly contextLength: number;
  readonly layers: number;
  readonly dim: number;
  readonly ffnDim: number;
  readonly heads: number;
  readonly kvHeads: number;
  readonly headDim: number;
}

/** One message of a conversation. */
export interface ChatMessage {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

/** What may come along with a text. */
export interface EncodeOptions {
  /** Whether special tokens are what their texts say; by default a text is text and nothing else. */
  readonly special?: boolean | undefined;
}

/** What may come along with token ids. */
export interface DecodeOptions {
  /** Whether special tokens appear as their texts, which they do by default. */
  readonly special?: boolean | undefined;
}

/** What may come along with messages. */
export interface ChatOptions {
  /** Whether the beginning of the assistant's reply follows, which it does by default. */
  readonly reply?: boolean | undefined;
}
