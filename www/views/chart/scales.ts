// Ranks to x and probabilities to y, in pixels of the plot, with the ticks of both axes.

import { scaleLinear, scaleLog } from "d3-scale";
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
/** Pixels between two ticks that a linear rank axis aims for. */
const RANK_TICK = 150;
const LOG_FLOOR = 1e-12;
const PROB_TICKS = 5;

/** Token of rank r (from 1) spans [r, r + 1) of the axis, which runs from 1 to size + 1. */
export function rankAxis(kind: "log" | "linear", size: number, width: number): RankAxis {
  const scale = (kind === "log" ? scaleLog() : scaleLinear()).domain([1, size + 1]).range([0, width]);
  const edge = (rank: number) => scale(rank + 1);
  // A place on the border of two tokens may be rounded into either: the edges decide.
  const rankAt = (x: number) => {
    const guess = scale.invert(x) - 1;
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

/** The powers of ten; every rank where there are few. */
function logRanks(size: number): number[] {
  if (size <= FEW) return Array.from({ length: size }, (_, i) => i + 1);
  return scaleLog()
    .domain([1, size])
    .ticks()
    .filter((rank) => Number.isInteger(Math.log10(rank)));
}

function linearRanks(size: number, width: number): number[] {
  const whole = scaleLinear()
    .domain([1, size])
    .ticks(Math.max(1, width / RANK_TICK))
    .filter((rank) => Number.isInteger(rank) && rank > 1);
  return [1, ...whole];
}

/** `highest` is the highest probability drawn; the top of a linear axis is the next round value. */
export function probAxis(kind: "log" | "linear", highest: number, lowest: number, height: number): ProbAxis {
  return kind === "linear" ? linearProbs(highest, height) : logProbs(lowest, height);
}

function linearProbs(highest: number, height: number): ProbAxis {
  // In percent, so that ticks are whole numbers wherever they can be.
  const percent = scaleLinear()
    .domain([0, Math.max(1, Math.min(100, highest * 99.9))])
    .nice(PROB_TICKS)
    .range([height, 0]);
  const ticks = percent.ticks(PROB_TICKS).map((p) => ({ at: percent(p), label: `${p}%` }));
  return { y: (p) => percent(p * 100), ticks };
}

function logProbs(lowest: number, height: number): ProbAxis {
  const powers = Math.ceil(-Math.log10(Math.max(LOG_FLOOR, Math.min(lowest, 1e-3))));
  const scale = scaleLog()
    .domain([10 ** -powers, 1])
    .range([height, 0])
    .clamp(true);
  const every = powers > 6 ? 2 : 1;
  const tops = Array.from({ length: Math.floor(powers / every) + 1 }, (_, i) => i * every);
  const ticks = tops.map((power) => {
    const p = 10 ** -power;
    return { at: scale(p), label: power <= 4 ? `${Number((p * 100).toFixed(6))}%` : powerLabel(p) };
  });
  return { y: (p) => (p > 0 ? scale(p) : height), ticks };
}

function powerLabel(p: number): string {
  return formatScientific(p).split("·")[1] ?? "";
}
