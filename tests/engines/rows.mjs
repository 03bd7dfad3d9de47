// Rows, masks and digests of the golden file from 32-bit integers: the rule is printed in tests/golden/README.md.

function spread(word) {
  let x = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}

/** Word `i` of the sequence `seed`. */
const mix = (seed, i) => spread((spread((i ^ 0x9e3779b9) >>> 0) + seed) >>> 0);

function logit(made, i) {
  const [a, b, c] = [0, 1, 2].map((k) => mix(made.seed, 3 * i + k));
  if (made.dead > 0 && c % made.dead === 0) return -Infinity;
  const bell = (a & 0xffff) + (a >>> 16) + (b & 0xffff) + (b >>> 16) - 131070;
  let v = made.spread * bell + made.boost * Math.clz32(c);
  v &= -Math.max(made.step, 1);
  if (made.limit > 0) v = Math.min(Math.max(v, -made.limit), made.limit);
  return v / 2 ** made.shift;
}

/** The logits of a row; a recorded one is found in `recorded` by its name. */
export function logitsOf(row, recorded) {
  if (row.synthetic === undefined) return recorded[row.name];
  const logits = new Float32Array(row.n);
  for (let i = 0; i < row.n; i++) logits[i] = logit(row.synthetic, i);
  return logits;
}

/** The words of a mask over `n` tokens. */
export function maskOf([seed, keep], n) {
  const words = new Uint32Array(Math.ceil(n / 32));
  for (let i = 0; i < n; i++) if ((mix(seed, i) & 15) < keep) words[i >>> 5] |= 1 << (i & 31);
  return words;
}

/** The second row of guidance: the same logits, each at the place before its own. */
export function secondOf(logits) {
  const second = new Float32Array(logits.length);
  second.set(logits.subarray(1));
  second[logits.length - 1] = logits[0];
  return second;
}

/** Sequences of which the text has begun some. */
export function wordsOf({ allowed, output }) {
  const [last, other] = [output.at(-1), output.at(-2)];
  return [[allowed[0]], [last, allowed[1]], [other, last, allowed[2]], [allowed[3], allowed[4]]];
}

/** The sum of the words of typed arrays in turn, each mixed with its place. */
export function digest(...arrays) {
  let sum = 0;
  let place = 0;
  for (const array of arrays)
    for (const word of new Uint32Array(array.buffer, array.byteOffset, array.byteLength / 4))
      sum = (sum + mix(word, place++)) >>> 0;
  return sum;
}
