// The worker's side of the protocol: turns requests into pictures, explanations and draws with the engine.
// It keeps the last good setup, so an error changes nothing, and the parts of a picture that can be reused.

import type { Distribution, Report, SampleDetails } from "nucleus-sampler";
import { type ChainOptions, rankingOptions } from "../chain/options";
import { drawStatistics } from "./draw-statistics";
import type { Engine, Sampler, TokenReport } from "./engine";
import { beforeOf, outcomeOf, type RankedTokens, rankedTokens } from "./picture";
import type {
  Before,
  DrawResult,
  PictureResult,
  Ranking,
  Request,
  Result,
  Setup,
  Upstream,
} from "./protocol";

/** Draws done for one request, so that a picture never waits long behind them. */
const DRAWS_A_REQUEST = 100_000;

interface Current {
  readonly setup: Setup;
  readonly logits: Float32Array;
  readonly sampler: Sampler;
  readonly distribution: Distribution;
}

interface Drawn {
  readonly key: string;
  readonly sampler: Sampler;
  readonly counts: Uint32Array;
  n: number;
  last: SampleDetails | null;
}

export class EngineSession {
  readonly #engine: Engine;
  #row: { key: string; logits: Float32Array } | null = null;
  #current: Current | null = null;
  #beforeKey = "";
  #upstreamKey = "";
  #ranking: { readonly key: string; readonly tokens: RankedTokens } | null = null;
  #drawn: Drawn | null = null;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** The answer to one request; throws the engine's error, after which nothing has changed. */
  answer(request: Request): Result {
    if (request.kind === "picture") return this.#picture(request.setup);
    return this.#draw(request.seed, request.n);
  }

  #picture(setup: Setup): PictureResult {
    const rowKey = JSON.stringify([setup.rowKey, setup.edits.map(String)]);
    const isKnown = setup.logits === null && rowKey === this.#beforeKey;
    const logits = isKnown ? this.#last().logits : this.#logits(setup);
    const sampler = this.#sampler(setup, setup.chain);
    try {
      const distribution = sampler.distribution(logits);
      const upstreamKey = JSON.stringify([rowKey, setup.output, keyOf(setup.upstream)]);
      const rankingKey = JSON.stringify([rowKey, setup.output, keyOf(rankingOptions(setup.chain))]);
      const isRanked = this.#ranking?.key === rankingKey;
      const report = isRanked ? sampler.report(logits) : sampler.tokenReport(logits);
      const ranked = isTokenReport(report) ? rankedTokens(report) : this.#lastRanked();
      const outcome = outcomeOf(ranked, report, distribution);
      const before = rowKey === this.#beforeKey ? null : this.#before(logits);
      const upstream = upstreamKey === this.#upstreamKey ? null : this.#upstream(setup, logits, distribution);
      this.#beforeKey = rowKey;
      this.#upstreamKey = upstreamKey;
      this.#ranking = { key: rankingKey, tokens: ranked };
      this.#current?.sampler.free();
      this.#current = { setup, logits, sampler, distribution };
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

  #sampler(setup: Setup, options: ChainOptions, seed?: string): Sampler {
    const sampler = this.#engine.create(seed === undefined ? options : { ...options, seed });
    try {
      if (setup.prompt.length > 0) sampler.prompt(Uint32Array.from(setup.prompt));
      for (const token of setup.output) sampler.accept(token);
      return sampler;
    } catch (error) {
      sampler.free();
      throw error;
    }
  }

  #before(logits: Float32Array): Before {
    const neutral = this.#engine.create({});
    try {
      return beforeOf(neutral.distribution(logits), logits.length);
    } finally {
      neutral.free();
    }
  }

  /** The curve's running sum: the whole chain's own where the chain ends before the curve's stage. */
  #upstream(setup: Setup, logits: Float32Array, whole: Distribution): Upstream {
    if (keyOf(setup.upstream) === keyOf(setup.chain)) return { cumulative: whole.cumulative.slice() };
    const sampler = this.#sampler(setup, setup.upstream);
    try {
      return { cumulative: sampler.distribution(logits).cumulative };
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

  #draw(seed: string, n: number): DrawResult {
    const { setup, logits, distribution } = this.#last();
    const drawn = this.#stream(setup, seed, n);
    const more = Math.min(n - drawn.n, DRAWS_A_REQUEST);
    if (more > 0) {
      const tokens = drawn.sampler.sampleMany(logits, more - 1);
      const last = drawn.sampler.sampleDetailed(logits);
      for (const token of tokens) drawn.counts[token] = (drawn.counts[token] ?? 0) + 1;
      drawn.counts[last.token] = (drawn.counts[last.token] ?? 0) + 1;
      drawn.n += more;
      drawn.last = last;
    }
    const { n: made, last } = drawn;
    const counts = drawn.counts.slice();
    const kept = distribution.tokenIds.slice();
    const statistics = drawStatistics(this.#engine, distribution, counts, made);
    const where = { last: last?.token ?? null, target: last?.target ?? null };
    return { kind: "draw", n: made, counts, ...where, kept, statistics };
  }

  /** The draws made so far where they belong to this setup and seed, else a stream from its start. */
  #stream(setup: Setup, seed: string, n: number): Drawn {
    const key = JSON.stringify([this.#beforeKey, setup.output, keyOf(setup.chain), seed]);
    if (this.#drawn?.key === key && this.#drawn.n <= n) return this.#drawn;
    const sampler = this.#sampler(setup, setup.chain, seed);
    this.#drawn?.sampler.free();
    const counts = new Uint32Array(this.#last().logits.length);
    this.#drawn = { key, sampler, counts, n: 0, last: null };
    return this.#drawn;
  }
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
