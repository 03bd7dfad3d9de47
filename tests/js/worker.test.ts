// The package's worker: the same answers as in the program's own thread, by promises.
import type { SamplerOptions } from "nucleus-sampler";
import { WasmSampler } from "nucleus-sampler";
import { SamplerWorker, type WorkerLike } from "nucleus-sampler/worker";
import { afterAll, beforeAll, expect, test } from "vitest";
import { askedNames } from "../../js/worker/names";
import { seeded } from "./nucleus";

const logits = Float32Array.from({ length: 1000 }, (_, id) => Math.fround(Math.sin(id * 12.9898) * 6));
const options: SamplerOptions = { temperature: 0.8, topP: 0.95, repetitionPenalty: 1.1, seed: 42 };
let worker: SamplerWorker;

beforeAll(() => {
  worker = new SamplerWorker();
});

afterAll(() => worker.terminate());

const codeOf = (asked: Promise<unknown>) =>
  asked.then(
    () => "no error",
    (error) => [error.name, error.code],
  );

test("every member of a sampler can be asked from another thread, but for what only memory of its own can give", () => {
  const members = Object.getOwnPropertyNames(WasmSampler.prototype);
  const here = ["constructor", "clone", "free", "logitsBuffer"];
  expect([...askedNames, ...here].sort()).toEqual(members.sort());
});

test("a worker's sampler answers every call as a sampler of this thread does", async () => {
  seeded().free();
  const here = new WasmSampler(options);
  const there = await worker.sampler(options);
  const mask = new Uint32Array(32).fill(0x0fffffff);
  here.prompt([1, 5, 9]);
  await there.prompt([1, 5, 9]);
  for (let step = 0; step < 4; step += 1) {
    const token = here.sample(logits, { mask });
    expect(await there.sample(logits, { mask })).toBe(token);
    here.accept(token);
    await there.accept(token);
  }
  expect(await there.distribution(logits)).toEqual(here.distribution(logits));
  expect(await there.report(logits, { tokens: true })).toEqual(here.report(logits, { tokens: true }));
  expect(await there.explain(logits, 3)).toEqual(here.explain(logits, 3));
  expect(await there.logprobs(logits, 5, { token: 3 })).toEqual(here.logprobs(logits, 5, { token: 3 }));
  expect(await there.sampleDetailed(logits)).toEqual(here.sampleDetailed(logits));
  expect(await there.sampleMany(logits, 20)).toEqual(here.sampleMany(logits, 20));
  expect(await there.addRow({ temperature: 2 })).toBe(here.addRow({ temperature: 2 }));
  expect(await there.rowOptions(1)).toEqual(here.rowOptions(1));
  const masks = [undefined, new Uint32Array(16).fill(7)];
  expect(await there.sampleBatch(logits, [0, 1], { masks })).toEqual(
    here.sampleBatch(logits, [0, 1], { masks }),
  );
  expect(await there.rowErrors()).toEqual(here.rowErrors());
  await there.removeRow(1);
  here.removeRow(1);
  await there.update({ topK: 7 });
  here.update({ topK: 7 });
  expect(await there.options()).toEqual(here.options);
  expect(await there.state()).toEqual(here.state());
  await there.reset();
  here.reset();
  expect(await there.state()).toEqual(here.state());
  await there.free();
});

test("fromState(state) and clone() give samplers with the same future", async () => {
  const sampler = await worker.sampler(options);
  await sampler.sampleMany(logits, 5);
  const restored = await worker.fromState(JSON.parse(JSON.stringify(await sampler.state())));
  const copy = await sampler.clone();
  const other = await sampler.clone({ stream: 9 });
  const drawn = await sampler.sampleMany(logits, 20);
  expect(await restored.sampleMany(logits, 20)).toEqual(drawn);
  expect(await copy.sampleMany(logits, 20)).toEqual(drawn);
  expect(await other.sampleMany(logits, 20)).not.toEqual(drawn);
});

test("calls that are not awaited are answered in their order", async () => {
  const sampler = await worker.sampler(options);
  const expected = new WasmSampler(options).sampleMany(logits, 50);
  const asked = Array.from({ length: 50 }, () => sampler.sample(logits));
  expect(await Promise.all(asked)).toEqual([...expected]);
});

test("the caller's arrays stay the caller's, whatever buffer they are views of", async () => {
  const sampler = await worker.sampler({ seed: 42 });
  const large = new Float32Array(4000);
  large.set(logits, 1500);
  const view = large.subarray(1500, 2500);
  const shared = new Float32Array(new SharedArrayBuffer(4000));
  shared.set(logits);
  const expected = new WasmSampler({ seed: 42 }).sampleMany(logits, 3);
  expect([
    await sampler.sample(view),
    await sampler.sample(shared),
    await sampler.sample([...logits]),
  ]).toEqual([...expected]);
  expect(view.length).toBe(1000);
  expect(large[1500 + 7]).toBe(logits[7]);
});

test("errors keep their code and what they point at", async () => {
  const sampler = await worker.sampler();
  await expect(sampler.sample(Float32Array.of(1, Number.NaN))).rejects.toMatchObject({
    name: "NucleusError",
    code: "not_finite",
    index: 1,
  });
  await expect(worker.sampler({ topP: 2 })).rejects.toMatchObject({ code: "out_of_range", option: "topP" });
  await expect(worker.sampler({ topP: () => 1 } as never)).rejects.toMatchObject({ code: "wrong_type" });
  await expect(sampler.sample(new Float64Array(3) as never)).rejects.toMatchObject({ code: "wrong_type" });
  await expect(worker.fromState({ version: 999 } as never)).rejects.toMatchObject({ code: "state_version" });
  await expect(worker.fromState({ version: () => 1 } as never)).rejects.toMatchObject({
    code: "state_invalid",
  });
});

test("after free() any use is the error freed, and a second free() is harmless", async () => {
  const sampler = await worker.sampler();
  await sampler.free();
  await sampler.free();
  expect(await codeOf(sampler.sample(logits))).toEqual(["NucleusError", "freed"]);
  expect(await codeOf(sampler.clone())).toEqual(["NucleusError", "freed"]);
});

test("terminate() rejects what is not answered, and whatever is asked later, with freed", async () => {
  const ended = new SamplerWorker();
  const sampler = await ended.sampler();
  const asked = sampler.sample(logits);
  ended.terminate();
  ended.terminate();
  expect(await codeOf(asked)).toEqual(["NucleusError", "freed"]);
  expect(await codeOf(sampler.sample(logits))).toEqual(["NucleusError", "freed"]);
  expect(await codeOf(ended.sampler())).toEqual(["NucleusError", "freed"]);
});

test("a worker whose module does not start says so to everyone who asks", async () => {
  const broken = new SamplerWorker({ source: Uint8Array.of(1, 2, 3) });
  await expect(broken.ready).rejects.toMatchObject({ code: "not_initialized" });
  await expect(broken.sampler()).rejects.toMatchObject({
    code: "not_initialized",
    message: expect.stringMatching(/begins with 1 2 3/),
  });
  broken.terminate();
});

test.each([true, false])("new SamplerWorker({ source: { simd: %s } }) runs that build", async (simd) => {
  const chosen = new SamplerWorker({ source: { simd } });
  expect(await chosen.simd()).toBe(simd);
  const sampler = await chosen.sampler(options);
  expect(await sampler.sampleMany(logits, 20)).toEqual(new WasmSampler(options).sampleMany(logits, 20));
  chosen.terminate();
});

test("a worker that cannot be loaded rejects what is asked of it", async () => {
  let fail: (event: { message?: string }) => void = () => undefined;
  const dead: WorkerLike = {
    postMessage: () => undefined,
    addEventListener: (type, listener) => {
      if (type === "error") fail = listener;
    },
    terminate: () => undefined,
  };
  const unloaded = new SamplerWorker({ worker: dead });
  const asked = unloaded.sampler();
  fail({});
  await expect(asked).rejects.toMatchObject({
    code: "not_initialized",
    message: "the sampler's worker could not be run: it was not loaded",
  });
});
