/** What is read of a worker's events. */
export interface WorkerEventLike {
  readonly type?: string;
  readonly data?: unknown;
  readonly message?: string;
}

/** What is needed of a `Worker`, written without any platform's types. */
export interface WorkerLike {
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  addEventListener(type: string, listener: (event: WorkerEventLike) => void): void;
  terminate(): unknown;
  /** Keeps the program running while something is asked, where programs end by themselves. */
  ref?(): void;
  unref?(): void;
}
