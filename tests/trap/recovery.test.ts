// A module that breaks in the middle of a call: one error, a new instance, and every sampler goes on as if nothing had been.
import type { SamplerOptions } from "nucleus-sampler";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { kindOf } from "../../js/typed";
import { type Fuse, fuses, lit, NucleusError, scattered, thrown, WasmSampler, Whole } from "./trap";

// The module says on the console what broke.
beforeAll(() => void vi.spyOn(console, "error").mockImplementation(() => {}));

const N = 200;
const logits = scattered(N);
const other = scattered(N, 7);
const three = Float32Array.of(...logits, ...other, ...scattered(N, 9));
const mask = new Uint32Array(Math.ceil(N / 32)).fill(0xffffffff);

/** Rows 1 and 2 of a batch break it: row 0 has been drawn already then. */
const litBatch = (fuse: Fuse) => Float32Array.of(...logits, ...lit(other, fuse), ...other);

const calls: [string, (sampler: WasmSampler, fuse: Fuse) => unknown][] = [
  ["sample(logits)", (sampler, fuse) => sampler.sample(lit(logits, fuse))],
  ["sample(view)", (sampler, fuse) => sampler.sample(filled(sampler, lit(logits, fuse)))],
  ["sample(logits, { mask })", (sampler, fuse) => sampler.sample(lit(logits, fuse), { mask })],
  ["sampleDetailed(logits)", (sampler, fuse) => sampler.sampleDetailed(lit(logits, fuse))],
  ["sampleMany(logits, n)", (sampler, fuse) => sampler.sampleMany(lit(logits, fuse), 5)],
  ["sampleBatch(logits, n)", (sampler, fuse) => sampler.sampleBatch(litBatch(fuse), 3)],
  [
    "sampleBatch(logits, ids)",
    (sampler, fuse) => sampler.sampleBatch(litBatch(fuse).slice(0, 2 * N), [1, 0]),
  ],
  ["distribution(logits)", (sampler, fuse) => sampler.distribution(lit(logits, fuse))],
  ["report(logits)", (sampler, fuse) => sampler.report(lit(logits, fuse), { tokens: true })],
  ["explain(logits, token)", (sampler, fuse) => sampler.explain(lit(logits, fuse), 3)],
  ["logprobs(logits, n)", (sampler, fuse) => sampler.logprobs(lit(logits, fuse), 3)],
];

function filled(sampler: WasmSampler, logits: Float32Array): Float32Array {
  const view = sampler.logitsBuffer(logits.length);
  view.set(logits);
  return view;
}

const settings: [string, SamplerOptions][] = [
  ["top-p and penalties", { temperature: 0.8, topP: 0.95, presencePenalty: 0.3, penaltyLastN: 4, seed: 5 }],
  ["mirostat, with a pending draw", { mirostat: { version: 2, tau: 4, eta: 0.2 }, seed: 6 }],
  ["XTC and DRY", { xtc: { probability: 0.5, threshold: 0.05 }, dry: { multiplier: 1 }, seed: 7 }],
  ["a guard that relaxes", { minP: 0.5, guard: { policy: "relax", maxMaskedMass: 0.1 }, seed: 8 }],
];

/** A sampler in the middle of its work: a prompt, two rows, accepted tokens, a draw that waits. */
function atWork<S extends WasmSampler>(sampler: S): S {
  sampler.prompt([1, 2, 3, 2]);
  sampler.addRow({ temperature: 1.5 });
  for (let step = 0; step < 3; step += 1) {
    sampler.accept(sampler.sample(logits));
    sampler.sampleBatch(three.subarray(0, 2 * N), 2).forEach((token, row) => {
      sampler.accept(token, row);
    });
  }
  sampler.sample(other);
  return sampler;
}

/** What becomes of a sampler: its state, and everything that it gives from now on. */
function future(sampler: WasmSampler): unknown {
  const tokens = [];
  for (let step = 0; step < 5; step += 1) {
    tokens.push(sampler.sample(logits), sampler.sampleDetailed(other), ...sampler.sampleMany(logits, 3));
    tokens.push(...sampler.sampleBatch(three, 3), sampler.sample(other));
    sampler.accept(tokens.at(-1) as number);
  }
  return { tokens, state: sampler.state(), options: sampler.options, row: sampler.rowOptions(1) };
}

const fuseNames = Object.keys(fuses) as Fuse[];

describe.each(settings)("a sampler with %s", (_, options) => {
  describe.each(fuseNames)("that breaks by %s", (fuse) => {
    test.each(calls)("in %s goes on from its state before the call", (_, call) => {
      const sampler = atWork(new WasmSampler(options));
      const before = sampler.state();
      const error = thrown(() => call(sampler, fuse)) as InstanceType<typeof NucleusError>;
      expect(error).toBeInstanceOf(NucleusError);
      expect(error.code).toBe("internal");
      expect(error.message).toMatch(
        /^the sampler broke \(.*\) and its module was replaced: every sampler goes on/,
      );
      expect(error.cause).toBeInstanceOf(fuse === "calls" ? RangeError : WebAssembly.RuntimeError);
      expect(sampler.state()).toEqual(before);
      expect(future(sampler)).toEqual(future(atWork(new Whole(options))));
      sampler.free();
    });
  });
});

test("every other sampler goes on, and clones, the freed and the lately made are what they were", () => {
  const [, options] = settings[1] as [string, SamplerOptions];
  const make = () => Array.from({ length: 20 }, (_, seed) => atWork(new WasmSampler({ ...options, seed })));
  const [samplers, twins] = [make(), make().map((sampler) => Whole.fromState(sampler.state()))];
  const clones = samplers.map((sampler) => sampler.clone());
  samplers[3]?.free();
  thrown(() => samplers[7]?.sample(lit(logits)));
  samplers[4]?.free();
  const late = atWork(new WasmSampler(options));
  thrown(() => clones[2]?.report(lit(logits, "calls")));
  for (const gone of [3, 4])
    expect(thrown(() => samplers[gone]?.sample(logits))).toMatchObject({ code: "freed" });
  twins.forEach((twin, i) => {
    const expected = future(twin);
    expect(future(clones[i] as WasmSampler)).toEqual(expected);
    if (i !== 3 && i !== 4) expect(future(samplers[i] as WasmSampler)).toEqual(expected);
  });
  expect(future(late)).toEqual(future(atWork(new Whole(options))));
});

test("only the call that broke is taken back: what another sampler did last stays", () => {
  const [sampler, breaking] = [new WasmSampler({ seed: 1 }), new WasmSampler({ seed: 2 })];
  const twin = new Whole({ seed: 1 });
  for (const each of [sampler, twin]) each.sampleBatch(three, 3);
  thrown(() => breaking.sampleBatch(litBatch("panic"), 3));
  expect(sampler.state()).toEqual(twin.state());
  expect(breaking.state()).toEqual(new Whole({ seed: 2 }).state());
  // The same where a call that commits last follows one that does not.
  for (const each of [sampler, twin]) each.sampleMany(logits, 4);
  thrown(() => sampler.sample(lit(logits)));
  expect(sampler.state()).toEqual(twin.state());
});

test("sampler.logitsBuffer(n) has its contents in the new instance, and the old view is stale_buffer", () => {
  const [sampler, breaking] = [new WasmSampler({ seed: 1 }), new WasmSampler({ seed: 2 })];
  const old = filled(sampler, other);
  const part = old.subarray(0, 10);
  thrown(() => breaking.sample(lit(logits)));
  for (const view of [old, part]) {
    expect(view.length).toBe(0);
    expect(thrown(() => sampler.sample(view))).toMatchObject({ code: "stale_buffer" });
  }
  const view = sampler.logitsBuffer(N);
  expect(view).toEqual(other);
  expect(sampler.logitsBuffer(N)).toBe(view);
  expect(sampler.sample(view)).toBe(new Whole({ seed: 1 }).sample(other));
  thrown(() => breaking.sample(lit(logits, "memory")));
  expect([...sampler.logitsBuffer(N + 1)]).toEqual([...other, 0]);
});

test("an error of the module's own replaces nothing", () => {
  const sampler = new WasmSampler({ seed: 1 });
  const view = filled(sampler, logits);
  const bad = logits.map(() => Number.NaN);
  for (const call of [
    () => sampler.sample(bad),
    () => sampler.sampleDetailed(bad),
    () => sampler.accept(2 ** 31),
    () => sampler.update({ topP: 2 }),
    () => sampler.removeRow(9),
    () => new WasmSampler({ topP: 2 }),
  ])
    expect(thrown(call)).toBeInstanceOf(NucleusError);
  expect(view.length).toBe(N);
  expect(sampler.logitsBuffer(N)).toBe(view);
});

test("a sampler whose state cannot be read says so at its next use, and the others go on", () => {
  const state = new WasmSampler({ seed: 1 }).state();
  const [row] = state.rows as { position: number }[];
  if (row === undefined) throw new Error("a state has a row");
  row.position = Number.MAX_SAFE_INTEGER;
  const [last, breaking] = [WasmSampler.fromState(state), new WasmSampler({ seed: 2 })];
  // One position further no state holds it.
  last.sample(logits);
  thrown(() => breaking.sample(lit(logits)));
  for (let again = 0; again < 2; again += 1)
    expect(thrown(() => last.sample(logits))).toMatchObject({
      code: "internal",
      message: "this sampler was lost when its module broke: make a new one",
      cause: { code: "too_large" },
    });
  expect(breaking.sample(logits)).toBe(new Whole({ seed: 2 }).sample(logits));
  last.free();
  expect(thrown(() => last.sample(logits))).toMatchObject({ code: "freed" });
});

/** What a call throws where the engine has no room for copies out of the module, or for objects. */
function withoutRoomFor(name: "Uint32Array" | "Object", call: () => unknown): unknown {
  const original = Reflect.get(globalThis, name);
  const construct = (target: typeof Uint32Array, [from]: [Uint32Array]) => {
    if (name === "Object" || kindOf(from) === name) throw new RangeError("Array buffer allocation failed");
    return new target(from);
  };
  Reflect.set(globalThis, name, new Proxy(original, { construct }));
  try {
    return thrown(call);
  } finally {
    Reflect.set(globalThis, name, original);
  }
}

test("what breaks between the module and the caller is taken back, too", () => {
  const options: SamplerOptions = { mirostat: { version: 2 }, seed: 3 };
  const [sampler, twin] = [new Whole(options), new Whole(options)];
  for (const each of [sampler, twin]) each.sample(logits);
  const errors = [
    withoutRoomFor("Uint32Array", () => sampler.sampleMany(logits, 5)),
    withoutRoomFor("Uint32Array", () => sampler.sampleBatch(three, 3)),
    withoutRoomFor("Object", () => sampler.sampleDetailed(logits)),
  ];
  for (const error of errors)
    expect(error).toMatchObject({ code: "internal", cause: { name: "RangeError" } });
  expect(sampler.state()).toEqual(twin.state());
  expect(sampler.sampleMany(logits, 9)).toEqual(twin.sampleMany(logits, 9));
});

test("calls from the end of a program's own stack leave a sampler whose every token counts", () => {
  const options: SamplerOptions = { topP: 0.9, mirostat: { version: 2 }, seed: 4 };
  const [sampler, twin] = [new Whole(options), new Whole(options)];
  const tokens: number[] = [];
  const deeper = (): void => {
    const token = sampler.sample(logits);
    tokens.push(token);
    deeper();
  };
  for (let round = 0; round < 20; round += 1) {
    thrown(deeper);
    tokens.push(sampler.sample(other));
    const expected: number[] = [];
    while (expected.length < tokens.length - 1) expected.push(twin.sample(logits));
    expected.push(twin.sample(other));
    expect(tokens).toEqual(expected);
    tokens.length = 0;
  }
  expect(sampler.state()).toEqual(twin.state());
});
