// The worker's side of the protocol: turns requests into pictures, explanations and draws with the engine.
// It keeps the last good setup, so an error changes nothing, and the parts of a picture that can be reused.

import type { Distribution, Report } from "nucleus-sampler";
import type { ChainOptions } from "../chain/options";
import { rankingOptions } from "../chain/ranking";
import { FLAT_ROW } from "../flat-row";
import { drawStatistics } from "./draw-statistics";
import type { Call, Engine, Sampler, TokenReport } from "./engine";
import { type Expected, expectedOf, mixed } from "./mixture";
import { beforeOf, outcomeOf, type RankedTokens, rankedTokens } from "./picture";
import type {
  AcceptResult,
  Before,
  DrawResult,
  ExplainResult,
  PictureResult,
  Ranking,
  Request,
  Result,
  Setup,
  Stretch,
  Upstream,
} from "./protocol";
import { samplerOf, withBreaker } from "./samplers";
import { DrawStream } from "./stream";

interface Current {
  readonly setup: Setup;
  readonly logits: Float32Array;
  /** The row that guidance moves away from. */
  readonly second: Float32Array | null;
  readonly sampler: Sampler;
  readonly distribution: Distribution;
}

interface KnownRow {
  readonly key: string;
  readonly logits: Float32Array;
}

export class EngineSession {
  readonly #engine: Engine;
  #row: KnownRow | null = null;
  #second: KnownRow | null = null;
  #current: Current | null = null;
  #beforeKey = "";
  #upstreamKey = "";
  #ranking: { readonly key: string; readonly tokens: RankedTokens } | null = null;
  #drawn: DrawStream | null = null;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** The answer to one request; throws the engine's error, after which nothing has changed. */
  answer(request: Request): Result {
    switch (request.kind) {
      case "picture":
        return this.#picture(request.setup);
      case "draw":
        return this.#draw(request);
      case "accept":
        return this.#accept(request);
      case "explain":
        return this.#explain(request.token);
    }
  }

  #picture(setup: Setup): PictureResult {
    const rowKey = JSON.stringify([setup.rowKey, setup.edits.map(String)]);
    const isKnown = setup.logits === null && rowKey === this.#beforeKey;
    const logits = isKnown ? this.#last().logits : this.#logits(setup);
    const second = this.#secondRow(setup, logits.length);
    const call = callOf(setup, second);
    const sampler = samplerOf(this.#engine, setup, setup.chain);
    try {
      const distribution = sampler.distribution(logits, call);
      const given = [rowKey, setup.output, setup.second?.key ?? null];
      const upstreamKey = JSON.stringify([...given, setup.coin, keyOf(setup.upstream)]);
      const options = rankingOptions(setup.chain);
      const rankingKey = options === null ? null : JSON.stringify([...given, keyOf(options)]);
      const isRanked = rankingKey !== null && this.#ranking?.key === rankingKey;
      const report = isRanked ? sampler.report(logits, call) : sampler.tokenReport(logits, call);
      const ranked = isTokenReport(report) ? rankedTokens(report) : this.#lastRanked();
      const outcome = outcomeOf(ranked, report, distribution, sampler.breaker());
      const before = rowKey === this.#beforeKey ? null : this.#before(logits);
      const upstream =
        upstreamKey === this.#upstreamKey ? null : this.#upstream(setup, logits, call, distribution);
      this.#beforeKey = rowKey;
      this.#upstreamKey = upstreamKey;
      this.#ranking = rankingKey === null ? null : { key: rankingKey, tokens: ranked };
      this.#current?.sampler.free();
      this.#current = { setup, logits, second, sampler, distribution };
      return { kind: "picture", before, upstream, ranking: isRanked ? null : copyOf(ranked), outcome };
    } catch (error) {
      sampler.free();
      throw error;
    }
  }

  #logits(setup: Setup): Float32Array {
    if (setup.logits !== null) this.#row = { key: setup.rowKey, logits: setup.logits };
    if (this.#row?.key !== setup.rowKey) throw new Error(`The row "${setup.rowKey}" was never sent.`);
    const logits = this.#row.logits.slice();
    for (const [token, logit] of setup.edits) if (token < logits.length) logits[token] = logit;
    return logits;
  }

  #secondRow({ second }: Setup, vocabSize: number): Float32Array | null {
    if (second === null) return null;
    if (second.key === FLAT_ROW) return new Float32Array(vocabSize);
    if (second.logits !== null) this.#second = { key: second.key, logits: second.logits };
    if (this.#second?.key !== second.key) throw new Error(`The row "${second.key}" was never sent.`);
    return this.#second.logits;
  }

  #before(logits: Float32Array): Before {
    const neutral = this.#engine.create({});
    try {
      return beforeOf(neutral.distribution(logits, {}), logits.length);
    } finally {
      neutral.free();
    }
  }

  /** The curve's running sum: the whole chain's own where the chain ends before the curve's stage. */
  #upstream(setup: Setup, logits: Float32Array, call: Call, whole: Distribution): Upstream {
    if (keyOf(setup.upstream) === keyOf(setup.chain))
      return { tokenIds: whole.tokenIds.slice(), cumulative: whole.cumulative.slice() };
    const sampler = samplerOf(this.#engine, setup, setup.upstream);
    try {
      const { tokenIds, cumulative } = sampler.distribution(logits, call);
      return { tokenIds, cumulative };
    } finally {
      sampler.free();
    }
  }

  #last(): Current {
    if (this.#current === null) throw new Error("There is no picture yet.");
    return this.#current;
  }

  #lastRanked(): RankedTokens {
    if (this.#ranking === null) throw new Error("No token has a rank yet.");
    return this.#ranking.tokens;
  }

  #explain(token: number): ExplainResult {
    const { setup, logits, second, sampler } = this.#last();
    return { kind: "explain", explanation: sampler.explain(logits, token, callOf(setup, second)) };
  }

  #draw(stretch: Stretch): DrawResult {
    const current = this.#last();
    const drawn = this.#drawnTo(current, stretch);
    const { n, last } = drawn;
    const counts = drawn.counts.slice();
    const expected = this.#expected(current, drawn);
    const kept = expected.tokenIds.slice();
    const statistics = drawStatistics(this.#engine, expected, counts, n);
    // What is on screen is one side of XTC's coin: the draw's own may have been the other.
    const target = expected === current.distribution ? (last?.target ?? null) : null;
    const { guarded } = drawn;
    return { kind: "draw", n, counts, last: last?.token ?? null, target, kept, statistics, guarded };
  }

  /** What these draws are to be expected of: under a guard also the chain that runs while its breaker is open. */
  #expected(current: Current, { n, guarded }: DrawStream): Expected {
    const { distribution, sampler, setup } = current;
    const isOpen = sampler.breaker().isOpen;
    const open = guarded?.open ?? 0;
    if (!isOpen && open === 0) return this.#closed(current, sampler, distribution);
    if (isOpen && open === n) return distribution;
    const other = withBreaker(this.#engine, setup, !isOpen);
    try {
      const call = callOf(setup, current.second);
      const others = other.distribution(current.logits, call);
      const closed = isOpen
        ? this.#closed(current, other, others)
        : this.#closed(current, sampler, distribution);
      return mixed(closed, isOpen ? distribution : others, 1 - open / n);
    } finally {
      other.free();
    }
  }

  /** What draws are to be expected of while no breaker is open. */
  #closed({ setup, logits, second }: Current, sampler: Sampler, shown: Distribution): Expected {
    const call = callOf(setup, second);
    return expectedOf(setup, shown, (coin) => sampler.distribution(logits, { ...call, coin }));
  }

  #accept(stretch: Stretch): AcceptResult {
    const drawn = this.#drawnTo(this.#last(), stretch);
    if (drawn.last === null || drawn.n !== stretch.n) throw new Error("There is no draw to accept.");
    const { token } = drawn.last;
    const controllers = drawn.accept(token);
    // What was drawn has become a part of the text: these draws are over.
    drawn.free();
    this.#drawn = null;
    return { kind: "accept", token, controllers };
  }

  /** The draws made so far where they belong to this setup and seed, else a stream from its start; drawn on. */
  #drawnTo({ setup, logits, second }: Current, stretch: Stretch): DrawStream {
    const { output, chain, controllers } = setup;
    const of = [this.#beforeKey, output, setup.second?.key ?? null, keyOf(chain), controllers];
    const key = JSON.stringify([...of, stretch.seed, stretch.stream, stretch.from]);
    if (this.#drawn?.key !== key || this.#drawn.n > stretch.n) {
      const sampler = samplerOf(this.#engine, setup, chain, { stretch });
      this.#drawn?.free();
      this.#drawn = new DrawStream(key, sampler, chain, stretch.from, logits.length);
    }
    this.#drawn.draw(logits, stretch.n, second === null ? {} : { unconditional: second });
    return this.#drawn;
  }
}

/** What a preview is given along with the logits. */
function callOf({ chain, coin }: Setup, second: Float32Array | null): Call {
  return {
    ...(second !== null && { unconditional: second }),
    ...(chain.xtc !== undefined && { coin }),
  };
}

function isTokenReport(report: Report): report is TokenReport {
  return report.rank !== undefined;
}

/** A ranking to hand over: this side keeps its own. */
function copyOf({ order, nRanked, rank }: Ranking): Ranking {
  return { order: order.slice(), nRanked, rank: rank.slice() };
}

/** Options as a key; JSON would write minus infinity as null. */
function keyOf(options: ChainOptions): string {
  return JSON.stringify(options, (_, value) => (value === -Infinity ? "-inf" : value));
}
