// logitsBuffer: a view into the module's memory to write into, without a copy and without a wrong answer.
import { expect, test } from "vitest";
import { scattered, seeded, thrown, untyped, type WasmSampler } from "../nucleus";

const values = scattered(64);

const memorySize = () => seeded().logitsBuffer(1).buffer.byteLength;

/** Views that keep their memory taken. */
const held: Float32Array[] = [];

/** Makes the module's memory grow: other samplers ask for room until there is none left. */
function growMemory(): void {
  const before = memorySize();
  while (memorySize() === before) held.push(seeded().logitsBuffer(2 ** 18));
}

/** Leaves room free, so that the next few megabytes are had without growth. */
function leaveRoom(): void {
  const sampler = seeded();
  sampler.sample(new Float32Array(2 ** 19));
  sampler.free();
}

const uses: [string, (sampler: WasmSampler, view: Float32Array) => unknown][] = [
  ["sample", (sampler, view) => sampler.sample(view)],
  ["sampleDetailed", (sampler, view) => sampler.sampleDetailed(view)],
  ["sampleMany", (sampler, view) => sampler.sampleMany(view, 2)],
  ["sampleBatch", (sampler, view) => sampler.sampleBatch(view, 1)],
  ["distribution", (sampler, view) => sampler.distribution(view)],
  ["report", (sampler, view) => sampler.report(view)],
  ["explain", (sampler, view) => sampler.explain(view, 0)],
  ["logprobs", (sampler, view) => sampler.logprobs(view, 1)],
];

test("sampler.logitsBuffer(n) is a Float32Array of n zeros at first", () => {
  for (const n of [1, 7, 64, 49_152]) expect(seeded().logitsBuffer(n)).toEqual(new Float32Array(n));
});

test("sampler.logitsBuffer(n) returns the same view while it is valid", () => {
  leaveRoom();
  const sampler = seeded();
  const view = sampler.logitsBuffer(64);
  view.set(values);
  const same = [sampler.logitsBuffer(64) === view];
  sampler.sample(view);
  sampler.accept(1);
  sampler.sample(scattered(64));
  same.push(sampler.logitsBuffer(64) === view);
  expect(same).toEqual([true, true]);
});

test.each(uses)("sampler.%s(view) works on what was written into the view", (_, use) => {
  const [written, passed] = [seeded({ topP: 0.9 }), seeded({ topP: 0.9 })];
  for (let step = 1; step < 6; step += 1) {
    const logits = scattered(64, step);
    written.logitsBuffer(64).set(logits);
    expect(use(written, written.logitsBuffer(64))).toEqual(use(passed, logits));
  }
  expect(written.state()).toEqual(passed.state());
});

test("sampler.sample(view) sees each single value that is written, for it copies nothing", () => {
  const sampler = seeded({ temperature: 0 });
  for (const best of [5, 63, 0, 17]) {
    const view = sampler.logitsBuffer(64);
    view.fill(0);
    view[best] = 1;
    expect(sampler.sample(view)).toBe(best);
  }
});

test.each(uses)("sampler.%s(view) does not change the row in it", (_, use) => {
  const sampler = seeded({ temperature: 0.5, topK: 9, topP: 0.9, logitBias: { 1: 5 }, repetitionPenalty: 2 });
  sampler.accept(3);
  const view = sampler.logitsBuffer(64);
  view.set(values);
  use(sampler, view);
  expect(sampler.logitsBuffer(64)).toEqual(values);
});

test("sampler.sampleBatch(view, n) takes a view of rows x vocab", () => {
  const [written, passed] = [seeded(), seeded()];
  const logits = scattered(6 * 50);
  written.logitsBuffer(6 * 50).set(logits);
  expect(written.sampleBatch(written.logitsBuffer(6 * 50), 6)).toEqual(passed.sampleBatch(logits, 6));
});

test.each(uses)(
  "sampler.%s(view) is stale_buffer after memory has grown; fetched again, the contents are there",
  (_, use) => {
    const sampler = seeded();
    const old = sampler.logitsBuffer(64);
    old.set(values);
    growMemory();
    const before = sampler.state();
    expect(thrown(() => use(sampler, old)).code).toBe("stale_buffer");
    expect(sampler.state()).toEqual(before);
    const view = sampler.logitsBuffer(64);
    expect(view === old).toBe(false);
    expect(view).toEqual(values);
    expect(thrown(() => use(sampler, old)).code).toBe("stale_buffer");
    expect(use(sampler, view)).toEqual(use(seeded(), values));
  },
);

test("sampler.sample(view) is stale_buffer for the view of an earlier size", () => {
  const sampler = seeded();
  const small = sampler.logitsBuffer(64);
  small.set(values);
  const large = sampler.logitsBuffer(100);
  expect([...large]).toEqual([...values, ...Array(36).fill(0)]);
  expect(thrown(() => sampler.sample(small)).code).toBe("stale_buffer");
  const smaller = sampler.logitsBuffer(10);
  expect(smaller).toEqual(values.slice(0, 10));
  expect(thrown(() => sampler.sample(large)).code).toBe("stale_buffer");
  expect(sampler.sample(smaller)).toBeLessThan(10);
});

test("sampler.sample(view) is stale_buffer for every other view into the module's memory", () => {
  leaveRoom();
  const [sampler, other] = [seeded(), seeded()];
  const view = sampler.logitsBuffer(64);
  view.set(values);
  const strangers = [
    view.subarray(0, 64),
    view.subarray(0, 10),
    new Float32Array(view.buffer, view.byteOffset, 64),
    new Float32Array(view.buffer, 0, 8),
    other.logitsBuffer(64),
  ];
  for (const stranger of strangers) expect(thrown(() => sampler.sample(stranger)).code).toBe("stale_buffer");
  expect(sampler.sample(view)).toBe(seeded().sample(values));
  expect(thrown(() => other.sample(view)).code).toBe("stale_buffer");
});

test("sampler.sample(part) says that only the whole view can be passed, and that a copy can", () => {
  leaveRoom();
  const sampler = seeded();
  const view = sampler.logitsBuffer(64);
  expect(thrown(() => sampler.sample(view.subarray(0, 10))).message).toMatch(
    /only the whole view.*copy a part with slice\(\)$/,
  );
  expect(sampler.sample(view.slice(0, 10))).toBeLessThan(10);
  expect(thrown(() => seeded().sample(view)).message).toMatch(
    /another sampler.*call logitsBuffer\(\) again$/,
  );
  growMemory();
  expect(thrown(() => sampler.sample(view)).message).toMatch(
    /memory has grown or was replaced since: call logitsBuffer\(\) again$/,
  );
});

test("sampler.sample(view) is stale_buffer for a part of a view that memory's growth has ended", () => {
  const sampler = seeded();
  const part = sampler.logitsBuffer(64).subarray(0, 10);
  growMemory();
  expect(thrown(() => sampler.sample(part)).code).toBe("stale_buffer");
});

test("sampler.sample(copy) accepts a copy of the view", () => {
  const sampler = seeded();
  sampler.logitsBuffer(64).set(values);
  expect(sampler.sample(sampler.logitsBuffer(64).slice())).toBe(seeded().sample(values));
});

test("sampler.sample(logits) of other logits leaves what is in the view", () => {
  const sampler = seeded();
  const view = sampler.logitsBuffer(64);
  view.set(values);
  sampler.sample(scattered(64, 9));
  sampler.sample(scattered(1000, 9));
  expect(sampler.logitsBuffer(64)).toEqual(values);
});

test("sampler.free() leaves a view's memory alone: no other sampler is given it while the view lives", () => {
  leaveRoom();
  const views: Float32Array[] = [];
  const taken = () => {
    const sampler = seeded();
    const view = sampler.logitsBuffer(5000);
    views.push(view);
    return { sampler, view };
  };
  const first = taken();
  first.sampler.free();
  const later = Array.from({ length: 20 }, taken);
  for (const { view } of later) view.fill(1);
  for (const { sampler } of later.slice(0, 10)) sampler.free();
  expect(new Set(views.map(({ byteOffset }) => byteOffset)).size).toBe(views.length);
  first.view.fill(9);
  for (const { sampler } of later.slice(10)) {
    expect(sampler.logitsBuffer(5000).every((value) => value === 1)).toBe(true);
  }
  expect(thrown(() => later.at(-1)?.sampler.sample(first.view)).code).toBe("stale_buffer");
});

test("sampler.logitsBuffer(n) belongs to one sampler: others write elsewhere", () => {
  const samplers = Array.from({ length: 8 }, () => seeded());
  for (const [i, sampler] of samplers.entries()) sampler.logitsBuffer(300).fill(i);
  for (const [i, sampler] of samplers.entries()) {
    expect(sampler.logitsBuffer(300)).toEqual(new Float32Array(300).fill(i));
  }
});

const wrongSizes: [string, unknown][] = [
  ["out_of_range", 0],
  ["out_of_range", -1],
  ["out_of_range", 1.5],
  ["out_of_range", 2 ** 32],
  ["out_of_range", Number.NaN],
  ["wrong_type", "64"],
  ["wrong_type", null],
  ["wrong_type", undefined],
  ["wrong_type", 64n],
];

test.each(wrongSizes)(
  "sampler.logitsBuffer(n) is %s for %o, and the view there was stays valid",
  (code, n) => {
    const sampler = seeded();
    const view = sampler.logitsBuffer(64);
    view.set(values);
    expect(thrown(() => sampler.logitsBuffer(untyped(n)))).toMatchObject({ code, option: "vocabSize" });
    expect(sampler.sample(view)).toBe(seeded().sample(values));
  },
);

test.each([2 ** 29, 2 ** 32 - 1])(
  "sampler.logitsBuffer(%i) is too_large, and the view there was stays valid",
  (n) => {
    const sampler = seeded();
    const view = sampler.logitsBuffer(64);
    view.set(values);
    const error = thrown(() => sampler.logitsBuffer(n));
    expect(error).toMatchObject({ code: "too_large", accepted: expect.stringMatching(/^at most \d+$/) });
    expect(sampler.sample(view)).toBe(seeded().sample(values));
  },
);

test("sampler.sample(view) knows that a view has ended, whatever is written over its length", () => {
  const sampler = seeded({ temperature: 0 });
  const view = sampler.logitsBuffer(4);
  view.set([1, 2, 3, 4]);
  Object.defineProperty(view, "length", { value: 4 });
  growMemory();
  expect(thrown(() => sampler.sample(view)).code).toBe("stale_buffer");
  expect(sampler.sample(sampler.logitsBuffer(4))).toBe(3);
});
