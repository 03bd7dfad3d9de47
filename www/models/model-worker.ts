// A model's thread: loads one file, then says what follows the texts that it is asked for.

import init, { Model } from "nucleus-sampler/model";
import type { ModelFile, ModelReply, ModelRequest, ModelResult, Progress } from "./protocol";
import { Reading } from "./reading";

function post(reply: ModelReply, transfer: Transferable[] = []): void {
  self.postMessage(reply, { transfer });
}

/** A turn of the thread's own loop, in which messages come in. */
const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

async function load(file: ModelFile, onProgress: (progress: Progress) => void): Promise<Reading> {
  await init();
  const source = typeof file === "string" ? await fetch(file) : file;
  const model = await Model.stream(source, {
    onProgress: ({ loaded, total }) => onProgress({ done: loaded, total: total ?? null }),
  });
  return new Reading(model, pause);
}

let reading: Reading | null = null;

async function answer(request: Exclude<ModelRequest, { kind: "stop" }>): Promise<ModelResult | null> {
  const onProgress = (progress: Progress) => post({ kind: "progress", id: request.id, ...progress });
  if (request.kind === "load") {
    reading = await load(request.file, onProgress);
    return reading.describe();
  }
  if (reading === null) throw new Error("There is no model yet.");
  return reading.read(request.text, onProgress);
}

function buffersOf(result: ModelResult): ArrayBufferLike[] {
  return result.kind === "row" ? [result.logits.buffer] : [result.bytes.buffer, result.starts.buffer];
}

self.addEventListener("message", async ({ data }: MessageEvent<ModelRequest>) => {
  if (data.kind === "stop") {
    reading?.stop();
    return;
  }
  const { id } = data;
  try {
    const result = await answer(data);
    if (result === null) post({ kind: "superseded", id });
    else post({ kind: "result", id, result }, buffersOf(result) as ArrayBuffer[]);
  } catch (error) {
    post({ kind: "error", id, message: error instanceof Error ? error.message : String(error) });
  }
});
