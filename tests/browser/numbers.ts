// An independent computation of what the page should show: plain f64 from the committed bits of the recorded row.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import rows from "../../www/data/rows.json";

/** The recorded logits, unpacked here by another way than the page's. */
export function recordedLogits(name: string): Float32Array {
  const path = fileURLToPath(new URL(`../../www/data/${name}.bin`, import.meta.url));
  const planes = gunzipSync(readFileSync(path));
  const n = planes.length / 4;
  const bytes = Buffer.alloc(planes.length);
  for (let i = 0; i < n; i++) for (let b = 0; b < 4; b++) bytes[4 * i + b] = planes[b * n + i] ?? 0;
  return new Float32Array(bytes.buffer, bytes.byteOffset, n);
}

export interface Nucleus {
  /** Ids by rank. */
  readonly order: readonly number[];
  /** Probabilities by rank: before any cut, and among the kept. */
  readonly raw: readonly number[];
  readonly final: readonly number[];
  readonly kept: number;
  readonly mass: number;
  /** In bits, before and after the cut. */
  readonly entropy: readonly [number, number];
}

export function nucleus(logits: Float32Array, temperature: number, p: number): Nucleus {
  const order = [...logits.keys()].sort((a, b) => (logits[b] ?? 0) - (logits[a] ?? 0) || a - b);
  const highest = logits[order[0] ?? 0] ?? 0;
  const weights = order.map((id) => Math.exp(((logits[id] ?? 0) - highest) / temperature));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const raw = weights.map((weight) => weight / total);
  let kept = 0;
  let mass = 0;
  // The first token stays whatever p is.
  do mass += raw[kept++] ?? 1;
  while (mass < p);
  const final = raw.slice(0, kept).map((share) => share / mass);
  return { order, raw, final, kept, mass, entropy: [bits(raw), bits(final)] };
}

function bits(shares: readonly number[]): number {
  return -shares.reduce((sum, share) => sum + (share > 0 ? share * Math.log2(share) : 0), 0);
}

/** The headline's words about a nucleus. */
export function holding({ kept, mass }: Nucleus): string {
  return `${kept.toLocaleString("en")} ${kept === 1 ? "holds" : "hold"} ${percent(mass)} of the probability.`;
}

/** The recorded row that the page opens with. */
export const once = recordedLogits("once");

/** The headline's words for that row at temperature 1. */
export const onceHolds = (p: number): string => holding(nucleus(once, 1, p));

/** A share with the two decimals that the page writes. */
export function percent(p: number): string {
  return `${(p * 100).toFixed(2)}%`;
}

export const vocabSize = rows.vocabSize;
