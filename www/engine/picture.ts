// The engine's answers laid out by token id and by rank, as the views read them. No number is computed here.

import type { Breaker, Distribution, Report } from "nucleus-sampler";
import type { TokenReport } from "./engine";
import { type After, type Before, KEPT, NO_RANK, type Outcome, type Ranking } from "./protocol";

/** A ranking, with what became of the tokens that have no rank. */
export interface RankedTokens extends Ranking {
  /** By token id: what removed a token before ranks were given; KEPT for the ranked ones. */
  readonly unranked: Uint8Array;
}

/** The distribution before the chain, by token id. */
export function beforeOf(distribution: Distribution, vocabSize: number): Before {
  return {
    probs: byToken(distribution, vocabSize),
    highest: distribution.probs[0] ?? 0,
    entropy: distribution.entropy,
  };
}

/** The ranks that a report gives. */
export function rankedTokens({ rank, removedBy }: TokenReport): RankedTokens {
  const unranked = removedBy.map((by, token) => (rank[token] === NO_RANK ? by : KEPT));
  return { ...orderOf(rank), rank, unranked };
}

/** What the chain did to every token: as the report says of each, else as its counts do. */
export function outcomeOf(
  ranked: RankedTokens,
  report: Report,
  distribution: Distribution,
  breaker: Breaker,
): Outcome {
  const { stages, trip } = report;
  return {
    removedBy: report.removedBy ?? fatesOf(ranked, stages),
    probs: byToken(distribution, ranked.rank.length),
    highest: distribution.probs[0] ?? 0,
    keptCount: distribution.keptCount,
    keptMass: distribution.keptMass,
    entropy: distribution.entropy,
    stages,
    trip,
    breaker,
  };
}

/**
 * What removed each token, by token id, in a chain whose truncations all take from the end of the ranks: how many
 * tokens a stage leaves says which ones it took.
 */
function fatesOf({ order, nRanked, unranked }: RankedTokens, stages: Report["stages"]): Uint8Array {
  const removedBy = unranked.slice();
  let end = nRanked;
  stages.forEach(({ keptAfter }, by) => {
    for (let rank = keptAfter; rank < end; rank++) removedBy[order[rank] ?? 0] = by;
    end = Math.min(end, keptAfter);
  });
  return removedBy;
}

function byToken({ tokenIds, probs }: Distribution, vocabSize: number): Float64Array {
  const scattered = new Float64Array(vocabSize);
  for (let i = 0; i < tokenIds.length; i++) scattered[tokenIds[i] ?? 0] = probs[i] ?? 0;
  return scattered;
}

/** Token ids by rank, the ones without rank after them by id. */
export function orderOf(rank: Uint32Array): { order: Uint32Array; nRanked: number } {
  const order = new Uint32Array(rank.length);
  let nRanked = 0;
  for (const place of rank) if (place !== NO_RANK) nRanked++;
  let next = nRanked;
  for (let token = 0; token < rank.length; token++) {
    const place = rank[token] ?? NO_RANK;
    order[place === NO_RANK ? next++ : place] = token;
  }
  return { order, nRanked };
}

/** The first token by rank that a stage removed, or null. */
export function firstCut({ order, nRanked, removedBy }: After): number | null {
  for (let i = 0; i < nRanked; i++) {
    const token = order[i] ?? 0;
    if (removedBy[token] !== KEPT) return token;
  }
  return null;
}
