/** The known name that a misspelt one was meant to be, where one is near: at most a third of the letters differ. */
export function nearest(given: string, known: readonly string[]): string | undefined {
  const letters = plain(given);
  if (letters === "") return undefined;
  const near = known
    .map((name) => ({ name, slips: slips(letters, plain(name)), length: plain(name).length }))
    .filter(({ slips, length }) => slips * 3 <= Math.max(length, letters.length));
  return near.sort((a, b) => a.slips - b.slips)[0]?.name;
}

/** The letters by which names are compared. */
const plain = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** How many letters to insert, drop, replace or exchange with their neighbour. */
function slips(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i++) {
    rows.push([i]);
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isExchanged = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const exchanged = isExchanged ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY;
      rows[i]?.push(Math.min(replaced, exchanged, at(i - 1, j) + 1, at(i, j - 1) + 1));
    }
  }
  return at(a.length, b.length);
}
