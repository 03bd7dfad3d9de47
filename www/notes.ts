// What a card says of its stage beside counts and entropy: where its bar stands now.

import type { StageReport } from "nucleus-sampler";
import { formatBits, formatCount, formatLogit, formatPercent } from "./format";

type Note = (threshold: number, report: StageReport) => string;

const leastProbability: Note = (threshold) => `keeps probabilities from ${formatPercent(threshold)} on`;

const NOTES: Readonly<Record<string, Note>> = {
  dynamic_temperature: (threshold) => `the temperature is ${threshold.toFixed(2)} here`,
  top_h: (threshold) => `allows an entropy of ${formatBits(threshold)} bits`,
  typical_p: (threshold, { entropyBefore }) =>
    `keeps what is within ${formatBits(threshold)} bits of the expected surprise, ${formatBits(entropyBefore)}`,
  top_n_sigma: (threshold) => `keeps logits from ${formatLogit(threshold)} on`,
  min_p: leastProbability,
  top_a: leastProbability,
  p_less: leastProbability,
  epsilon_cutoff: leastProbability,
  eta_cutoff: leastProbability,
  adaptive_p: (threshold) => `aims at ${formatPercent(threshold)} now`,
};

/** Where the stage's bar stands, or null where there is nothing to say. */
export function noteOf(report: StageReport, mirostatVersion: number): string | null {
  const { name, threshold } = report;
  if (threshold === null) return null;
  if (name === "mirostat")
    return mirostatVersion === 1
      ? `k is ${formatCount(threshold)} now`
      : `μ is ${threshold.toFixed(2)} bits now`;
  return NOTES[name]?.(threshold, report) ?? null;
}
