// The page's side of a model's worker: a promise for every request; closing ends the thread and what it was doing.

import type {
  LoadedModel,
  ModelFile,
  ModelReply,
  ModelRequest,
  ModelResult,
  ModelText,
  NextRow,
  Progress,
} from "./protocol";

/** What the client needs of a Worker; tests give a plain object. */
export interface ModelPort {
  postMessage(message: ModelRequest): void;
  addEventListener(type: "message", listener: (event: { data: ModelReply }) => void): void;
  addEventListener(type: "error", listener: (event: { message: string }) => void): void;
  terminate(): void;
}

/** The end of a request that nobody waits for any more: another one took its place, or a person cancelled it. */
export class Superseded extends Error {
  constructor() {
    super("Nobody waits for this any more.");
    // The platform's own name for it, which the page goes by where this module is not loaded.
    this.name = "AbortError";
  }
}

type OnProgress = (progress: Progress) => void;

interface Pending {
  readonly onProgress: OnProgress;
  resolve(result: ModelResult): void;
  reject(error: Error): void;
}

export class ModelClient {
  readonly #port: ModelPort;
  readonly #pending = new Map<number, Pending>();
  #nextId = 1;

  constructor(port: ModelPort) {
    this.#port = port;
    port.addEventListener("message", ({ data }) => this.#settle(data));
    port.addEventListener("error", ({ message }) =>
      this.#end(new Error(message || "The model's worker could not be loaded.")),
    );
  }

  async load(file: ModelFile, onProgress: OnProgress): Promise<LoadedModel> {
    const result = await this.#ask((id) => ({ kind: "load", id, file }), onProgress);
    if (result.kind !== "loaded") throw new Error(`The model's worker answered load with ${result.kind}.`);
    return result;
  }

  /** What follows a text. A newer text takes the place of an older one, which then rejects with Superseded. */
  async read(text: ModelText, onProgress: OnProgress): Promise<NextRow> {
    const result = await this.#ask((id) => ({ kind: "read", id, text }), onProgress);
    if (result.kind !== "row") throw new Error(`The model's worker answered read with ${result.kind}.`);
    return result;
  }

  /** Gives up reading: the text that is being read rejects with Superseded. */
  stop(): void {
    this.#port.postMessage({ kind: "stop" });
  }

  /** Ends the thread, whatever it is doing, and gives its memory back. */
  close(): void {
    this.#port.terminate();
    this.#end(new Superseded());
  }

  #ask(request: (id: number) => ModelRequest, onProgress: OnProgress): Promise<ModelResult> {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { onProgress, resolve, reject });
      this.#port.postMessage(request(id));
    });
  }

  #settle(reply: ModelReply): void {
    const pending = this.#pending.get(reply.id);
    if (reply.kind === "progress") {
      pending?.onProgress(reply);
      return;
    }
    this.#pending.delete(reply.id);
    if (reply.kind === "result") pending?.resolve(reply.result);
    else pending?.reject(reply.kind === "superseded" ? new Superseded() : new Error(reply.message));
  }

  #end(error: Error): void {
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }
}
