// The chains that are measured, as options of the sampler. One list for every runner.

/** Temperatures: 1/0.8 is a short number in binary, 1/0.7 is not. */
export const temperatures = [0.8, 0.7];

/** By the name that the tables use. The temperature is added where a chain does not set its own. */
export const chains = {
  greedy: { temperature: 0 },
  "no truncation": {},
  "top-p": { topP: 0.95 },
  "top-k + top-p": { topK: 40, topP: 0.95 },
  "top-p + min-p": { topP: 0.95, minP: 0.05 },
};

/** What other samplers are asked for too. */
export const comparedChains = ["top-p", "top-k + top-p", "top-p + min-p"];

/** Measured with and without penalties. */
export const penalisedChains = ["top-p", "top-k + top-p"];
export const penalties = { repetitionPenalty: 1.1, frequencyPenalty: 0.2, presencePenalty: 0.1 };

/** How many distinct tokens the histories hold: their difference gives the cost of one. */
export const historyLengths = [32, 1000];

/** Whose many draws are measured. */
export const manyChains = ["no truncation", "top-p"];

/** Measured from an array outside of wasm memory too. */
export const copiedChain = "top-k + top-p";

/** Distinct tokens spread evenly over a vocabulary, at most half of it. */
export function history(n, length) {
  const count = Math.min(length, n / 2);
  return Uint32Array.from({ length: count }, (_, i) => Math.floor(((i + 0.5) * n) / count));
}

export const settings = (chain, temperature) => ({ temperature, ...chains[chain] });
