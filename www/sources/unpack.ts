// Reads the packed rows and vocabulary of www/data; scripts/pack-rows.mjs writes them and says how they are laid out.

const VOCABULARY_HEADER = 8;

/** The content of a gzip stream. */
async function inflate(packed: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<Uint8Array> {
  const stream = packed.pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** A row of logits from four byte planes, lowest byte first; every bit is the recorded one. */
export async function unpackRow(packed: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<Float32Array> {
  const planes = await inflate(packed);
  const n = planes.length / 4;
  if (!Number.isInteger(n)) throw new Error("The packed row does not hold four equal byte planes.");
  const words = new Uint32Array(n);
  for (let i = 0; i < n; i++) words[i] = word(planes, i, n) | (word(planes, i + 2 * n, n) << 16);
  return new Float32Array(words.buffer);
}

/** Two bytes of element i, the low one at `offset`, the high one a plane of n bytes later. */
function word(planes: Uint8Array, offset: number, n: number): number {
  return (planes[offset] ?? 0) | ((planes[offset + n] ?? 0) << 8);
}

/** Token texts by id, in the GPT-2 byte alphabet: each a literal or two earlier tokens joined. */
export async function unpackVocabulary(packed: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string[]> {
  const bytes = await inflate(packed);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const n = view.getUint32(0, true);
  const start = VOCABULARY_HEADER + view.getUint32(4, true);
  if (bytes.length !== start + 4 * n)
    throw new Error("The packed vocabulary is not as long as its header says.");
  const literals = new TextDecoder().decode(bytes.subarray(VOCABULARY_HEADER, start)).split("\n");
  const texts: string[] = [];
  let literal = 0;
  for (let id = 0; id < n; id++) {
    const left = word(bytes, start + id, n);
    const right = word(bytes, start + 2 * n + id, n);
    const isLiteral = left === 0 && right === 0;
    texts.push(isLiteral ? (literals[literal++] ?? "") : `${texts[left]}${texts[right]}`);
  }
  return texts;
}
