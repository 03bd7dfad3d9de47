// The engine's answers laid out by token id and by rank, as the views read them. No number is computed here.

import type { Distribution } from "nucleus-sampler";
import type { TokenReport } from "./engine";
import { type After, type Before, KEPT, NO_RANK } from "./protocol";

/** The distribution before the chain, by token id. */
export function beforeOf(distribution: Distribution, vocabSize: number): Before {
  return {
    probs: byToken(distribution, vocabSize),
    highest: distribution.probs[0] ?? 0,
    entropy: distribution.entropy,
  };
}

/** What the chain did to every token. */
export function afterOf(report: TokenReport, distribution: Distribution): After {
  const { rank, removedBy } = report;
  const { order, nRanked } = orderOf(rank);
  return {
    order,
    nRanked,
    removedBy,
    rank,
    probs: byToken(distribution, rank.length),
    highest: distribution.probs[0] ?? 0,
    keptCount: distribution.keptCount,
    keptMass: distribution.keptMass,
    entropy: distribution.entropy,
    stages: report.stages,
  };
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
