import { expect, test } from "vitest";
import { EngineClient, EngineError } from "../../www/engine/client";
import type { DrawResult, Reply, Request } from "../../www/engine/protocol";

/** A port that answers nothing by itself. */
class SilentPort {
  readonly requests: Request[] = [];
  readonly #listeners = new Map<string, (event: never) => void>();

  postMessage(request: Request): void {
    this.requests.push(request);
  }

  addEventListener(type: string, listener: (event: never) => void): void {
    this.#listeners.set(type, listener);
  }

  reply(data: Reply): void {
    this.#listeners.get("message")?.({ data } as never);
  }

  fail(message: string): void {
    this.#listeners.get("error")?.({ message } as never);
  }
}

const drawn = (last: number): DrawResult => ({
  kind: "draw",
  n: 1,
  counts: Uint32Array.of(1),
  last,
  target: null,
  kept: Uint32Array.of(0),
  statistics: {
    expected: Float64Array.of(1),
    low: Float64Array.of(1),
    high: Float64Array.of(1),
    totalVariation: 0,
    degrees: 0,
    pValue: 1,
  },
  guarded: null,
});

test("client.draw(stretch) gives each caller the answer with its own id, whatever the order", async () => {
  const port = new SilentPort();
  const client = new EngineClient(port);
  const [first, second] = [
    client.draw({ seed: "42", stream: 0, from: 0, n: 1 }),
    client.draw({ seed: "42", stream: 0, from: 0, n: 2 }),
  ];
  const [one, two] = port.requests.map(({ id }) => id);
  port.reply({ kind: "result", id: two ?? 0, result: drawn(2) });
  port.reply({ kind: "result", id: one ?? 0, result: drawn(1) });
  expect((await first).last).toBe(1);
  expect((await second).last).toBe(2);
});

test("client.draw(stretch) rejects with the engine's own problem", async () => {
  const port = new SilentPort();
  const asked = new EngineClient(port).draw({ seed: "42", stream: 0, from: 0, n: 9 });
  const problem = { code: "bad_token", message: "no such token", option: null, stage: null, index: 9 };
  port.reply({ kind: "error", id: port.requests[0]?.id ?? 0, problem });
  await expect(asked).rejects.toSatisfy((error) => error instanceof EngineError && error.problem === problem);
});

test("client.ready rejects when the engine cannot be started", async () => {
  const port = new SilentPort();
  const { ready } = new EngineClient(port);
  port.reply({ kind: "unavailable", message: "no WebAssembly here" });
  await expect(ready).rejects.toThrow("no WebAssembly here");
});

test("a worker that breaks rejects everything that waits for it", async () => {
  const port = new SilentPort();
  const client = new EngineClient(port);
  client.ready.catch(() => {});
  const asked = client.draw({ seed: "42", stream: 0, from: 0, n: 1 });
  port.fail("out of memory");
  await expect(asked).rejects.toThrow("out of memory");
});
