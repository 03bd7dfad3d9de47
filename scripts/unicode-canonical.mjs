// Canonical decompositions, compositions and combining classes, asked from String.prototype.normalize.

const text = (...codes) => String.fromCodePoint(...codes);
const codesOf = (string) => [...string].map((character) => character.codePointAt(0));
const nfd = (string) => string.normalize("NFD");
const nfc = (string) => string.normalize("NFC");
const isHangul = (code) => code >= 0xac00 && code <= 0xd7a3;

/** Signed numbers as unsigned ones: 0, -1, 1, -2, ... */
const zigzag = (number) => (number < 0 ? -2 * number - 1 : 2 * number);

/** A character's parts, `[first, second]` or `[first]`, one level deep. */
function parts(code, byDecomposition) {
  const full = codesOf(nfd(text(code)));
  if (full.length === 1) return full;
  const composed = codesOf(nfc(text(code)));
  if (composed.length === 1 && composed[0] !== code) return composed;
  const second = full.at(-1);
  const rest = full.slice(0, -1);
  const first = rest.length === 1 ? rest[0] : byDecomposition.get(text(...rest));
  if (first === undefined) throw new Error(`U+${code.toString(16)} has no decomposition in two parts.`);
  return [first, second];
}

/**
 * Every mapping but Hangul's, which is arithmetic: `singletons` with the distance from the one before and the difference
 * to what stands for it, `pairs` with the second part besides, whose lowest bit says whether the two compose.
 */
export function canonicalMappings(assigned, leb128) {
  const mapped = [...assigned]
    .sort((a, b) => a - b)
    .filter((code) => !(code >= 0xd800 && code < 0xe000) && !isHangul(code))
    .filter((code) => nfd(text(code)) !== text(code));
  // What composes stands after what does not, so that a composite is found by its parts where there are both.
  const composes = (code) => nfc(text(code)) === text(code);
  const byDecomposition = new Map(
    [...mapped].sort((a, b) => composes(a) - composes(b)).map((code) => [nfd(text(code)), code]),
  );
  const found = { singletons: { bytes: [], before: 0 }, pairs: { bytes: [], before: 0 } };
  for (const code of mapped) {
    const [first, second] = parts(code, byDecomposition);
    if (composes(code) && nfc(text(first, second)) !== text(code))
      throw new Error(`U+${code.toString(16)} is not composed of its parts.`);
    const list = second === undefined ? found.singletons : found.pairs;
    list.bytes.push(...leb128(code - list.before), ...leb128(zigzag(first - code)));
    if (second !== undefined) list.bytes.push(...leb128(2 * second + Number(composes(code))));
    list.before = code;
  }
  return { singletons: found.singletons.bytes, pairs: found.pairs.bytes };
}

/** Whether the first of two marks goes after the second in canonical order. */
const moves = (first, second) => nfd(text(first, second)) !== nfd(text(first)) + nfd(text(second));

/**
 * Marks in runs of equal combining class. Only the order of classes matters, so each is a rank: the class itself cannot
 * be asked for. A mark has a class where it changes places with U+0345, which is alone in the highest one.
 */
export function combiningRanks(marks, leb128) {
  const last = 0x345;
  // A mark that is made of others never stands in decomposed text.
  const single = [...marks].filter((mark) => nfd(text(mark)) === text(mark));
  const combining = single.filter((mark) => mark === last || moves(last, mark));
  const sorted = [...combining].sort((a, b) => (moves(a, b) ? 1 : moves(b, a) ? -1 : 0));
  const rankOf = new Map();
  let rank = 0;
  sorted.forEach((mark, place) => {
    if (place === 0 || moves(mark, sorted[place - 1]) || moves(sorted[place - 1], mark)) rank++;
    rankOf.set(mark, rank);
  });
  const bytes = [];
  let end = 0;
  for (let i = 0; i < combining.length; ) {
    const start = combining[i];
    let next = i + 1;
    while (combining[next] === start + next - i && rankOf.get(combining[next]) === rankOf.get(start)) next++;
    bytes.push(...leb128(start - end), ...leb128(next - i), ...leb128(rankOf.get(start)));
    end = start + next - i;
    i = next;
  }
  return bytes;
}
