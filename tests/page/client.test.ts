import { expect, test } from "vitest";
import { EngineClient, EngineError } from "../../www/engine/client";
import type { Explanation, Reply, Request } from "../../www/engine/protocol";

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

const explanation = (token: number): Explanation => ({
  kind: "explain",
  token,
  kept: true,
  stage: null,
  logit: 0,
  rank: 0,
  weight: 2 ** 44,
  prob: 1,
  massBefore: 0,
  threshold: null,
  keptBefore: 1,
  keptAfter: 1,
});

test("client.explain(token) gives each caller the answer with its own id, whatever the order", async () => {
  const port = new SilentPort();
  const client = new EngineClient(port);
  const [first, second] = [client.explain(1), client.explain(2)];
  const [one, two] = port.requests.map(({ id }) => id);
  port.reply({ kind: "result", id: two ?? 0, result: explanation(2) });
  port.reply({ kind: "result", id: one ?? 0, result: explanation(1) });
  expect((await first).token).toBe(1);
  expect((await second).token).toBe(2);
});

test("client.explain(token) rejects with the engine's own problem", async () => {
  const port = new SilentPort();
  const asked = new EngineClient(port).explain(9);
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
  const asked = client.explain(1);
  port.fail("out of memory");
  await expect(asked).rejects.toThrow("out of memory");
});
