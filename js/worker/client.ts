/** The program's side: a promise for every request, rejected with the thread's own error. */
import { type ErrorCode, NucleusError } from "../errors.js";
import type { Parcel } from "./parcel.js";
import type { Problem, Reply, Request } from "./protocol.js";
import type { WorkerLike } from "./worker-like.js";

interface Pending {
  resolve(value: unknown): void;
  reject(error: NucleusError): void;
}

type Unnumbered<R> = R extends Request ? Omit<R, "id"> : never;

export class Client {
  readonly #worker: WorkerLike;
  readonly #pending = new Map<number, Pending>();
  #ended: NucleusError | undefined;
  #nextId = 1;

  constructor(worker: WorkerLike) {
    this.#worker = worker;
    worker.addEventListener("message", ({ data }) => this.#settle(data as Reply));
    worker.addEventListener("error", ({ message }) => {
      this.end("not_initialized", `the sampler's worker could not be run: ${message || "it was not loaded"}`);
    });
    worker.addEventListener("messageerror", () => {
      this.end("internal", "a reply of the sampler's worker could not be read");
    });
  }

  /** Sends a request; its reply's value. */
  ask({ value: request, moved }: Parcel<Unnumbered<Request>>): Promise<unknown> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      try {
        this.#worker.postMessage({ ...request, id }, moved);
      } catch (cause) {
        const message = `an argument cannot be sent to the sampler's worker: ${String(cause)}`;
        reject(new NucleusError("wrong_type", message, {}, cause));
        return;
      }
      if (this.#pending.size === 0) this.#worker.ref?.();
      this.#pending.set(id, { resolve, reject });
    });
  }

  /** Ends the thread: what is asked, and whatever will be, is rejected. */
  end(code: ErrorCode, message: string): void {
    if (this.#ended !== undefined) return;
    this.#ended = new NucleusError(code, message);
    this.#worker.terminate();
    for (const { reject } of this.#pending.values()) reject(this.#ended);
    this.#pending.clear();
  }

  #settle(reply: Reply): void {
    const pending = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    if (this.#pending.size === 0) this.#worker.unref?.();
    if (reply.kind === "result") pending?.resolve(reply.value);
    else pending?.reject(errorOf(reply.problem));
  }
}

function errorOf({ code, message, cause, ...details }: Problem): NucleusError {
  const { option, index, row, stage, accepted } = details;
  const present = Object.entries({ option, index, row, stage, accepted }).filter(
    ([, it]) => it !== undefined,
  );
  const of = cause === undefined ? undefined : new Error(cause);
  return new NucleusError(code, message, Object.fromEntries(present), of);
}
