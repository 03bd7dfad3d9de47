// mirostat and adaptiveP: what they keep and write, what a draw leaves pending, and what accepting it teaches them.
import { expect, test } from "vitest";
import {
  kept,
  ln,
  type SamplerOptions,
  scattered,
  seeded,
  throughJson,
  thrown,
  untyped,
  WasmSampler,
} from "./nucleus";
import { row } from "./recorded";

const tenths = ln(0.1, 0.2, 0.3, 0.4);
const logits = scattered(200);

const mirostat1: SamplerOptions = { mirostat: { version: 1, tau: 2 } };
const mirostat2: SamplerOptions = { mirostat: { version: 2, tau: 2 } };
const adaptiveP: SamplerOptions = { adaptiveP: { target: 0.1 }, minP: 0.01 };
const controlled = [mirostat1, mirostat2, adaptiveP];

interface RowState {
  controllers: {
    mirostat: { mu: number } | null;
    adaptiveP: { sum: number; weight: number } | null;
    unmatchedAccepts: number;
  };
  pending: { token: number; surprise: number | string } | null;
}

const rowsOf = (sampler: WasmSampler) => untyped<RowState[]>(sampler.state().rows);
const rowOf = (sampler: WasmSampler, i = 0): RowState => {
  const found = rowsOf(sampler)[i];
  if (!found) throw new Error(`no row ${i}`);
  return found;
};

/** Draws and accepts. */
function advance(sampler: WasmSampler, steps: number): number[] {
  return Array.from({ length: steps }, (_, step) => {
    const token = sampler.sample(scattered(200, step + 1));
    sampler.accept(token);
    return token;
  });
}

const cuts: [SamplerOptions, number[]][] = [
  [{ mirostat: { version: 0, tau: 0 } }, [3, 2, 1, 0]],
  // Surprises of 1.32, 1.74, 2.32 and 3.32 bits, cut at twice tau.
  [{ mirostat: { version: 2, tau: 0 } }, [3]],
  [{ mirostat: { version: 2, tau: 0.86 } }, [3]],
  [{ mirostat: { version: 2, tau: 0.87 } }, [3, 2]],
  [{ mirostat: { version: 2, tau: 1.17 } }, [3, 2, 1]],
  [{ mirostat: { version: 2 } }, [3, 2, 1, 0]],
  [{ mirostat: { version: 2, tau: 0 }, minKeep: 3 }, [3, 2, 1]],
  [{ mirostat: { version: 1, tau: 0 } }, [3]],
  [{ mirostat: { version: 1, tau: 40 } }, [3, 2, 1, 0]],
  [{ adaptiveP: { target: 0 } }, [3, 2, 1, 0]],
  // Nearest to the target first.
  [{ adaptiveP: { target: 0.19 } }, [1, 0, 2, 3]],
  [{ adaptiveP: { target: 0.31 } }, [2, 3, 1, 0]],
  [{ adaptiveP: { target: 0.19 }, temperature: 0 }, [3]],
  [{ mirostat: { version: 2, tau: 9 }, temperature: 0 }, [3]],
];

test.each(cuts)("sampler.distribution(logits) under %o keeps %o", (options, expected) => {
  expect(kept(options, tenths)).toEqual(expected);
});

const ranges: [string, SamplerOptions, string][] = [
  ["mirostat.version", { mirostat: { version: untyped(3) } }, "an integer from 0 to 2, not 3"],
  ["mirostat.version", { mirostat: { version: untyped(1.5) } }, "an integer from 0 to 2, not 1.5"],
  ["mirostat.tau", { mirostat: { tau: -1 } }, "a finite number at least 0, not -1"],
  ["mirostat.eta", { mirostat: { eta: 1.5 } }, "a number in [0, 1], not 1.5"],
  ["adaptiveP.target", { adaptiveP: { target: -0.5 } }, "a number in [0, 1], not -0.5"],
  ["adaptiveP.decay", { adaptiveP: { decay: 1 } }, "a number in [0, 0.99], not 1"],
];

test.each(ranges)("new WasmSampler(options) is out_of_range for %s in %o", (option, options, said) => {
  const error = thrown(() => seeded(options));
  expect(error).toMatchObject({ code: "out_of_range", option });
  expect(error.message).toBe(`${option} must be ${said}`);
});

test("new WasmSampler(options) is bad_order with two terminal stages that are active", () => {
  const both = { ...mirostat2, adaptiveP: { target: 0.5 } };
  expect(thrown(() => seeded(both))).toMatchObject({ code: "bad_order" });
  const drawn: SamplerOptions = { ...mirostat2, order: ["top_k", "draw"] };
  expect(thrown(() => seeded(drawn))).toMatchObject({ code: "bad_order", stage: "mirostat" });
  expect(kept({ ...mirostat2, order: ["top_k"], topK: 1 }, tenths)).toEqual([3]);
});

test("sampler.options has the numbers of both controllers", () => {
  expect(seeded().options).toMatchObject({
    mirostat: { version: 0, tau: 5, eta: 0.1 },
    adaptiveP: { target: 0, decay: 0.9 },
  });
  expect(seeded(mirostat2).options.mirostat).toEqual({ version: 2, tau: 2, eta: 0.1 });
});

test("sampler.report(logits) ends in the terminal stage that is active, with its threshold", () => {
  const last = (options: SamplerOptions) => seeded(options).report(tenths).stages.at(-1);
  expect(last(mirostat2)).toMatchObject({ name: "mirostat", active: true, threshold: 4 });
  expect(last({ mirostat: { version: 1, tau: 40 } })).toMatchObject({ name: "mirostat", threshold: 4 });
  expect(last(adaptiveP)).toMatchObject({ name: "adaptive_p", threshold: 0.1, massRemoved: 0 });
  const found = seeded({ mirostat: { version: 2, tau: 1 } }).explain(tenths, 0);
  expect(found).toMatchObject({ kept: false, stage: "mirostat", threshold: 2 });
});

test.each(controlled)("sampler.sample(logits) leaves its token pending under %o", (options) => {
  const sampler = seeded(options);
  expect(rowOf(sampler).pending).toBeNull();
  const token = sampler.sample(logits);
  expect(rowOf(sampler).pending).toEqual({ token, surprise: expect.any(Number) });
  const { token: next, logprob } = sampler.sampleDetailed(logits);
  const { pending } = rowOf(sampler);
  expect(pending?.token).toBe(next);
  if (options.mirostat) expect(pending?.surprise).toBeCloseTo(-logprob.final / Math.LN2, 5);
  const tokens = sampler.sampleBatch(new Float32Array([...logits, ...logits]), 2);
  expect(rowsOf(sampler).map((found) => found.pending?.token)).toEqual([...tokens]);
  sampler.sampleMany(logits, 3);
  expect(rowsOf(sampler).map((found) => found.pending?.token)).toEqual([undefined, tokens[1]]);
});

test("sampler.accept(token) moves mu by eta (surprise - tau), and carries it on", () => {
  const sampler = seeded(mirostat2);
  let mu = 4;
  for (let step = 0; step < 10; step += 1) {
    const token = sampler.sample(logits);
    mu -= 0.1 * (Number(rowOf(sampler).pending?.surprise) - 2);
    sampler.accept(token);
    expect(rowOf(sampler)).toMatchObject({ pending: null, controllers: { mirostat: { mu } } });
    expect(sampler.report(logits).stages.at(-1)?.threshold).toBe(mu);
  }
});

test("sampler.accept(token) adds the token's probability to adaptiveP's average", () => {
  const sampler = seeded({ adaptiveP: { target: 0.25, decay: 0.5 } });
  sampler.accept(sampler.sample(new Float32Array(2)));
  expect(rowOf(sampler).controllers.adaptiveP).toEqual({ sum: 0.75, weight: 2 });
  expect(sampler.report(tenths).stages.at(-1)?.threshold).toBe(0.125);
});

test.each(controlled)(
  "sampler.accept(token) counts a token that is not the pending one, under %o",
  (options) => {
    const sampler = seeded(options);
    const count = () => sampler.report(logits).unmatchedAccepts;
    sampler.accept(5);
    const token = sampler.sample(logits);
    const before = rowOf(sampler);
    sampler.accept((token + 1) % 200);
    expect(count()).toBe(2);
    expect(rowOf(sampler)).toEqual({
      ...before,
      output: [5, (token + 1) % 200],
      controllers: { ...before.controllers, unmatchedAccepts: 2 },
    });
    sampler.accept(token);
    expect([count(), rowOf(sampler).pending]).toEqual([2, null]);
    sampler.accept(token);
    sampler.prompt([token]);
    expect(count()).toBe(3);
    sampler.reset();
    expect(count()).toBe(0);
  },
);

test("sampler.accept(token) counts nothing where no controller is at work", () => {
  for (const options of [{}, ...controlled.map((some) => ({ ...some, temperature: 0 }))]) {
    const sampler = seeded(options);
    sampler.accept(sampler.sample(logits));
    sampler.accept(7);
    expect(rowOf(sampler)).toMatchObject({
      pending: null,
      controllers: { mirostat: null, adaptiveP: null, unmatchedAccepts: 0 },
    });
    expect(sampler.report(logits).unmatchedAccepts).toBe(0);
  }
});

test.each(controlled)("sampler.distribution(logits) and other previews move nothing, under %o", (options) => {
  const [watched, alone] = [seeded(options), seeded(options)];
  for (let step = 0; step < 20; step += 1) {
    const token = watched.sample(logits);
    expect(alone.sample(logits)).toBe(token);
    const before = watched.state();
    watched.distribution(logits);
    watched.report(logits, { tokens: true });
    watched.explain(logits, token);
    watched.logprobs(logits, 3, { token });
    expect(watched.state()).toEqual(before);
    watched.accept(token);
    alone.accept(token);
  }
  expect(watched.state()).toEqual(alone.state());
});

const busy: SamplerOptions = {
  temperature: 0.9,
  repetitionPenalty: 1.2,
  frequencyPenalty: 0.3,
  penaltyLastN: 9,
  xtc: { probability: 0.5 },
  dry: { multiplier: 0.8 },
  stream: 7,
};

test.each(controlled)(
  "WasmSampler.fromState(state) resumes in the middle of a generation through JSON, a draw pending, under %o",
  (options) => {
    const original = seeded({ ...busy, ...options });
    original.prompt([1, 2, 3]);
    let resumed = original.clone();
    for (let step = 0; step < 25; step += 1) {
      const token = original.sample(logits);
      expect(resumed.sample(logits)).toBe(token);
      const text = JSON.stringify(resumed.state());
      resumed = WasmSampler.fromState(JSON.parse(text));
      expect(JSON.stringify(resumed.state())).toBe(text);
      const taken = step % 7 === 3 ? (token + 1) % 200 : token;
      original.accept(taken);
      resumed.accept(taken);
      resumed = WasmSampler.fromState(throughJson(resumed.state()));
      expect(resumed.state()).toEqual(original.state());
    }
  },
);

test.each(controlled)("sampler.clone() with a draw pending has an identical future, under %o", (options) => {
  const original = seeded({ ...busy, ...options });
  advance(original, 5);
  const token = original.sample(logits);
  const clone = original.clone();
  for (const sampler of [original, clone]) sampler.accept(token);
  expect(advance(clone, 20)).toEqual(advance(original, 20));
  expect(clone.state()).toEqual(original.state());
});

test.each(controlled)("sampler.reset() forgets what was learned and what is pending, under %o", (options) => {
  const sampler = seeded(options);
  advance(sampler, 10);
  sampler.sample(logits);
  sampler.reset();
  expect(sampler.state()).toEqual(seeded(options).state());
  expect(advance(sampler, 10)).toEqual(advance(seeded(options), 10));
});

test("sampler.update({ mirostat }) goes on from where mu was, and starts there while nothing was accepted", () => {
  const sampler = seeded(mirostat2);
  const threshold = () => sampler.report(logits).stages.at(-1)?.threshold;
  sampler.update({ mirostat: { tau: 3 } });
  expect(threshold()).toBe(6);
  advance(sampler, 3);
  const mu = threshold();
  sampler.update({ mirostat: { tau: 1, version: 1 } });
  expect(rowOf(sampler).controllers.mirostat?.mu).toBe(mu);
});

test("sampler.update(options) forgets a pending draw where its controller is no longer at work", () => {
  for (const options of [{ mirostat: { version: 0 } }, { temperature: 0 }] as const) {
    const sampler = seeded(mirostat2);
    sampler.sample(logits);
    sampler.update(options);
    expect(rowOf(sampler).pending).toBeNull();
  }
});

test("sampler.addRow({ mirostat }) gives a row a controller of its own", () => {
  const sampler = seeded();
  const own = sampler.addRow({ mirostat: { version: 2, tau: 1 } });
  for (const id of [0, own]) sampler.accept(sampler.sample(tenths, { row: id }), id);
  expect(rowOf(sampler, 0).controllers.mirostat).toBeNull();
  expect(rowOf(sampler, 1).controllers.mirostat?.mu).toBeLessThan(2.1);
});

test("sampler.sample(logits) under mirostat has about the surprise that tau says, over a recorded row", () => {
  const once = row("once");
  const sampler = seeded({ mirostat: { version: 2, tau: 2 }, temperature: 1.6 });
  const surprises = Array.from({ length: 600 }, () => {
    const token = sampler.sample(once);
    const surprise = Number(rowOf(sampler).pending?.surprise);
    sampler.accept(token);
    return surprise;
  }).slice(100);
  const mean = surprises.reduce((sum, surprise) => sum + surprise, 0) / surprises.length;
  expect(Math.abs(mean - 2)).toBeLessThan(0.15);
});

/** A state with both controllers taught, and a draw of the first row pending, in which a field is another. */
function refused(path: string, value: unknown): string | undefined {
  const sampler = seeded(mirostat2);
  const other = sampler.addRow({ mirostat: { version: 0 }, ...adaptiveP });
  for (const id of [0, other]) sampler.accept(sampler.sample(logits, { row: id }), id);
  sampler.sample(logits);
  const state = throughJson(sampler.state());
  const names = path.split(".");
  const last = names.pop() ?? "";
  type Fields = Record<string, unknown>;
  const holder = names.reduce((found, name) => found[name] as Fields, state as Fields);
  holder[last] = value;
  const error = thrown(() => WasmSampler.fromState(state));
  expect(error.code).toBe("state_invalid");
  return error.option;
}

const damages: [string, unknown[]][] = [
  ["rows.0.controllers", [null, undefined, [], 5, "much"]],
  ["rows.0.controllers.surplus", [1]],
  ["rows.0.controllers.unmatchedAccepts", [null, undefined, -1, 0.5, 2 ** 53, "1"]],
  ["rows.0.controllers.mirostat", [undefined, 5, [], "much"]],
  ["rows.0.controllers.mirostat.mu", [null, undefined, "Infinity", "NaN", "1", {}]],
  ["rows.0.controllers.mirostat.surplus", [1]],
  ["rows.1.controllers.adaptiveP", [undefined, 5, []]],
  ["rows.1.controllers.adaptiveP.sum", [null, undefined, -1, 1e9, "NaN"]],
  ["rows.1.controllers.adaptiveP.weight", [null, undefined, 0, -1, "Infinity"]],
  ["rows.0.pending", [undefined, 5, [], "much"]],
  ["rows.0.pending.token", [null, undefined, -1, 0.5, 2 ** 19, "1"]],
  ["rows.0.pending.surprise", [null, undefined, -1, "Infinity", "NaN", {}]],
  ["rows.0.pending.surplus", [1]],
];

test.each(damages)(
  "WasmSampler.fromState(state) is state_invalid where %s is one of %j, and names it",
  (path, values) => {
    for (const value of values) expect([value, refused(path, value)]).toEqual([value, path]);
  },
);

test("WasmSampler.fromState(state) is state_invalid for a pending draw without a controller", () => {
  const state = throughJson(seeded().state());
  Object.assign(untyped<RowState[]>(state.rows)[0] ?? {}, { pending: { token: 1, surprise: 1 } });
  const error = thrown(() => WasmSampler.fromState(state));
  expect(error).toMatchObject({ code: "state_invalid", option: "rows.0.pending" });
});
