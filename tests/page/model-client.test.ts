import { describe, expect, test } from "vitest";
import { ModelClient, type ModelPort } from "../../www/models/client";
import type { ModelReply, ModelRequest, NextRow } from "../../www/models/protocol";

/** A port that answers nothing by itself. */
class SilentPort implements ModelPort {
  readonly requests: ModelRequest[] = [];
  isTerminated = false;
  readonly #listeners = new Map<string, (event: never) => void>();

  postMessage(request: ModelRequest): void {
    this.requests.push(request);
  }

  addEventListener(type: string, listener: (event: never) => void): void {
    this.#listeners.set(type, listener);
  }

  terminate(): void {
    this.isTerminated = true;
  }

  reply(data: ModelReply): void {
    this.#listeners.get("message")?.({ data } as never);
  }

  fail(message: string): void {
    this.#listeners.get("error")?.({ message } as never);
  }
}

const never = () => {};
const row = (logit: number): NextRow => ({
  kind: "row",
  promptTokens: Uint32Array.of(1),
  logits: Float32Array.of(logit),
});

describe("client.read(text, onProgress)", () => {
  const text = { prompt: "a", output: [] };

  test("gives each caller its own row, and tells how far it is", async () => {
    const port = new SilentPort();
    const client = new ModelClient(port);
    const seen: number[] = [];
    const [first, second] = [client.read(text, never), client.read(text, ({ done }) => seen.push(done))];
    port.reply({ kind: "progress", id: 2, done: 16, total: 40 });
    port.reply({ kind: "result", id: 2, result: row(2) });
    port.reply({ kind: "result", id: 1, result: row(1) });
    expect((await first).logits[0]).toBe(1);
    expect((await second).logits[0]).toBe(2);
    expect(seen).toEqual([16]);
  });

  test("rejects as given up where a newer text took its place", async () => {
    const port = new SilentPort();
    const asked = new ModelClient(port).read(text, never);
    port.reply({ kind: "superseded", id: 1 });
    await expect(asked).rejects.toMatchObject({ name: "AbortError" });
  });

  test("rejects with what the model says is wrong", async () => {
    const port = new SilentPort();
    const asked = new ModelClient(port).read(text, never);
    port.reply({ kind: "error", id: 1, message: "no such token" });
    await expect(asked).rejects.toThrow("no such token");
  });

  test("rejects where the thread breaks", async () => {
    const port = new SilentPort();
    const asked = new ModelClient(port).read(text, never);
    port.fail("out of memory");
    await expect(asked).rejects.toThrow("out of memory");
  });
});

test("client.stop() asks the thread to give up reading", () => {
  const port = new SilentPort();
  new ModelClient(port).stop();
  expect(port.requests).toEqual([{ kind: "stop" }]);
});

test("client.close() ends the thread, and what was asked rejects as given up", async () => {
  const port = new SilentPort();
  const client = new ModelClient(port);
  const asked = client.load("model.gguf", never);
  client.close();
  expect(port.isTerminated).toBe(true);
  await expect(asked).rejects.toMatchObject({ name: "AbortError" });
});
