/** The thread's side: it starts the module, keeps the samplers, and answers one request after the other. */
import { NucleusError } from "../errors.js";
import { WasmSampler } from "../sampler.js";
import { simd } from "../simd.js";
import type { BuildChoice, WasmSource } from "../source.js";
import { type AskedName, askedNames } from "./names.js";
import { given, type Parcel } from "./parcel.js";
import type { MakeRequest, Problem, Reply, Request } from "./protocol.js";

/** How the thread is spoken to, whatever it runs in. */
export interface ThreadPort {
  listen(listener: (request: Request) => void): void;
  send(reply: Parcel<Reply>): void;
}

type Init = (source?: WasmSource | BuildChoice) => Promise<void>;

const samplers = new Map<number, WasmSampler>();

function sampler(number: number): WasmSampler {
  const found = samplers.get(number);
  if (found === undefined) throw new NucleusError("freed", "this sampler was freed");
  return found;
}

function made({ from }: MakeRequest): WasmSampler {
  if ("options" in from) return new WasmSampler(from.options as never);
  if ("state" in from) return WasmSampler.fromState(from.state as never);
  return sampler(from.original).clone(from.with_ as never);
}

/** Calls what is a method, reads what is none. */
function asked(on: WasmSampler, name: AskedName, args: readonly unknown[]): unknown {
  if (!askedNames.includes(name)) throw new NucleusError("internal", `${String(name)} cannot be asked`);
  const member: unknown = on[name];
  return typeof member === "function" ? Reflect.apply(member, on, args) : member;
}

function answer(request: Exclude<Request, { kind: "start" }>): unknown {
  switch (request.kind) {
    case "make":
      samplers.set(request.sampler, made(request));
      return undefined;
    case "ask":
      return asked(sampler(request.sampler), request.name, request.args);
    case "free":
      samplers.get(request.sampler)?.free();
      samplers.delete(request.sampler);
      return undefined;
    case "simd":
      return simd();
  }
}

function problemOf(error: unknown): Problem {
  if (!(error instanceof NucleusError)) return { code: "internal", message: String(error) };
  const cause = error.cause === undefined ? undefined : String(error.cause);
  return { ...error, code: error.code, message: error.message, cause };
}

/** Serves a program until the thread is ended. The listener is there before anything is awaited: no message is lost. */
export function serve(port: ThreadPort, init: Init): void {
  let started: Promise<void> | undefined;
  const reply = async (request: Request): Promise<Reply> => {
    const { id } = request;
    try {
      if (request.kind === "start") started = init(request.source as never);
      await started;
      const value = request.kind === "start" ? undefined : answer(request);
      return { id, kind: "result", value };
    } catch (error) {
      return { id, kind: "problem", problem: problemOf(error) };
    }
  };
  port.listen((request) => void reply(request).then((said) => port.send(given(said))));
}
