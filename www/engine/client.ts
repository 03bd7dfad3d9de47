// The page's side of the protocol: a promise for every request, rejected with the engine's own problem.

import type { Explanation } from "nucleus-sampler";
import type {
  AcceptResult,
  DrawResult,
  PictureResult,
  Problem,
  Reply,
  Request,
  Result,
  Setup,
  Stretch,
} from "./protocol";

/** An engine's error on the page's side of the worker. */
export class EngineError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.name = "EngineError";
    this.problem = problem;
  }
}

/** What the client needs of a Worker; tests give a plain object. */
export interface Port {
  postMessage(message: Request): void;
  addEventListener(type: "message", listener: (event: { data: Reply }) => void): void;
  addEventListener(type: "error", listener: (event: { message: string }) => void): void;
}

interface Pending {
  resolve(result: Result): void;
  reject(error: Error): void;
}

export class EngineClient {
  /** Settles when the engine can answer, rejects when it cannot be started. */
  readonly ready: Promise<void>;
  readonly #port: Port;
  readonly #pending = new Map<number, Pending>();
  #nextId = 1;

  constructor(port: Port) {
    this.#port = port;
    this.ready = new Promise((resolve, reject) => {
      port.addEventListener("message", ({ data }) => {
        if (data.kind === "ready") resolve();
        else if (data.kind === "unavailable") reject(new Error(data.message));
        else this.#settle(data);
      });
      port.addEventListener("error", (event) => {
        const error = new Error(event.message || "The engine's worker could not be loaded.");
        reject(error);
        for (const { reject: fail } of this.#pending.values()) fail(error);
        this.#pending.clear();
      });
    });
  }

  async picture(setup: Setup): Promise<PictureResult> {
    return expectKind(await this.#ask((id) => ({ kind: "picture", id, setup })), "picture");
  }

  async draw(stretch: Stretch): Promise<DrawResult> {
    return expectKind(await this.#ask((id) => ({ kind: "draw", id, ...stretch })), "draw");
  }

  async accept(stretch: Stretch): Promise<AcceptResult> {
    return expectKind(await this.#ask((id) => ({ kind: "accept", id, ...stretch })), "accept");
  }

  async explain(token: number): Promise<Explanation> {
    const result = await this.#ask((id) => ({ kind: "explain", id, token }));
    return expectKind(result, "explain").explanation;
  }

  #ask(request: (id: number) => Request): Promise<Result> {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#port.postMessage(request(id));
    });
  }

  #settle(reply: Extract<Reply, { id: number }>): void {
    const pending = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    if (reply.kind === "result") pending?.resolve(reply.result);
    else pending?.reject(new EngineError(reply.problem));
  }
}

function expectKind<K extends Result["kind"]>(result: Result, kind: K): Extract<Result, { kind: K }> {
  if (result.kind !== kind) throw new Error(`The engine answered ${kind} with ${result.kind}.`);
  return result as Extract<Result, { kind: K }>;
}
