// What several of the page's tests need: the packed rows read from disk, and the real engine behind the protocol.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import init from "nucleus-sampler";
import { packageEngine } from "../../www/engine/adapter";
import type { Port } from "../../www/engine/client";
import type { Engine } from "../../www/engine/engine";
import type { Reply, Request } from "../../www/engine/protocol";
import { EngineSession } from "../../www/engine/session";
import type { RowState } from "../../www/playground";
import { recordedRow } from "../../www/sources/catalogue";
import { handRow } from "../../www/sources/hand";
import type { Row } from "../../www/sources/row";
import { unpackRow, unpackVocabulary } from "../../www/sources/unpack";
import { byteLevelTexts, type TokenTexts } from "../../www/sources/vocabulary";

/** A packed file of www/data as the page fetches it. */
export function packed(name: string): ReadableStream<Uint8Array<ArrayBuffer>> {
  const path = fileURLToPath(new URL(`../../www/data/${name}.bin`, import.meta.url));
  return new Blob([new Uint8Array(readFileSync(path))]).stream();
}

let texts: Promise<TokenTexts> | null = null;

export async function recorded(name: string): Promise<Row> {
  texts ??= unpackVocabulary(packed("vocabulary")).then(byteLevelTexts);
  const row = recordedRow(name);
  if (row === null) throw new Error(`There is no row ${name}.`);
  const logits = await unpackRow(packed(name));
  return { key: name, prompt: row.prompt, promptTokens: row.ids, texts: await texts, logits };
}

/** Opens rows as the page does, from disk. */
export function openFromDisk({ source, hand }: RowState): Row | Promise<Row> {
  return source === "hand" ? handRow(hand) : recorded(source);
}

/** The package as the worker sees it. */
export async function realEngine(): Promise<Engine> {
  await init();
  return packageEngine;
}

/** A worker in this thread: the real session behind the protocol, each answer a task later. */
export class LocalPort implements Port {
  readonly requests: Request[] = [];
  readonly #session: EngineSession;
  readonly #listeners: ((event: { data: Reply }) => void)[] = [];

  constructor(engine: Engine) {
    this.#session = new EngineSession(engine);
    setTimeout(() => this.#send({ kind: "ready" }), 0);
  }

  postMessage(request: Request): void {
    this.requests.push(structuredClone(request));
    setTimeout(() => this.#send(this.#answer(request)), 0);
  }

  addEventListener(type: "message" | "error", listener: (event: never) => void): void {
    if (type === "message") this.#listeners.push(listener as (event: { data: Reply }) => void);
  }

  #send(data: Reply): void {
    for (const listener of this.#listeners) listener({ data });
  }

  #answer(request: Request): Reply {
    try {
      return { kind: "result", id: request.id, result: this.#session.answer(request) };
    } catch (error) {
      const { code, option, stage, index } = error as Record<string, never>;
      const message = error instanceof Error ? error.message : String(error);
      const problem = {
        code: code ?? "internal",
        message,
        option: option ?? null,
        stage: stage ?? null,
        index: index ?? null,
      };
      return { kind: "error", id: request.id, problem };
    }
  }
}

/** Waits until a condition holds; the page's own work is done in tasks and microtasks. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  for (let turn = 0; turn < 2000; turn++) {
    if (condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  throw new Error(`${what} did not happen.`);
}
