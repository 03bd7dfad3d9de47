// A model's thread in this one: the real reading behind the protocol, each answer a task later.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import init, { Model } from "nucleus-sampler/model";
import type { ModelPort } from "../../www/models/client";
import type { ModelFile, ModelReply, ModelRequest } from "../../www/models/protocol";
import { Reading } from "../../www/models/reading";

const tinyPath = fileURLToPath(new URL("../../models/tiny.gguf", import.meta.url));

export async function tinyModel(): Promise<Model> {
  await init();
  return Model.load(readFileSync(tinyPath));
}

/** The tiny model's file as a person would choose it. */
export function tinyFile(name = "story.gguf"): File {
  return new File([new Uint8Array(readFileSync(tinyPath))], name);
}

export class LocalModelPort implements ModelPort {
  readonly requests: ModelRequest[] = [];
  isTerminated = false;
  readonly #listeners: ((event: { data: ModelReply }) => void)[] = [];
  #reading: Reading | null = null;

  postMessage(request: ModelRequest): void {
    this.requests.push(request);
    if (request.kind === "stop") this.#reading?.stop();
    else void this.#answer(request);
  }

  addEventListener(type: "message" | "error", listener: (event: never) => void): void {
    if (type === "message") this.#listeners.push(listener as (event: { data: ModelReply }) => void);
  }

  terminate(): void {
    this.isTerminated = true;
  }

  #send(data: ModelReply): void {
    if (!this.isTerminated) for (const listener of this.#listeners) listener({ data });
  }

  async #answer(request: Exclude<ModelRequest, { kind: "stop" }>): Promise<void> {
    const { id } = request;
    const onProgress = (progress: { done: number; total: number | null }) =>
      this.#send({ kind: "progress", id, ...progress });
    try {
      await pause();
      if (request.kind === "load") this.#reading = new Reading(await modelOf(request.file), pause);
      const result =
        request.kind === "load"
          ? this.#reading?.describe()
          : await this.#reading?.read(request.text, onProgress);
      if (result === undefined || result === null) this.#send({ kind: "superseded", id });
      else this.#send({ kind: "result", id, result });
    } catch (error) {
      this.#send({ kind: "error", id, message: error instanceof Error ? error.message : String(error) });
    }
  }
}

const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

async function modelOf(file: ModelFile): Promise<Model> {
  if (typeof file === "string") return tinyModel();
  await init();
  return Model.stream(file as never);
}
