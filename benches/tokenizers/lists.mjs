// Lists of texts and of ids as files (see src/lib.rs): read and compared.
import { readFile } from "node:fs/promises";

/** The texts of a list. */
export async function texts(file) {
  const bytes = await readFile(file);
  const found = [];
  for (let at = 0; at < bytes.length; ) {
    const length = bytes.readUInt32LE(at);
    found.push(bytes.toString("utf8", at + 4, at + 4 + length));
    at += 4 + length;
  }
  return found;
}

async function numbers(file) {
  const bytes = await readFile(file);
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
}

/** How many lists of ids there are, and the places of those that differ. */
export async function compare(oursFile, theirsFile) {
  const [ours, theirs] = [await numbers(oursFile), await numbers(theirsFile)];
  const differ = [];
  let n = 0;
  for (let i = 0, j = 0; i < ours.length || j < theirs.length; n++) {
    const [a, b] = [ours.subarray(i, i + 1 + ours[i]), theirs.subarray(j, j + 1 + theirs[j])];
    if (a.length !== b.length || a.some((id, k) => id !== b[k])) differ.push(n);
    // A list that has ended stays where it is.
    i += Math.max(a.length, Number(i >= ours.length));
    j += Math.max(b.length, Number(j >= theirs.length));
  }
  return { n, differ };
}
