// Memory stays flat: 100,000 calls take no more of it than the first few.

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { maskOf, scattered, seeded, WasmSampler } from "./nucleus";

const logits = scattered(1000);
const broken = logits.map((logit, id) => (id === 7 ? Number.NaN : logit));
const mask = maskOf(1000, [...logits.keys()].slice(3));
const gauge = seeded();

/** The least by which memory grows: where free pieces lie may cost one page, and a leak of a byte a call costs more. */
const page = 2 ** 16;

/** Bytes of the module's memory. */
const size = () => gauge.logitsBuffer(1).buffer.byteLength;

/** How much the module's memory grows by `times` calls, after a few to begin with. */
function growth(times: number, call: (n: number) => unknown): number {
  for (let n = 0; n < 20; n += 1) call(n);
  const before = size();
  for (let n = 20; n < times; n += 1) call(n);
  return size() - before;
}

function failing(call: () => unknown): void {
  try {
    call();
  } catch {
    return;
  }
  throw new Error("the call was to fail");
}

test("sampler.sample(logits, { mask }) and accept(token) leak nothing in 100,000 calls", () => {
  const sampler = seeded({ temperature: 0.8, topK: 40, topP: 0.95, minP: 0.01, presencePenalty: 0.1 });
  const grown = growth(100_000, (n) => {
    sampler.accept(sampler.sample(logits, { mask }));
    // The history is the one thing that may grow; without it, nothing is left.
    if (n % 500 === 0) sampler.reset();
  });
  expect(grown).toBeLessThanOrEqual(page);
});

test("sampler.sample(view) leaks nothing in 100,000 calls", () => {
  const sampler = seeded({ topP: 0.9 });
  sampler.logitsBuffer(1000).set(logits);
  expect(growth(100_000, () => sampler.sample(sampler.logitsBuffer(1000)))).toBeLessThanOrEqual(page);
});

test("sampler.sample(logits) that fails leaks nothing in 100,000 calls", () => {
  const sampler = seeded();
  expect(growth(100_000, () => failing(() => sampler.sample(broken)))).toBeLessThanOrEqual(page);
});

test("sampler.sampleMany, sampleBatch and every preview leak nothing in 10,000 calls", () => {
  const sampler = seeded({ temperature: 0.8, topK: 40 });
  const small = logits.slice(0, 100);
  const grown = growth(10_000, () => {
    sampler.sampleMany(small, 10);
    sampler.sampleBatch(small, 4);
    sampler.sampleDetailed(small);
    sampler.distribution(small);
    sampler.report(small, { tokens: true });
    sampler.explain(small, 3);
    sampler.logprobs(small, 5, { token: 9 });
  });
  expect(grown).toBeLessThanOrEqual(page);
});

test("sampler.update, addRow, removeRow, state and options leak nothing in 10,000 calls", () => {
  const sampler = seeded();
  const grown = growth(10_000, (n) => {
    sampler.update({ topK: n % 50, logitBias: { [n % 100]: 1 } });
    sampler.removeRow(sampler.addRow({ topP: 0.5, allowedTokens: [1, 2, 3] }));
    failing(() => sampler.update({ topP: 2 }));
    sampler.state();
    return sampler.options;
  });
  expect(grown).toBeLessThanOrEqual(page);
});

test("new WasmSampler(), clone(), fromState() and free() leak nothing in 10,000 samplers", () => {
  const grown = growth(10_000, () => {
    const sampler = seeded({ topP: 0.9 });
    sampler.sample(logits);
    const clone = sampler.clone();
    const heir = WasmSampler.fromState(sampler.state());
    clone.sample(logits);
    heir.sample(logits);
    for (const each of [sampler, clone, heir]) each.free();
    failing(() => seeded({ topP: 2 }));
    failing(() => WasmSampler.fromState({ version: 2 }));
  });
  expect(grown).toBeLessThanOrEqual(page);
});

/** Collects garbage, and lets what was registered for the end of an object run. */
async function collect(): Promise<void> {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  await new Promise((resolve) => setImmediate(resolve));
}

test("sampler.logitsBuffer(n) is memory that is used again once its view is collected", async () => {
  const megabyte = 2 ** 20;
  const rounds = async (times: number) => {
    for (let n = 0; n < times; n += 1) {
      const sampler = seeded();
      sampler.logitsBuffer(megabyte / 4).fill(n);
      sampler.free();
      if (n % 4 === 3) await collect();
    }
  };
  // The room for calls on such a view is had once.
  await rounds(40);
  const before = size();
  await rounds(60);
  expect(size() - before).toBeLessThan(16 * megabyte);
});
