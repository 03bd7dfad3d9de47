// The guard on the page: what it says, draws under it, and its breaker over a text.
import { beforeAll, describe, expect, test } from "vitest";
import { cardOf, guard } from "../../www/chain/cards";
import { type ChainOptions, chainOptions } from "../../www/chain/options";
import { EngineClient } from "../../www/engine/client";
import type { Engine } from "../../www/engine/engine";
import type { AcceptResult, DrawResult, PictureResult, Setup } from "../../www/engine/protocol";
import { EngineSession } from "../../www/engine/session";
import { guardedSummary, guardStatus, isGuarded, leftOut, tripsSoFar } from "../../www/guarding";
import { Playground } from "../../www/playground";
import { fateOf, type Phrase, summary } from "../../www/sentences";
import { INITIAL_STATE, NO_CONTROLLERS, type State, withSetting } from "../../www/state";
import { reason } from "../../www/why";
import { LocalPort, openFromDisk, realEngine, until } from "./support";

let engine: Engine;
beforeAll(async () => {
  engine = await realEngine();
});

/** min-p 1 and a guard: policy (1 relax, 2 greedy, 3 error), mass, steps, trips and positions of the breaker. */
const guarded = (policy: number, mass = 0.5, steps = 3, trips = 3, positions = 32): State => {
  const minP = withSetting(INITIAL_STATE, cardOf("minP"), { on: true, shown: true, numbers: [1] });
  const only = withSetting(minP, cardOf("topP"), { on: false });
  return withSetting(only, guard, { on: true, numbers: [policy, mass, steps, trips, positions] });
};

async function shown(state: State): Promise<Playground> {
  const playground = new Playground(new EngineClient(new LocalPort(engine)), openFromDisk, state);
  await playground.start();
  await until(
    () => playground.picture.value !== null || playground.notice.value !== null,
    "the picture or a notice",
  );
  return playground;
}

async function pictureOf(state: State) {
  const picture = (await shown(state)).picture.value;
  if (picture === null) throw new Error("There is no picture.");
  return picture;
}

const text = (phrase: Phrase) =>
  phrase.map((part) => (typeof part === "string" ? part : part.strong)).join("");

describe("guardStatus(picture, problem)", () => {
  test("says that nothing tripped", async () => {
    const picture = await pictureOf(guarded(1, 0.999));
    expect(picture.after.trip).toBeNull();
    expect(guardStatus(picture, null)).toBe("Not tripped here.");
  });

  test("says what relaxing came to, and so do the sentences on tokens", async () => {
    const picture = await pictureOf(guarded(1));
    expect(guardStatus(picture, null)).toBe(
      "Tripped: 61.69% of the mass would go, most of it by min-p; thresholds are moved 1 step towards off.",
    );
    expect(picture.after.keptCount).toBe(2);
    const out = picture.after.order[2] ?? 0;
    expect(text(reason(picture, out))).toContain(
      "is out: min-p leaves only 2 tokens, though the guard has moved its threshold 1 step towards off.",
    );
  });

  test("says that the most likely token is taken, and that stages are left out", async () => {
    const picture = await pictureOf(guarded(2));
    expect(guardStatus(picture, null)).toMatch(/by min-p; the most likely token is taken\.$/);
    expect(text(summary(picture))).toBe(
      "Of 49,152 tokens, the guard leaves 1: the most likely one is always taken.",
    );
    const out = picture.after.order[1] ?? 0;
    expect(text(reason(picture, out))).toContain(
      "the guard has tripped, and takes only the most likely token.",
    );
    expect(fateOf(picture, out)).toBe("cut by guard");
    expect(leftOut(picture, "min_p")).toBe("left out: the guard has tripped");
    expect(leftOut(picture, "temperature")).toBeNull();
  });

  test("says that no token is drawn, as the engine's objection does", async () => {
    const playground = await shown(INITIAL_STATE);
    playground.change(guarded(3));
    await until(() => playground.problem.value !== null, "the problem");
    const picture = playground.picture.value;
    const problem = playground.problem.value;
    if (picture === null || problem === null) throw new Error("There is no picture.");
    expect(problem).toMatchObject({ code: "nothing_left", stage: "min_p" });
    expect(guardStatus(picture, problem)).toBe("Tripped: no token is drawn.");
  });

  test("says for how many draws the breaker is open, and what is left out meanwhile", async () => {
    const breaker = { trips: 3, openUntil: 35, recent: [] };
    const state = { ...guarded(1), from: 10, controllers: { ...NO_CONTROLLERS, breaker } };
    const picture = await pictureOf(state);
    expect(guardStatus(picture, null)).toBe(
      "The breaker is open for 25 draws more: the stages that it watches over are left out.",
    );
    expect(picture.after.keptCount).toBe(49_152);
    expect(leftOut(picture, "min_p")).toBe("left out: the guard's breaker is open");
    expect(leftOut(picture, "top_k")).toBeNull();
    expect(tripsSoFar(picture.after)).toBe("3 trips in accepted draws");
  });
});

test("isGuarded(stage) is what the engine leaves out while the breaker is open", async () => {
  const breaker = { trips: 1, openUntil: 1, recent: [] };
  const logits = Float32Array.of(3, 2, 1, 0);
  const options: ChainOptions = {
    ...{
      topH: 0.9,
      topK: 4,
      topP: 0.99,
      minP: 0.01,
      typicalP: 0.99,
      topNSigma: 5,
      topA: 0.01,
      tailFree: 0.99,
    },
    ...{ pLess: true, epsilonCutoff: 0.001, etaCutoff: 0.001, xtc: { probability: 1, threshold: 0.4 } },
    ...{ mirostat: { version: 2 as const }, temperature: 0.9, guard: { policy: "relax" as const } },
  };
  const sampler = engine.create(options);
  const active = () =>
    sampler
      .report(logits)
      .stages.filter((stage) => stage.active)
      .map(({ name }) => name);
  const before = active();
  sampler.goOn({ position: 0, controllers: { ...NO_CONTROLLERS, breaker } });
  const after = active();
  expect(before.filter((name) => !after.includes(name))).toEqual(before.filter(isGuarded));
  expect(before.length).toBe(14);
  sampler.free();
});

describe("session.answer(draw) under a guard", () => {
  const setup = async (state: State, change: Partial<Setup> = {}): Promise<Setup> => {
    const row = await openFromDisk(state);
    const given = { rowKey: row.key, logits: row.logits, edits: [], prompt: [], output: [] };
    const whole = { chain: chainOptions(state), upstream: {}, second: null, coin: true };
    return { ...given, ...whole, controllers: NO_CONTROLLERS, position: 0, ...change };
  };
  const picture = (session: EngineSession, of: Setup) =>
    session.answer({ kind: "picture", id: 1, setup: of }) as PictureResult;
  const stretch = (n: number, from = 0) => ({ seed: "42", stream: 0, from, n });
  const draw = (session: EngineSession, n: number, from = 0) =>
    session.answer({ kind: "draw", id: 2, ...stretch(n, from) }) as DrawResult;

  test.each([
    [1, 40, 3, 32],
    [1, 500, 2, 4],
    [2, 333, 1, 1],
    [1, 1000, 5, 3],
  ])("counts trips and open draws as single draws do: policy %i, %i draws, %i in %i", async (...given) => {
    const [policy, n, trips, positions] = given;
    const state = guarded(policy, 0.5, 3, trips, positions);
    const of = await setup(state);
    const session = new EngineSession(engine);
    picture(session, of);
    const { counts, guarded: found } = draw(session, n);
    const sampler = engine.create({ ...of.chain, seed: "42" });
    const logits = of.logits ?? new Float32Array();
    let [nTrips, nOpen] = [0, 0];
    const single = new Uint32Array(logits.length);
    for (let i = 0; i < n; i++) {
      if (sampler.breaker().isOpen) nOpen++;
      const { token, trip } = sampler.sampleDetailed(logits);
      if (trip !== null) nTrips++;
      single[token] = (single[token] ?? 0) + 1;
    }
    expect(found).toEqual({ trips: nTrips, open: nOpen, last: sampler.lastTrip() });
    expect(counts).toEqual(single);
    sampler.free();
  });

  test.each([
    ["relax", guarded(1, 0.5, 3, 3, 7)],
    ["greedy", guarded(2, 0.5, 3, 3, 7)],
    [
      "relax, with XTC on one side of its coin",
      withSetting(guarded(1, 0.3, 1, 2, 5), cardOf("xtc"), { on: true, numbers: [0.5, 0.1] }),
    ],
  ])("expects what both chains give together: %s", async (_, state) => {
    const session = new EngineSession(engine);
    picture(session, await setup(state));
    let result = draw(session, 4000);
    while (result.n < 4000) result = draw(session, 4000);
    const { statistics, guarded: found, n } = result;
    expect(found?.open).toBeGreaterThan(1000);
    expect(found?.trips).toBeGreaterThan(100);
    expect(statistics.pValue).toBeGreaterThan(1e-6);
    expect(statistics.expected.reduce((sum, count) => sum + count, 0)).toBeCloseTo(n, 3);
  });

  test("makes a thousand draws a request, so that a picture never waits long", async () => {
    const session = new EngineSession(engine);
    picture(session, await setup(guarded(1)));
    expect([draw(session, 2500).n, draw(session, 2500).n, draw(session, 2500).n]).toEqual([1000, 2000, 2500]);
  });

  test("gives no draws from a guard that is off", async () => {
    const session = new EngineSession(engine);
    picture(session, await setup(INITIAL_STATE));
    expect(draw(session, 5).guarded).toBeNull();
  });

  test("hands on the breaker with every accepted draw, until it opens and closes", async () => {
    const state = guarded(1, 0.5, 3, 2, 3);
    const session = new EngineSession(engine);
    let controllers = NO_CONTROLLERS;
    const open: boolean[] = [];
    for (let from = 0; from < 8; from++) {
      const { outcome } = picture(session, await setup(state, { controllers, position: from }));
      open.push(outcome.breaker.isOpen);
      expect(outcome.trip === null).toBe(outcome.breaker.isOpen);
      draw(session, 1, from);
      controllers = (session.answer({ kind: "accept", id: 3, ...stretch(1, from) }) as AcceptResult)
        .controllers;
    }
    expect(open).toEqual([false, false, true, true, true, false, false, true]);
    expect(controllers.breaker).toEqual({ trips: 4, openUntil: 10, recent: [] });
  });
});

describe("guardedSummary(state, n, guarded)", () => {
  const last = { position: 36, policy: "relax", maskedMass: 0.9, steps: 1, stage: "min_p" } as const;
  test.each([
    [null, null],
    [{ trips: 0, open: 0, last: null }, "The guard never tripped."],
    [
      { trips: 1, open: 0, last: { ...last, position: 0 } },
      "The guard tripped in 1 of 40 draws, last in draw 1.",
    ],
    [
      { trips: 6, open: 34, last },
      "The guard tripped in 6 of 40 draws, last in draw 37. For 34 its breaker was open.",
    ],
    [{ trips: 0, open: 40, last: null }, "The guard tripped in 0 of 40 draws. For 40 its breaker was open."],
  ])("says how often: %j", (found, sentence) => {
    expect(guardedSummary(INITIAL_STATE, 40, found)).toBe(sentence);
  });
});
