// The engine's thread: initialises the package, then answers requests in order.

import init from "nucleus-sampler";
import { packageEngine } from "./adapter";
import type { Problem, Reply, Request, Result } from "./protocol";
import { EngineSession } from "./session";

function post(reply: Reply, transfer: Transferable[] = []): void {
  self.postMessage(reply, { transfer });
}

/** The buffers of every typed array in a result, which are handed over instead of copied. */
function buffersOf(value: unknown): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) return value.buffer instanceof ArrayBuffer ? [value.buffer] : [];
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return Object.values(value).flatMap(buffersOf);
}

function problemOf(error: unknown): Problem {
  const known: { code?: unknown; option?: unknown; stage?: unknown; index?: unknown } =
    typeof error === "object" && error !== null ? error : {};
  return {
    code: typeof known.code === "string" ? known.code : "internal",
    message: error instanceof Error ? error.message : String(error),
    option: typeof known.option === "string" ? known.option : null,
    stage: typeof known.stage === "string" ? known.stage : null,
    index: typeof known.index === "number" ? known.index : null,
  };
}

function answer(session: EngineSession, request: Request): void {
  let result: Result;
  try {
    result = session.answer(request);
  } catch (error) {
    post({ kind: "error", id: request.id, problem: problemOf(error) });
    return;
  }
  post({ kind: "result", id: request.id, result }, [...new Set(buffersOf(result))]);
}

try {
  await init();
  const session = new EngineSession(packageEngine);
  self.addEventListener("message", ({ data }: MessageEvent<Request>) => answer(session, data));
  post({ kind: "ready" });
} catch (error) {
  post({ kind: "unavailable", message: problemOf(error).message });
}
