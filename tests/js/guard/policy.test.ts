// The guard's policies: what a trip leads to, and where it is told.
import { expect, test } from "vitest";
import { kept, ln, seeded, thrown } from "../nucleus";
import { flat, guarded, peaked } from "./rows";

const POLICIES = ["error", "relax", "greedy"] as const;

test.each(POLICIES)(
  "sampler.sample(logits) under `%s` is as without a guard where nothing trips",
  (policy) => {
    const [guard, free] = [seeded(guarded({ policy })), seeded({ minP: 1 })];
    for (let i = 0; i < 20; i++) expect(guard.sample(peaked)).toBe(free.sample(peaked));
    expect(guard.lastTrip).toBeNull();
    expect(guard.breaker()).toEqual({ trips: 0, isOpen: false, openUntil: 0 });
    expect(guard.report(peaked).trip).toBeNull();
  },
);

test("sampler.sample(logits) under `error` fails with nothing_left, names the stage, and changes nothing", () => {
  const sampler = seeded(guarded({ policy: "error" }));
  const before = sampler.state();
  for (let i = 0; i < 5; i++) {
    const error = thrown(() => sampler.sample(flat));
    expect([error.code, error.stage]).toEqual(["nothing_left", "min_p"]);
    expect(error.message).toMatch(
      /^the guard stopped the draw: 0\.99\d* of the mass was removed, .* at most 0\.99 may be/,
    );
  }
  expect(sampler.state()).toEqual(before);
  for (const preview of [
    () => sampler.distribution(flat),
    () => sampler.report(flat),
    () => sampler.sampleMany(flat, 3),
    () => sampler.sampleDetailed(flat),
  ])
    expect(thrown(preview).code).toBe("nothing_left");
  expect(sampler.breaker().trips).toBe(0);
  expect([3, 5]).toContain(sampler.sample(peaked));
});

test("sampler.lastTrip tells of a draw that `error` stopped, and not of previews", () => {
  const sampler = seeded(guarded({ policy: "error" }));
  thrown(() => sampler.report(flat));
  expect(sampler.lastTrip).toBeNull();
  sampler.sample(peaked);
  thrown(() => sampler.sample(flat));
  expect(sampler.lastTrip).toMatchObject({ row: 0, position: 1, policy: "error", steps: 0, stage: "min_p" });
});

test("sampler.distribution(logits) under `relax` is that of thresholds halfway to their off values", () => {
  const relaxed = seeded(guarded({ policy: "relax" })).distribution(flat);
  expect(relaxed).toEqual(seeded({ minP: 0.5 }).distribution(flat));
  expect(relaxed.keptCount).toBe(1000);
});

test("guard.maxSteps bounds how often `relax` moves thresholds, and the last result holds", () => {
  // Tokens a factor of 20 apart: 1/2, 1/4, 1/8 and 1/16 keep one, 1/32 keeps all.
  const steep = ln(0.2, 0.01, 0.01, 0.01);
  const after = (maxSteps: number) => {
    const options = guarded({ policy: "relax", maxMaskedMass: 0.1, maxSteps });
    const { keptCount, trip } = seeded(options).sampleDetailed(steep);
    return [keptCount, trip?.steps];
  };
  expect(after(1)).toEqual([1, 1]);
  expect(after(4)).toEqual([1, 4]);
  expect(after(5)).toEqual([4, 5]);
  expect(after(32)).toEqual([4, 5]);
});

test("guard.maxMaskedMass is the most that may go: at it nothing trips, just below it does", () => {
  const even = ln(0.4, 0.3, 0.2, 0.1);
  const removed = 1 - seeded({ minP: 1 }).distribution(even).keptMass;
  const trip = (maxMaskedMass: number) =>
    seeded(guarded({ policy: "greedy", maxMaskedMass })).sampleDetailed(even).trip;
  expect(trip(removed)).toBeNull();
  expect(trip(removed - 1e-12)).toMatchObject({ maskedMass: removed, stage: "min_p" });
});

test("trip.maskedMass is the share of all guarded stages together, top-k and top-p aside", () => {
  const options = { topK: 3, topP: 0.99, ...guarded({ policy: "greedy", maxMaskedMass: 0 }), minP: 0.9 };
  const { trip } = seeded(options).sampleDetailed(ln(0.4, 0.3, 0.2, 0.1));
  // Of 0.9 that top-k left, min-p removed 0.5.
  expect(trip?.maskedMass).toBeCloseTo(5 / 9, 6);
});

test("sampler.sample(logits) under `greedy` takes the best token that masks and biases leave", () => {
  const greedy = guarded({ policy: "greedy" });
  const row = Float32Array.from(flat, (logit, id) => (id === 700 ? 0.005 : logit));
  expect([...seeded(greedy).sampleMany(row, 3)]).toEqual([0, 0, 0]);
  const banned = { ...greedy, logitBias: { 0: Number.NEGATIVE_INFINITY } };
  expect([...seeded(banned).sampleMany(row, 3)]).toEqual([700, 700, 700]);
  expect(seeded({ ...banned, logitBias: { ...banned.logitBias, 9: 0.006 } }).sample(row)).toBe(9);
});

test("sampler.distribution(logits) under `relax` lifts neither masks nor top-k", () => {
  const options = {
    ...guarded({ policy: "relax", maxMaskedMass: 0.5 }),
    allowedTokens: [1, 2, 3, 4, 5, 6],
    topK: 5,
  };
  const falling = Float32Array.from({ length: 10 }, (_, id) => 1 - id / 1000);
  expect(kept(options, falling)).toEqual([1, 2, 3, 4, 5]);
});

test.each(POLICIES)("sampler.sample(logits) under `%s` fails as ever where masks leave nothing", (policy) => {
  const sampler = seeded({
    ...guarded({ policy }),
    logitBias: { 0: Number.NEGATIVE_INFINITY, 1: Number.NEGATIVE_INFINITY },
  });
  const error = thrown(() => sampler.sample(Float32Array.of(1, 2)));
  expect([error.code, error.stage]).toEqual(["nothing_left", "logit_bias"]);
  expect(sampler.lastTrip).toBeNull();
});

test.each(["relax", "greedy"] as const)(
  "sampler.report(logits).trip under `%s` is what the next draw's is, and counts nothing",
  (policy) => {
    const sampler = seeded(guarded({ policy }));
    for (let i = 0; i < 5; i++) {
      const { trip, keptCount, stages } = sampler.report(flat);
      expect(trip).toMatchObject({ position: 0, policy, stage: "min_p", steps: policy === "relax" ? 1 : 0 });
      expect(keptCount).toBe(policy === "relax" ? 1000 : 1);
      expect(stages.find(({ name }) => name === "greedy")?.active).toBe(
        policy === "greedy" ? true : undefined,
      );
    }
    expect(sampler.breaker().trips).toBe(0);
    expect(sampler.lastTrip).toBeNull();
    const { trip } = sampler.report(flat);
    expect(sampler.sampleDetailed(flat).trip).toEqual(trip);
    expect(sampler.lastTrip).toEqual({ row: 0, ...trip });
  },
);

test("sampler.explain(logits, token) and logprobs(logits, n) follow the chain that the guard chose", () => {
  const sampler = seeded(guarded({ policy: "relax" }));
  expect(sampler.explain(flat, 999)).toMatchObject({ kept: true, stage: null });
  expect(sampler.logprobs(flat, 1000).final.every(({ logprob }) => Number.isFinite(logprob))).toBe(true);
});
