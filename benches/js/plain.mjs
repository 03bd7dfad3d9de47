// Top-p as it is written by hand in JavaScript, in the two obvious forms. No package is needed.

/** Probabilities at a temperature, in f64. */
function softmax(logits, temperature) {
  let max = Number.NEGATIVE_INFINITY;
  for (const logit of logits) if (logit > max) max = logit;
  const probs = new Float64Array(logits.length);
  let sum = 0;
  for (let i = 0; i < logits.length; i++) {
    probs[i] = Math.exp((logits[i] - max) / temperature);
    sum += probs[i];
  }
  for (let i = 0; i < probs.length; i++) probs[i] /= sum;
  return probs;
}

/** Token ids by probability, highest first: an array of ids and a comparator. */
export function byComparator(probs) {
  return Array.from(probs, (_, id) => id).sort((a, b) => probs[b] - probs[a]);
}

/** The same from numbers that hold both, probability above and id below, sorted without a comparator. */
export function byPacking(probs) {
  const idRange = 2 ** 20;
  const bits = new Uint32Array(Float32Array.from(probs).buffer);
  const packed = new Float64Array(bits.length);
  for (let id = 0; id < bits.length; id++) packed[id] = bits[id] * idRange + (idRange - 1 - id);
  packed.sort();
  const order = new Uint32Array(packed.length);
  for (let rank = 0; rank < order.length; rank++)
    order[rank] = idRange - 1 - (packed[packed.length - 1 - rank] % idRange);
  return order;
}

/** How many of a descending list stay under top-k, then top-p, then min-p; `at(rank)` is a probability. */
export function keptCount(n, at, { topK = n, topP, minP = 0 }) {
  let count = Math.min(topK, n);
  let alive = 0;
  for (let rank = 0; rank < count; rank++) alive += at(rank);
  let mass = 0;
  for (let rank = 0; rank < count; rank++) {
    mass += at(rank);
    if (mass >= topP * alive) count = rank + 1;
  }
  while (at(count - 1) < minP * at(0)) count -= 1;
  return count;
}

/** A rank drawn from the first `count`. */
export function drawRank(count, at) {
  let kept = 0;
  for (let rank = 0; rank < count; rank++) kept += at(rank);
  let target = Math.random() * kept;
  for (let rank = 0; rank < count; rank++) {
    target -= at(rank);
    if (target < 0) return rank;
  }
  return count - 1;
}

/** The kept token ids, highest first, with their probabilities by rank. */
export function kept(logits, order, settings) {
  const probs = softmax(logits, settings.temperature);
  const ids = order(probs);
  const at = (rank) => probs[ids[rank]];
  return { ids: ids.slice(0, keptCount(ids.length, at, settings)), at };
}

const sampler = (order) => (logits, settings) => {
  const { ids, at } = kept(logits, order, settings);
  return ids[drawRank(ids.length, at)];
};

export const peers = [
  { who: "plain JavaScript, comparator sort", sample: sampler(byComparator) },
  { who: "plain JavaScript, packed f64 sort", sample: sampler(byPacking) },
];
