// What bounds a quantity whose goal was missed: what is left to do for it once nothing is done in vain.

/** By quantity. */
export const bounds = {
  greedy: `the one pass that finds the highest logit and a value that is none. It differs from *a maximum alone* in a second
  operation on every vector and in the maxima of groups that it stores; at 1,000 logits a call from JavaScript is left.`,
  "no truncation": `an addition of two 64-bit lanes for every two logits. Sums of f32 would take half of that, and be others in
  another order.`,
  "top-p": `the same pass over all logits, and then what the cut takes: where a nucleus is large and its edge is flat, brackets
  and one exact pass over the blocks between them. At 1,000 logits the bracket is a fixed number of probes.`,
  "top-k + top-p":
    "the pass of greedy, then sorting the survivors; at 1,000 logits those are one token in 25.",
  "top-p + min-p": `at 1,000 logits both cuts are found one after the other, each with the fixed part of its own; where the row
  is flat, min-p keeps most of it and no bound decides.`,
  "penalties, beyond their tokens": `the copy of the row, which a caller's logits may not be written in place of. Copying alone takes
  more than the goal.`,
  "penalties, a distinct token": `reading and writing one place of a copy that no cache near the processor holds whole, and two
  conversions to f64 and back for every penalty. The figure is a difference of two whole calls, and on the
  largest rows moves by more than its size.`,
  "distribution, inside wasm": `the order: a radix sort passes over every token's key and place three times, and reads places at random to write
  what is in order. Probabilities are then quotients of 64-bit integers, rounded once.`,
  "distribution of a nucleus, inside wasm": "the same, for a flat nucleus is two thirds of the vocabulary.",
  "sampleMany, a draw": `one read of a guide table and one of a mass, at places that no cache near the processor holds. Words of the
  stream come on top of that.`,
  "from an array, beyond the copy": "nothing but the spread of two measurements, each of a whole call.",
};

/** The quantities that missed a goal in any of the tables, each with what bounds it, as a Markdown list; empty where none did. */
export function boundsOf(tables) {
  const missed = tables.flatMap(({ cells }) => cells.filter(({ met }) => !met));
  const names = Object.keys(bounds).filter((name) => missed.some(({ quantity }) => quantity === name));
  return names.map((name) => `- *${name}*: ${bounds[name]}`).join("\n");
}
