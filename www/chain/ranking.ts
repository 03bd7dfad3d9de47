// Which options ranks depend on. The engine worker needs this and nothing else of the cards.

import type { ChainOptions } from "./options";

/** What may cut elsewhere than at the end of the ranks, or write in what was ranked already. */
const FREE_CUTS = ["typicalP", "xtc", "smoothing", "adaptiveP", "order", "preset", "guard"] as const;

/** Stages that take tokens from the end of the ranks, or scale all logits. */
const TAIL_CUTS: readonly (keyof ChainOptions)[] = [
  ...(["temperature", "dynamicTemperature", "topH", "topK", "topP", "minP", "topNSigma", "topA"] as const),
  ...(["tailFree", "pLess", "epsilonCutoff", "etaCutoff", "mirostat", "minKeep"] as const),
];

/**
 * The options that ranks depend on, where the rest of the chain only takes tokens from the end of the ranks: then
 * how many tokens each stage leaves says which. Null where only a report of every token says what became of it.
 */
export function rankingOptions(options: ChainOptions): ChainOptions | null {
  if (FREE_CUTS.some((name) => options[name] !== undefined)) return null;
  const others = Object.entries(options).filter(([name]) => !TAIL_CUTS.some((cut) => cut === name));
  return Object.fromEntries(others);
}
