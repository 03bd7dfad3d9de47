import { beforeAll, describe, expect, test } from "vitest";
import type { ChainOptions } from "../../www/chain/options";
import type { Engine } from "../../www/engine/engine";
import {
  type AcceptResult,
  DEAD,
  type DrawResult,
  type ExplainResult,
  KEPT,
  NO_RANK,
  type PictureResult,
  type Ranking,
  type Setup,
} from "../../www/engine/protocol";
import { EngineSession } from "../../www/engine/session";
import type { Row } from "../../www/sources/row";
import { NO_CONTROLLERS } from "../../www/state";
import { realEngine, recorded } from "./support";

let engine: Engine;
let once: Row;
beforeAll(async () => {
  engine = await realEngine();
  once = await recorded("once");
});

const setup = (change: Partial<Setup> = {}): Setup => ({
  rowKey: once.key,
  logits: once.logits,
  edits: [],
  prompt: once.promptTokens,
  output: [],
  chain: { temperature: 1, topP: 0.9 },
  upstream: { temperature: 1 },
  second: null,
  coin: true,
  controllers: NO_CONTROLLERS,
  position: 0,
  ...change,
});

const answer = (session: EngineSession, change: Partial<Setup> = {}) =>
  session.answer({ kind: "picture", id: 1, setup: setup(change) }) as PictureResult;
/** A picture with the ranks that came with it, or with an earlier one. */
const picture = (session: EngineSession, change: Partial<Setup> = {}) => {
  const { ranking, outcome, ...parts } = answer(session, change);
  const after = { ...(ranking ?? lastRanking(session)), ...outcome };
  if (ranking !== null) rankings.set(session, ranking);
  return { ...parts, ranking, after };
};
const rankings = new Map<EngineSession, Ranking>();
const lastRanking = (session: EngineSession): Ranking => {
  const ranking = rankings.get(session);
  if (ranking === undefined) throw new Error("The first picture was not whole.");
  return ranking;
};
const draw = (session: EngineSession, n: number, seed = "42") =>
  session.answer({ kind: "draw", id: 2, seed, stream: 0, from: 0, n }) as DrawResult;
const idOf = (text: string) => {
  for (let id = 0; id < once.texts.size; id++) if (once.texts.text(id) === text) return id;
  throw new Error(`There is no token ${text}.`);
};

/** Softmax in f64 and the shortest prefix that reaches p: an independent computation. */
function expected(logits: Float32Array, p: number) {
  const order = [...logits.keys()].sort((a, b) => (logits[b] ?? 0) - (logits[a] ?? 0) || a - b);
  const highest = logits[order[0] ?? 0] ?? 0;
  const weights = order.map((id) => Math.exp((logits[id] ?? 0) - highest));
  const mass = weights.reduce((sum, weight) => sum + weight, 0);
  const probs = weights.map((weight) => weight / mass);
  let kept = 0;
  for (let sum = 0; sum < p; kept++) sum += probs[kept] ?? 1;
  return { order, probs, kept };
}

describe("session.answer(picture)", () => {
  test("agrees with an independent softmax and prefix", () => {
    const { before, after, upstream } = picture(new EngineSession(engine));
    const { order, probs, kept } = expected(once.logits, 0.9);
    expect(after.keptCount).toBe(kept);
    expect([...after.order]).toEqual(order);
    expect(after.nRanked).toBe(49_152);
    const strays = order.filter((token, i) => {
      const isNear = Math.abs((before?.probs[token] ?? -1) - (probs[i] ?? 0)) < 2e-6;
      return !isNear || (after.removedBy[token] === KEPT) !== i < kept || after.rank[token] !== i;
    });
    expect(strays).toEqual([]);
    expect(upstream?.cumulative.at(-1)).toBe(1);
  });

  test("sends what has not changed only once", () => {
    const session = new EngineSession(engine);
    picture(session);
    const second = picture(session, { logits: null, chain: { temperature: 1, topP: 0.5 } });
    expect([second.before, second.upstream, second.ranking]).toEqual([null, null, null]);
    const third = picture(session, { logits: null, chain: { temperature: 2 }, upstream: { temperature: 2 } });
    expect([third.before, third.ranking]).toEqual([null, null]);
    expect(third.upstream).not.toBeNull();
    const fourth = picture(session, { logits: null, edits: [[5, 20]] });
    expect(fourth.before).not.toBeNull();
    expect(fourth.ranking).not.toBeNull();
    const fifth = picture(session, { logits: null, edits: [[5, 20]], chain: { presencePenalty: 1 } });
    expect(fifth.ranking).not.toBeNull();
  });

  test("applies edits to a copy of the row", () => {
    const session = new EngineSession(engine);
    const girl = idOf(" girl");
    const forbidden = picture(session, { edits: [[girl, -Infinity]] });
    expect(forbidden.after.removedBy[girl]).toBe(DEAD);
    expect(forbidden.after.rank[girl]).toBe(NO_RANK);
    expect(forbidden.after.order.at(-1)).toBe(girl);
    expect(picture(session, { logits: null }).after.rank[girl]).toBe(0);
  });

  test("gives masked tokens no rank and puts them last by id", () => {
    const chain = { allowedTokens: [7, 3] };
    const { after } = picture(new EngineSession(engine), { chain, upstream: chain });
    expect(after.nRanked).toBe(2);
    expect([...after.order.slice(0, 2)].sort()).toEqual([3, 7]);
    expect([...after.order.slice(2, 6)]).toEqual([0, 1, 2, 4]);
    expect(after.stages[after.removedBy[0] ?? 0]?.name).toBe("allowed_tokens");
  });

  test("tells every token's rank and fate as the engine's own report of all tokens does", () => {
    const session = new EngineSession(engine);
    const chains: ChainOptions[] = [
      { temperature: 1, topP: 0.9 },
      { temperature: 0.3, topK: 50, topP: 0.9, minP: 0.05 },
      { temperature: 0, topP: 0.9 },
      { topP: 0 },
      { allowedTokens: [7, 3, 12], minP: 1 },
      { logitBias: [[8180, -Infinity]], repetitionPenalty: 1.3, topK: 5 },
      { logitBias: [[8180, -Infinity]], repetitionPenalty: 1.3, topK: 7, temperature: 2 },
      { typicalP: 0.4, topP: 0.9 },
      { xtc: { probability: 1 } },
      { order: ["top_p", "repetition_penalty", "top_k"], topP: 0.5, repetitionPenalty: 3, topK: 4 },
      { smoothing: { factor: 0.3, curve: 5 }, topK: 3 },
      { topH: 0.4, topA: 0.1, tailFree: 0.99, etaCutoff: 0.0001, topNSigma: 2, mirostat: { version: 2 } },
      {},
    ];
    for (const chain of chains) {
      const { after } = picture(session, { chain, upstream: chain, edits: [[3102, -Infinity]] });
      const sampler = engine.create(chain);
      sampler.prompt(Uint32Array.from(once.promptTokens));
      const logits = once.logits.slice();
      logits[3102] = -Infinity;
      const { rank, removedBy } = sampler.tokenReport(logits);
      sampler.free();
      expect(after.rank.every((place, token) => place === rank[token])).toBe(true);
      expect(after.removedBy.every((by, token) => by === removedBy[token])).toBe(true);
    }
  });

  test("asks the engine for no token's fate while only temperature and truncations move", () => {
    let n = 0;
    const counting: Engine = {
      ...engine,
      create(options) {
        const sampler = engine.create(options);
        const tokenReport = (logits: Float32Array) => {
          n++;
          return sampler.tokenReport(logits);
        };
        return { ...sampler, tokenReport };
      },
    };
    const session = new EngineSession(counting);
    picture(session);
    for (const topP of [0.1, 0.5, 0.99]) answer(session, { logits: null, chain: { temperature: 2, topP } });
    answer(session, { logits: null, chain: { topK: 3, minP: 0.1 } });
    expect(n).toBe(1);
  });

  test("counts prompt and output in the repetition penalty, the output alone in the others", () => {
    const session = new EngineSession(engine);
    const neutral = picture(session, { chain: {} }).after;
    const [prompted] = once.promptTokens;
    const frequency = picture(session, { chain: { frequencyPenalty: 2 }, output: [] }).after;
    expect(frequency.probs[prompted ?? 0]).toBe(neutral.probs[prompted ?? 0]);
    const girl = idOf(" girl");
    const after = picture(session, { chain: { frequencyPenalty: 2 }, output: [girl, girl] }).after;
    expect(after.probs[girl]).toBeLessThan((neutral.probs[girl] ?? 0) / 10);
    const repetition = picture(session, { chain: { repetitionPenalty: 2 } }).after;
    expect(repetition.probs[prompted ?? 0]).not.toBe(neutral.probs[prompted ?? 0]);
  });

  test("throws the engine's error and keeps the last good picture for what follows", () => {
    const session = new EngineSession(engine);
    picture(session);
    expect(() => picture(session, { chain: { allowedTokens: [] } })).toThrow(/allowedTokens/);
    expect(answer(session, { logits: null }).outcome.keptCount).toBe(96);
    expect(draw(session, 10).n).toBe(10);
  });
});

describe("session.answer(picture) with a second row", () => {
  const chain = { guidance: { scale: 2 } };

  test("moves away from it: from a flat row the same way as half the temperature", () => {
    const flat = { key: "flat", logits: null };
    const { after } = picture(new EngineSession(engine), { chain, upstream: chain, second: flat });
    const halved = picture(new EngineSession(engine), { chain: { temperature: 0.5 } }).after;
    for (const token of after.order.subarray(0, 20))
      expect(after.probs[token]).toBeCloseTo(halved.probs[token] ?? 0, 5);
  });

  test("keeps the row that was sent, and asks for one that never was", async () => {
    const { logits, key } = await recorded("capital");
    const session = new EngineSession(engine);
    expect(() => answer(session, { chain, second: { key, logits: null } })).toThrow(/never sent/);
    const first = picture(session, { chain, second: { key, logits } }).after;
    const again = picture(session, { chain, second: { key, logits: null } }).after;
    expect(again.probs).toEqual(first.probs);
    expect(draw(session, 100).kept).toEqual(first.order.subarray(0, first.keptCount));
  });
});

describe("session.answer(picture) with XTC", () => {
  const chain = { xtc: { probability: 0.5, threshold: 0.1 } };

  test("shows either side of the coin", () => {
    const session = new EngineSession(engine);
    const girl = idOf(" girl");
    expect(picture(session, { chain, coin: true }).after.removedBy[girl]).not.toBe(KEPT);
    expect(picture(session, { chain, coin: false }).after.removedBy[girl]).toBe(KEPT);
  });

  test("expects of draws what both sides give together", () => {
    const session = new EngineSession(engine);
    const { after } = picture(session, { chain, coin: false });
    const { counts, statistics, kept, n } = draw(session, 20_000);
    const girl = idOf(" girl");
    const i = kept.indexOf(girl);
    expect(statistics.expected[i]).toBeCloseTo(((after.probs[girl] ?? 0) * n) / 2, 6);
    expect(Math.abs((counts[girl] ?? 0) - (statistics.expected[i] ?? 0))).toBeLessThan(400);
    expect(statistics.pValue).toBeGreaterThan(1e-6);
    expect(statistics.expected.reduce((sum, count) => sum + count, 0)).toBeCloseTo(n, 3);
  });
});

describe("session.answer(accept)", () => {
  const accept = (session: EngineSession, n: number, from = 0) =>
    session.answer({ kind: "accept", id: 3, seed: "42", stream: 0, from, n }) as AcceptResult;

  test("moves what mirostat and adaptive-p have come to, as the engine does", () => {
    for (const chain of [
      { mirostat: { version: 2, tau: 3, eta: 0.2 } },
      { adaptiveP: { target: 0.3 } },
    ] as const) {
      const session = new EngineSession(engine);
      picture(session, { chain });
      const { last } = draw(session, 5);
      const { token, controllers } = accept(session, 5);
      expect(token).toBe(last);
      const sampler = engine.create({ ...chain, seed: "42" });
      sampler.prompt(Uint32Array.from(once.promptTokens));
      sampler.sampleMany(once.logits, 4);
      sampler.accept(sampler.sampleDetailed(once.logits).token);
      expect(controllers).toEqual(sampler.controllers());
      expect([controllers.mu, controllers.adaptiveP].filter((value) => value !== null).length).toBe(1);
      sampler.free();
    }
  });

  test("is followed by draws from the place that was reached, with what was learnt", () => {
    const chain = { mirostat: { version: 2, tau: 2, eta: 0.5 } } as const;
    const sampler = engine.create({ ...chain, seed: "42" });
    sampler.prompt(Uint32Array.from(once.promptTokens));
    const session = new EngineSession(engine);
    let [output, controllers]: [number[], Setup["controllers"]] = [[], NO_CONTROLLERS];
    for (let from = 0; from < 6; from++) {
      picture(session, { chain, output, controllers });
      const stretch = { seed: "42", stream: 0, from, n: 1 };
      const drawn = session.answer({ kind: "draw", id: 2, ...stretch }) as DrawResult;
      const expected = sampler.sampleDetailed(once.logits).token;
      sampler.accept(expected);
      expect(drawn.last).toBe(expected);
      const accepted = accept(session, 1, from);
      output = [...output, accepted.token];
      controllers = accepted.controllers;
    }
    expect(controllers).toEqual(sampler.controllers());
    sampler.free();
  });

  test("refuses what was not drawn", () => {
    const session = new EngineSession(engine);
    picture(session);
    expect(() => accept(session, 0)).toThrow(/no draw to accept/);
  });
});

test("session.answer(explain) says of the picture on screen why a token is out", () => {
  const session = new EngineSession(engine);
  picture(session, { chain: { epsilonCutoff: 0.01 } });
  const token = idOf(" cow");
  const { explanation } = session.answer({ kind: "explain", id: 4, token }) as ExplainResult;
  expect(explanation).toMatchObject({ token, kept: false, stage: "epsilon_cutoff" });
  expect(explanation.prob).toBeLessThan(explanation.threshold ?? 0);
});

describe("session.answer(draw)", () => {
  test("gives the seed's first draws, the same in one go as one after the other", () => {
    const atOnce = new EngineSession(engine);
    const stepwise = new EngineSession(engine);
    picture(atOnce);
    picture(stepwise);
    const whole = draw(atOnce, 1000);
    for (const n of [1, 2, 30, 999, 1000]) draw(stepwise, n);
    expect(draw(stepwise, 1000).counts).toEqual(whole.counts);
    expect(draw(stepwise, 1000).last).toBe(whole.last);
  });

  test("gives the counts that the contract's own reference has for seed 42", () => {
    const session = new EngineSession(engine);
    picture(session);
    const { counts } = draw(session, 10_000);
    const drawn = [" girl", " town", " village", " island"].map((text) => counts[idOf(text)]);
    expect(drawn).toEqual([4354, 2570, 352, 357]);
  });

  test("starts over for another seed and for another chain", () => {
    const session = new EngineSession(engine);
    picture(session);
    const first = draw(session, 100).counts;
    expect(draw(session, 100, "43").counts).not.toEqual(first);
    expect(draw(session, 100, "42").counts).toEqual(first);
    picture(session, { logits: null, chain: { temperature: 0 } });
    const greedy = draw(session, 100);
    expect(greedy.counts[idOf(" girl")]).toBe(100);
    expect(greedy.target).toBeNull();
  });

  test("does a part at a time of very many", () => {
    const session = new EngineSession(engine);
    picture(session);
    expect(draw(session, 250_000).n).toBe(100_000);
    expect(draw(session, 250_000).n).toBe(200_000);
    const { n, counts, statistics, kept } = draw(session, 250_000);
    expect(n).toBe(250_000);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(250_000);
    expect(kept.length).toBe(96);
    expect(statistics.expected.reduce((sum, count) => sum + count, 0)).toBeCloseTo(250_000, 3);
    expect(statistics.pValue).toBeGreaterThan(1e-6);
  });

  test("tells where the last target fell: inside the drawn token's part of the line", () => {
    const session = new EngineSession(engine);
    const { after } = picture(session);
    for (let n = 1; n <= 50; n++) {
      const { last, target } = draw(session, n);
      let below = 0;
      for (let token = 0; token < (last ?? 0); token++) below += after.probs[token] ?? 0;
      expect(target).toBeGreaterThanOrEqual(below - 1e-12);
      expect(target).toBeLessThan(below + (after.probs[last ?? 0] ?? 0) + 1e-12);
    }
  });
});
