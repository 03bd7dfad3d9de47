// Ranks to x and probabilities to y, in pixels of the plot, with the ticks of both axes.

import { formatCount, formatScientific } from "../../format";

export interface Tick {
  readonly at: number;
  readonly label: string;
}

export interface RankAxis {
  /** The left edge of the token at this 0-based rank; of `size` the right end of the axis. */
  edge(rank: number): number;
  /** The 0-based rank whose token covers x. */
  rankAt(x: number): number;
  readonly ticks: readonly Tick[];
}

export interface ProbAxis {
  y(p: number): number;
  readonly ticks: readonly Tick[];
}

/** The narrowest bar whose tick stands under its middle instead of its left edge. */
const WIDE_BAR = 14;
/** Rows of at most this many tokens have a tick for each on a logarithmic axis. */
const FEW = 12;
/** Pixels that a tick of a linear rank axis needs. */
const RANK_TICK = 110;
const LOG_FLOOR = 1e-12;
const LINEAR_TOPS = [0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.8, 1];
const PROB_TICKS = 4;

/** Token of rank r (from 1) spans [r, r + 1) of the axis, which runs from 1 to size + 1. */
export function rankAxis(kind: "log" | "linear", size: number, width: number): RankAxis {
  const end = Math.log(size + 1);
  const edge = (rank: number) =>
    kind === "log" ? (Math.log(rank + 1) / end) * width : (rank / size) * width;
  // A place on the border of two tokens may be rounded into either: the edges decide.
  const rankAt = (x: number) => {
    const guess = kind === "log" ? Math.exp((x / width) * end) - 1 : (x / width) * size;
    let rank = Math.min(size - 1, Math.max(0, Math.floor(guess)));
    if (rank + 1 < size && edge(rank + 1) <= x) rank++;
    return rank;
  };
  const ranks = kind === "log" ? logRanks(size) : linearRanks(size, width);
  const ticks = ranks.map((rank) => {
    const left = edge(rank - 1);
    const wide = edge(rank) - left;
    return { at: wide > WIDE_BAR ? left + wide / 2 : left, label: formatCount(rank) };
  });
  return { edge, rankAt, ticks };
}

function logRanks(size: number): number[] {
  if (size <= FEW) return Array.from({ length: size }, (_, i) => i + 1);
  const ranks: number[] = [];
  for (let rank = 1; rank <= size; rank *= 10) ranks.push(rank);
  return ranks;
}

function linearRanks(size: number, width: number): number[] {
  const step = Math.max(1, roundStep(size / Math.max(1, width / RANK_TICK)));
  const ranks = step === 1 ? [] : [1];
  for (let rank = step; rank <= size; rank += step) ranks.push(rank);
  return ranks;
}

/** The smallest of 1, 2, 5 times a power of ten that is at least `least`. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5].map((factor) => factor * power).find((step) => step >= least) ?? 10 * power;
}

/** `highest` is the highest probability drawn; the top of a linear axis is the next of a few round values. */
export function probAxis(kind: "log" | "linear", highest: number, lowest: number, height: number): ProbAxis {
  return kind === "linear" ? linearProbs(highest, height) : logProbs(lowest, height);
}

function linearProbs(highest: number, height: number): ProbAxis {
  const top = LINEAR_TOPS.find((candidate) => candidate >= highest * 0.999) ?? 1;
  const y = (p: number) => (1 - p / top) * height;
  // The tops are whole percents: steps in percent keep the ticks free of rounding.
  const step = roundStep((top * 100) / (PROB_TICKS + 2));
  const ticks: Tick[] = [];
  for (let percent = 0; percent <= top * 100 + 1e-9; percent += step) {
    ticks.push({ at: y(percent / 100), label: `${Number(percent.toFixed(6))}%` });
  }
  return { y, ticks };
}

function logProbs(lowest: number, height: number): ProbAxis {
  const powers = Math.ceil(-Math.log10(Math.max(LOG_FLOOR, Math.min(lowest, 1e-3))));
  const y = (p: number) => (p > 0 ? Math.min(1, Math.max(0, -Math.log10(p) / powers)) * height : height);
  const every = powers > 6 ? 2 : 1;
  const ticks: Tick[] = [];
  for (let power = 0; power <= powers; power += every) {
    const p = 10 ** -power;
    ticks.push({ at: y(p), label: power <= 4 ? `${Number((p * 100).toFixed(6))}%` : powerLabel(p) });
  }
  return { y, ticks };
}

function powerLabel(p: number): string {
  return formatScientific(p).split("·")[1] ?? "";
}
