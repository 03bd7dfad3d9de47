// A state's chain as the engine's options, whole or only up to the stage whose input the curve shows.

import type { State } from "../state";
import { settingOf } from "../state";
import { CARDS, CURVE_STAGE } from "./cards";

export interface ChainOptions {
  temperature?: number;
  topK?: number;
  topP?: number;
  minP?: number;
  repetitionPenalty?: number;
  frequencyPenalty?: number;
  presencePenalty?: number;
  logitBias?: [number, number][];
  allowedTokens?: number[];
}

/** The options of every stage that is switched on. */
export function chainOptions(state: State): ChainOptions {
  return optionsOf(state, CARDS.length);
}

/** The same chain without the curve's stage and everything after it: what that stage is given. */
export function upstreamOptions(state: State): ChainOptions {
  return optionsOf(
    state,
    CARDS.findIndex((card) => card.stage === CURVE_STAGE),
  );
}

/**
 * The options that ranks depend on. A temperature keeps the order of logits, and the truncations among these
 * options take tokens from the end of the ranks; every other option is a part of the answer.
 */
export function rankingOptions(options: ChainOptions): ChainOptions {
  const { temperature, topK, topP, minP, ...others } = options;
  return others;
}

function optionsOf(state: State, n: number): ChainOptions {
  const options: ChainOptions = {};
  for (const card of CARDS.slice(0, n)) {
    const setting = settingOf(state, card);
    if (!setting.on) continue;
    if (card.kind === "number") options[card.option] = setting.value;
    else if (card.kind === "bias") options.logitBias = setting.entries.map(([token, bias]) => [token, bias]);
    else if (card.kind === "tokens") options.allowedTokens = setting.entries.map(([token]) => token);
  }
  const greedy = state.chain.greedy?.on ?? false;
  return greedy ? { ...options, temperature: 0 } : options;
}
