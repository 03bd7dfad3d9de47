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
const LOG_FLOOR = 1e-12;
const LINEAR_TOPS = [0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.8, 1];

export function rankAxis(kind: "log" | "linear", size: number, width: number): RankAxis {
  const scale = (kind === "log" ? scaleLog() : scaleLinear()).domain([1, size + 1]).range([0, width]);
  const edge = (rank: number) => scale(rank + 1);
  const rankAt = (x: number) => Math.min(size - 1, Math.max(0, Math.floor(scale.invert(x)) - 1));
  const ranks = kind === "log" ? logRanks(size) : linearRanks(scale.ticks(width / 110), size);
  const ticks = ranks.map((rank) => {
    const left = edge(rank - 1);
    const wide = edge(rank) - left;
    return { at: wide > WIDE_BAR ? left + wide / 2 : left, label: formatCount(rank) };
  });
  return { edge, rankAt, ticks };
}

function logRanks(size: number): number[] {
  if (size <= 12) return Array.from({ length: size }, (_, i) => i + 1);
  const ranks: number[] = [];
  for (let rank = 1; rank <= size; rank *= 10) ranks.push(rank);
  return ranks;
}

function linearRanks(ticks: readonly number[], size: number): number[] {
  const inside = ticks.filter((tick) => Number.isInteger(tick) && tick > 1 && tick <= size);
  return [1, ...inside];
}

/** `highest` is the highest probability drawn; the top of a linear axis is the next of a few round values. */
export function probAxis(kind: "log" | "linear", highest: number, lowest: number, height: number): ProbAxis {
  if (kind === "linear") {
    const top = LINEAR_TOPS.find((candidate) => candidate >= highest * 0.999) ?? 1;
    const scale = scaleLinear().domain([0, top]).range([height, 0]);
    const ticks = scale.ticks(4).map((p) => ({ at: scale(p), label: `${Number((p * 100).toFixed(6))}%` }));
    return { y: (p) => scale(p), ticks };
  }
  const floor = 10 ** Math.floor(Math.log10(Math.max(LOG_FLOOR, Math.min(lowest, 1e-3))));
  const scale = scaleLog().domain([floor, 1]).range([height, 0]).clamp(true);
  const powers = Math.round(-Math.log10(floor));
  const every = powers > 6 ? 2 : 1;
  const ticks: Tick[] = [];
  for (let power = 0; power <= powers; power += every) {
    const p = 10 ** -power;
    ticks.push({ at: scale(p), label: power <= 4 ? `${Number((p * 100).toFixed(6))}%` : powerLabel(p) });
  }
  return { y: (p) => (p > 0 ? scale(p) : height), ticks };
}

function powerLabel(p: number): string {
  return formatScientific(p).split("·")[1] ?? "";
}
