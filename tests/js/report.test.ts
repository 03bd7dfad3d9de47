// What each stage saw, removed and kept, and what became of every token.
import { expect, test } from "vitest";
import { ln, maskOf, type SamplerOptions, seeded, thrown, untyped } from "./nucleus";
import { row, rowNames } from "./recorded";

const kept = 255;
const neverAlive = 254;
const unranked = 0xffffffff;
const dead = Number.NEGATIVE_INFINITY;
const halves = ln(0.5, 0.3, 0.15, 0.05);

test("sampler.report(logits) has an entry a stage, with these fields", () => {
  const report = seeded({ topK: 2 }).report(halves);
  expect(Object.keys(report)).toEqual(["stages", "keptCount", "keptMass", "entropy", "unmatchedAccepts"]);
  expect(report.stages).toHaveLength(24);
  for (const stage of report.stages) {
    expect(Object.keys(stage)).toEqual([
      ...["name", "active", "keptBefore", "keptAfter", "massRemoved"],
      ...["entropyBefore", "entropyAfter", "threshold"],
    ]);
  }
});

const optionSets: SamplerOptions[] = [
  {},
  { temperature: 0 },
  { temperature: 0.8, topK: 40, topP: 0.95, minP: 0.05 },
  { logitBias: { 0: 3, 1: dead }, topP: 0.9 },
  { allowedTokens: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], minP: 0.1, presencePenalty: 1 },
  { order: ["top_k", "temperature", "min_p", "greedy"], topK: 9, temperature: 2, minP: 0.001 },
];

const cases = optionSets.flatMap((options) => rowNames.map((name) => ({ options, name })));

test.each(cases)(
  "sampler.report(logits) of the row $name under $options agrees with itself and the rest",
  ({ options, name }) => {
    const logits = row(name);
    const sampler = seeded(options);
    sampler.accept(3);
    const report = sampler.report(logits, { tokens: true });
    const distribution = sampler.distribution(logits);
    const { keptCount, keptMass, entropy } = distribution;
    expect(report).toMatchObject({ keptCount, keptMass, entropy });
    let [alive, uncertainty] = [logits.length, report.stages[0]?.entropyBefore];
    for (const stage of report.stages) {
      expect(stage).toMatchObject({ keptBefore: alive, entropyBefore: uncertainty });
      expect(stage.massRemoved).toBeGreaterThanOrEqual(0);
      expect(stage.massRemoved).toBeLessThan(1);
      if (!stage.active) {
        expect(stage).toMatchObject({
          keptAfter: alive,
          massRemoved: 0,
          entropyAfter: uncertainty,
          threshold: null,
        });
      }
      [alive, uncertainty] = [stage.keptAfter, stage.entropyAfter];
    }
    expect({ alive, uncertainty }).toEqual({ alive: keptCount, uncertainty: entropy });
    const removedBy = report.removedBy ?? new Uint8Array();
    const keptIds = [...removedBy.keys()].filter((id) => removedBy[id] === kept);
    expect(keptIds).toEqual([...distribution.tokenIds].sort((a, b) => a - b));
    for (const [index, stage] of report.stages.entries()) {
      expect(removedBy.filter((by) => by === index)).toHaveLength(stage.keptBefore - stage.keptAfter);
    }
  },
);

test("sampler.report(logits, { tokens: true }) names who removed each token, and ranks those alive before truncation", () => {
  const logits = Float32Array.of(5, dead, 4, 3, 9, 2, 1, 4);
  const sampler = seeded({ allowedTokens: [0, 1, 2, 3, 5, 6, 7], topK: 4, topP: 0.7 });
  const { stages, removedBy, rank } = sampler.report(logits, {
    tokens: true,
    mask: maskOf(8, [0, 1, 2, 3, 4, 5, 7]),
  });
  const index = (name: string) => stages.findIndex((stage) => stage.name === name);
  const [mask, allowed, topK, topP] = ["mask", "allowed_tokens", "top_k", "top_p"].map(index);
  expect(removedBy).toEqual(
    Uint8Array.of(kept, neverAlive, kept, topP ?? 0, allowed ?? 0, topK ?? 0, mask ?? 0, topP ?? 0),
  );
  expect(rank).toEqual(Uint32Array.of(0, unranked, 1, 3, unranked, 4, unranked, 2));
  expect(mask).toBe(0);
});

test("sampler.report(logits, { tokens: true }) ranks every token alive where nothing truncates", () => {
  const { removedBy, rank } = seeded().report(Float32Array.of(1, 3, 3, dead), { tokens: true });
  expect(removedBy).toEqual(Uint8Array.of(kept, kept, kept, neverAlive));
  expect(rank).toEqual(Uint32Array.of(2, 0, 1, unranked));
});

test("sampler.report(logits, { tokens: true }) ranks by the logits that truncation sees", () => {
  const { rank } = seeded({ logitBias: { 0: 10 }, topK: 1 }).report(Float32Array.of(1, 3, 2), {
    tokens: true,
  });
  expect(rank).toEqual(Uint32Array.of(0, 1, 2));
});

test("sampler.report(logits, { tokens: true }) ranks what temperature 0 saw, for it truncates", () => {
  const logits = Float32Array.of(1, 3, 2, dead);
  const { removedBy, rank, stages } = seeded({ temperature: 0 }).report(logits, { tokens: true });
  const index = stages.findIndex(({ name }) => name === "temperature");
  expect(removedBy).toEqual(Uint8Array.of(index, kept, index, neverAlive));
  expect(rank).toEqual(Uint32Array.of(2, 0, 1, unranked));
});

test("sampler.report(logits) has no fates unless asked for", () => {
  const report = seeded().report(halves);
  expect("removedBy" in report || "rank" in report).toBe(false);
  expect(seeded().report(halves, { tokens: false })).toEqual(report);
  expect(seeded().report(halves, { tokens: undefined })).toEqual(report);
});

test("sampler.report(logits, { tokens }) is wrong_type for anything but true and false", () => {
  for (const tokens of [null, 1, 0, "true", "", [], {}]) {
    const error = thrown(() => seeded().report(halves, untyped({ tokens })));
    expect(error).toMatchObject({ code: "wrong_type", option: "tokens" });
  }
});

const removals: [SamplerOptions, string, number, number | null][] = [
  [{ topK: 3 }, "top_k", 0.05, 3],
  [{ topP: 0.7 }, "top_p", 0.2, 0.7],
  [{ minP: 0.2 }, "min_p", 0.05, 0.1],
  [{ allowedTokens: [0, 3] }, "allowed_tokens", 0.45, null],
  [{ logitBias: { 1: dead } }, "logit_bias", 0.3, null],
  [{ temperature: 0 }, "temperature", 0.5, null],
];

test.each(removals)(
  "sampler.report(logits) under %o says that %s removed a share of %d, at the threshold %d",
  (...of) => {
    const [options, name, massRemoved, threshold] = of;
    const stage = seeded(options)
      .report(halves)
      .stages.find((found) => found.name === name);
    expect(stage?.massRemoved).toBeCloseTo(massRemoved, 6);
    if (threshold === null) expect(stage?.threshold).toBeNull();
    else expect(stage?.threshold).toBeCloseTo(threshold, 6);
  },
);

test("sampler.report(logits) survives JSON", () => {
  const report = seeded({ topP: 0.9 }).report(Float32Array.of(1, dead, 2));
  expect(JSON.parse(JSON.stringify(report))).toEqual(report);
});
