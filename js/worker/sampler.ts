/** A sampler that lives in another thread. */
import { plainOptions } from "../arguments.js";
import type { WasmSampler } from "../sampler.js";
import type { Client } from "./client.js";
import { type AskedName, askedNames } from "./names.js";
import { copied } from "./parcel.js";

/** What a member of a sampler is when it is asked from another thread: a method whose answer is a promise. */
type Asked<Member> = Member extends (...args: infer Args) => infer Answer
  ? (...args: Args) => Promise<Answer>
  : () => Promise<Member>;

/** The methods of {@link WasmSampler}, each with a promise of its answer; its properties are methods here. */
export type AskedMethods = { [Name in keyof Pick<WasmSampler, AskedName>]: Asked<WasmSampler[Name]> };

/** As {@link WasmSampler}, in another thread: calls are answered in their order, each by a promise. */
export interface WorkerSampler extends AskedMethods {}

let nextNumber = 1;

/** What makes a sampler in a thread; the promise is rejected where it cannot be made. */
export async function make(
  client: Client,
  from: { options: unknown } | { state: unknown } | { original: number; with_: unknown },
): Promise<WorkerSampler> {
  const sampler = nextNumber++;
  await client.ask(copied({ kind: "make", sampler, from }));
  return new WorkerSampler(client, sampler);
}

// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the methods of askedNames are made below, all alike.
export class WorkerSampler {
  readonly #client: Client;
  readonly #number: number;

  /** @internal */
  constructor(client: Client, number: number) {
    this.#client = client;
    this.#number = number;
  }

  /** A sampler with an identical future, in the same thread; with a `stream`, an independent one. */
  clone(with_?: { stream?: number | undefined }): Promise<WorkerSampler> {
    return make(this.#client, { original: this.#number, with_ });
  }

  /** Gives the memory back once what was asked before is answered; any use afterwards is the error `freed`. */
  async free(): Promise<void> {
    await this.#client.ask(copied({ kind: "free", sampler: this.#number }));
  }

  /** @internal */
  ask(name: AskedName, args: readonly unknown[]): Promise<unknown> {
    const sampler = this.#number;
    return this.#client.ask(copied({ kind: "ask", sampler, name, args }));
  }
}

/** Options may hold what does not travel (iterators, Maps in their own shapes): they go as plain data. */
const withOptions: ReadonlySet<AskedName> = new Set(["update", "addRow"]);

for (const name of askedNames) {
  const value = async function (this: WorkerSampler, ...args: unknown[]): Promise<unknown> {
    const [first, ...others] = args;
    return this.ask(name, withOptions.has(name) ? [plainOptions(first), ...others] : args);
  };
  Object.defineProperty(WorkerSampler.prototype, name, { value, configurable: true, writable: true });
}
