// The sampler's kept sets, for holding others against them.
import { settings, temperatures } from "./chains.mjs";

/** What other samplers' rounding may move: they sum in f32, one token after the other. */
const slackInP = 0.002;

/** The token ids that a chain keeps of a row, as a Set; with `slack` those that rounding may add too. */
export function keptBy(WasmSampler, row, chain, { slack = false } = {}) {
  const options = { ...settings(chain, temperatures[0]), seed: 1 };
  if (slack) {
    options.topP = Math.min(1, options.topP + slackInP);
    if (options.minP) options.minP *= 1 - slackInP;
  }
  const sampler = new WasmSampler(options);
  const kept = new Set(sampler.distribution(row.logits).tokenIds);
  sampler.free();
  return kept;
}
