// What is invisible in a token made visible: white space, control characters and bytes that are not text.

/** The first of 128 code units that stand for the bytes 0x80 to 0xFF where they do not form UTF-8. */
export const STRAY_BYTE = 0xdc00;

export interface Segment {
  readonly text: string;
  /** The spoken name when `text` stands for something invisible, else null. */
  readonly name: string | null;
}

const NAMED: Readonly<Record<string, Segment>> = {
  " ": { text: "␣", name: "space" },
  "\n": { text: "⏎", name: "line feed" },
  "\r": { text: "␍", name: "carriage return" },
  "\t": { text: "⇥", name: "tab" },
  "\u00a0": { text: "⍽", name: "no-break space" },
  "\u007f": { text: "␡", name: "delete" },
};
const EMPTY = "∅";
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zs}\p{Zl}\p{Zp}\p{Cs}\p{Cn}\p{Co}]/u;

function glyphOf(character: string): Segment | null {
  const named = NAMED[character];
  if (named !== undefined) return named;
  const code = character.codePointAt(0) ?? 0;
  if (code >= STRAY_BYTE + 0x80 && code <= STRAY_BYTE + 0xff) {
    const hex = (code - STRAY_BYTE).toString(16).toUpperCase();
    return { text: `‹${hex}›`, name: `byte ${hex}` };
  }
  if (code < 0x20) return { text: String.fromCodePoint(0x2400 + code), name: `control ${code}` };
  if (!INVISIBLE.test(character)) return null;
  const hex = code.toString(16).toUpperCase().padStart(4, "0");
  return { text: `‹U+${hex}›`, name: `character U+${hex}` };
}

/**
 * Splits a token's text into runs of plain text and glyphs, in order. Where there is nothing but what is
 * invisible, a mark or two would be overlooked, so that its name stands there: ‹space›, ‹4 spaces›.
 */
export function segments(text: string): Segment[] {
  const found = marked(text);
  return found.every(isMark) ? named(found) : found;
}

/** Whether a segment is a mark for something invisible; a byte or a code point is in words already. */
function isMark({ text, name }: Segment): boolean {
  return name !== null && text !== EMPTY && !text.startsWith("‹");
}

/** Runs of the same mark, each in words. */
function named(glyphs: readonly Segment[]): Segment[] {
  const runs: { glyph: Segment; n: number }[] = [];
  for (const glyph of glyphs) {
    const run = runs.at(-1);
    if (run?.glyph.text === glyph.text) run.n++;
    else runs.push({ glyph, n: 1 });
  }
  return runs.map(({ glyph, n }) => {
    const name = n === 1 ? glyph.name : `${n} ${glyph.name}s`;
    return { text: `‹${name}›`, name };
  });
}

/** Runs of plain text, and a segment for each invisible character. */
function marked(text: string): Segment[] {
  const found: Segment[] = [];
  let plain = "";
  for (const character of text) {
    const glyph = glyphOf(character);
    if (glyph === null) {
      plain += character;
      continue;
    }
    if (plain !== "") found.push({ text: plain, name: null });
    plain = "";
    found.push(glyph);
  }
  if (plain !== "") found.push({ text: plain, name: null });
  return found.length > 0 ? found : [{ text: EMPTY, name: "empty" }];
}

/** The token with its invisible characters as glyphs. */
export function visible(text: string): string {
  return segments(text)
    .map((segment) => segment.text)
    .join("");
}

/** The token for a label beside a bar: the space before a word is left out, since words carry it as a rule. */
export function label(text: string): string {
  const isWord = marked(text).some(({ name }) => name === null);
  return visible(isWord && text.startsWith(" ") ? text.slice(1) : text);
}

/** The token as a screen reader should say it. */
export function spoken(text: string): string {
  return segments(text)
    .map((segment) => segment.name ?? segment.text)
    .join(" ");
}
