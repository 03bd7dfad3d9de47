// The guard's breaker: when it opens, what is left out while it is open, when it closes; rows, states and copies.
import { expect, test } from "vitest";
import { type SamplerState, seeded, throughJson, thrown, untyped, WasmSampler } from "../nucleus";
import { flat, guarded, peaked } from "./rows";

const relax = (trips: number, positions: number) =>
  guarded({ policy: "relax", breaker: { trips, positions } });

test("sampler.sampleDetailed(logits).trip is null while the breaker is open, and guarded stages do nothing", () => {
  const sampler = seeded(relax(3, 10));
  for (let position = 0; position < 30; position++) {
    const isOpen = [3, 16, 29].some((from) => position >= from && position < from + 10);
    expect(sampler.breaker().isOpen).toBe(isOpen);
    const stage = sampler.report(flat).stages.find(({ name }) => name === "min_p");
    expect(stage?.active).toBe(!isOpen);
    const { trip } = sampler.sampleDetailed(flat);
    expect(trip === null).toBe(isOpen);
    if (trip !== null) expect(trip).toMatchObject({ position, steps: 1, policy: "relax" });
  }
});

test("sampler.breaker() counts every trip, and says until which position it is open", () => {
  const sampler = seeded(relax(2, 4));
  const states = Array.from({ length: 9 }, () => {
    sampler.sample(flat);
    const { trips, isOpen, openUntil } = sampler.breaker();
    return [trips, isOpen, openUntil];
  });
  expect(states).toEqual([
    [1, false, 0],
    [2, true, 6],
    [2, true, 6],
    [2, true, 6],
    [2, true, 6],
    [2, false, 6],
    [3, false, 6],
    [4, true, 12],
    [4, true, 12],
  ]);
});

test("sampler.lastTrip is the latest draw that tripped, whatever came after it", () => {
  const sampler = seeded(relax(3, 4));
  sampler.sample(peaked);
  sampler.sample(flat);
  const last = sampler.lastTrip;
  expect(last).toMatchObject({ row: 0, position: 1 });
  for (let i = 0; i < 10; i++) sampler.sample(peaked);
  expect(sampler.lastTrip).toEqual(last);
  sampler.reset();
  expect(sampler.lastTrip).toBeNull();
});

test("guard.breaker.trips within guard.breaker.positions open it: trips further apart do not", () => {
  const sampler = seeded(relax(3, 4));
  for (let i = 0; i < 20; i++) {
    sampler.sample(flat);
    sampler.sample(peaked);
  }
  expect(sampler.breaker()).toEqual({ trips: 20, isOpen: false, openUntil: 0 });
});

test("guard.breaker = { trips: 1 } opens with the first trip", () => {
  const sampler = seeded(relax(1, 2));
  const trips = Array.from({ length: 7 }, () => sampler.sampleDetailed(flat).trip !== null);
  expect(trips).toEqual([true, false, false, true, false, false, true]);
});

test("sampler.sample(logits) under `error` never opens the breaker: a call that fails counts for nothing", () => {
  const sampler = seeded(guarded({ policy: "error", breaker: { trips: 1, positions: 8 } }));
  for (let i = 0; i < 4; i++) thrown(() => sampler.sample(flat));
  expect(sampler.breaker()).toEqual({ trips: 0, isOpen: false, openUntil: 0 });
});

test.each(["relax", "greedy"] as const)(
  "sampler.sampleMany(logits, n) under `%s` is n times sampler.sample(logits), breaker and all",
  (policy) => {
    const options = guarded({ policy, breaker: { trips: 3, positions: 5 } });
    const [many, single] = [seeded(options), seeded(options)];
    expect([...many.sampleMany(flat, 40)]).toEqual(Array.from({ length: 40 }, () => single.sample(flat)));
    expect(many.state()).toEqual(single.state());
    expect([many.breaker(), many.lastTrip]).toEqual([single.breaker(), single.lastTrip]);
  },
);

const draws = (sampler: WasmSampler, n: number) =>
  Array.from({ length: n }, () => {
    const { token, keptCount, trip } = sampler.sampleDetailed(flat);
    return [token, keptCount, trip];
  });

test("WasmSampler.fromState(sampler.state()) goes on with an open breaker", () => {
  const whole = seeded(relax(3, 6));
  draws(whole, 5);
  const state = throughJson(whole.state());
  const resumed = WasmSampler.fromState(state);
  expect(resumed.breaker()).toEqual({ trips: 3, isOpen: true, openUntil: 9 });
  expect(draws(resumed, 20)).toEqual(draws(whole, 20));
  expect(resumed.state()).toEqual(whole.state());
});

test("WasmSampler.fromState(sampler.state()) goes on counting trips that have not opened the breaker yet", () => {
  const whole = seeded(relax(3, 6));
  draws(whole, 2);
  const resumed = WasmSampler.fromState(throughJson(whole.state()));
  draws(resumed, 1);
  expect(resumed.breaker().isOpen).toBe(true);
});

test.each<[string, object]>([
  ["rows.0.breaker.trips", { trips: -1 }],
  ["rows.0.breaker.openUntil", { openUntil: 1.5 }],
  ["rows.0.breaker.recent.1", { recent: [1, 0] }],
  ["rows.0.breaker.recent.0", { recent: [9] }],
])("WasmSampler.fromState(state) names what is wrong with a breaker: %s", (path, change) => {
  const sampler = seeded(relax(3, 6));
  draws(sampler, 2);
  const state = untyped<SamplerState & { rows: [{ breaker: object }] }>(throughJson(sampler.state()));
  state.rows[0].breaker = { ...state.rows[0].breaker, ...change };
  const error = thrown(() => WasmSampler.fromState(state));
  expect(error.code).toBe("state_invalid");
  expect(error.message).toContain(path);
});

test("sampler.clone() has the breaker too, and sampler.reset() closes it", () => {
  const sampler = seeded(relax(3, 6));
  draws(sampler, 4);
  const copy = sampler.clone();
  expect(copy.breaker()).toEqual(sampler.breaker());
  expect(draws(copy, 12)).toEqual(draws(sampler, 12));
  sampler.reset();
  expect(sampler.breaker()).toEqual({ trips: 0, isOpen: false, openUntil: 0 });
  expect(draws(sampler, 8)).toEqual(draws(seeded(relax(3, 6)), 8));
});

test("sampler.sampleBatch(logits, rows) trips each row for itself", () => {
  const sampler = seeded(relax(2, 3));
  const free = sampler.addRow({ guard: { policy: "off" } });
  const calm = sampler.addRow();
  const rows = [0, free, calm];
  const logits = Float32Array.from([...flat, ...flat, ...peaked]);
  const alone = seeded(relax(2, 3));
  for (let i = 0; i < 12; i++) {
    const [first, second] = sampler.sampleBatch(logits, rows);
    expect(first).toBe(alone.sample(flat));
    // Without a guard min-p 1 keeps the one token that is a little more likely.
    expect(second).toBe(0);
  }
  expect(rows.map((row) => sampler.breaker(row).trips)).toEqual([alone.breaker().trips, 0, 0]);
  expect(sampler.lastTrip).toEqual(alone.lastTrip);
});

test("sampler.sampleBatch(logits, rows) under `error` fails the row that trips, and no other", () => {
  const sampler = seeded(guarded({ policy: "error" }));
  const calm = sampler.addRow();
  const [first, second] = sampler.sampleBatch(Float32Array.from([...flat, ...peaked]), [0, calm]);
  expect([first, [3, 5].includes(second ?? 0)]).toEqual([0xffffffff, true]);
  expect(sampler.rowErrors()).toEqual([
    { row: 0, code: "nothing_left", message: expect.stringContaining("the guard stopped the draw") },
  ]);
  expect(sampler.lastTrip).toMatchObject({ row: 0, policy: "error" });
});
