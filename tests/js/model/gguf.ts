// A small model as a GGUF file: random weights, a tokenizer of bytes.

/** Bytes that grow. */
class Writer {
  readonly parts: Uint8Array[] = [];
  length = 0;

  bytes(bytes: Uint8Array): void {
    this.parts.push(bytes);
    this.length += bytes.length;
  }

  u32(value: number): void {
    this.bytes(new Uint8Array(Uint32Array.of(value).buffer));
  }

  u64(value: number): void {
    this.u32(value);
    this.u32(0);
  }

  text(text: string): void {
    const bytes = new TextEncoder().encode(text);
    this.u64(bytes.length);
    this.bytes(bytes);
  }

  align(): void {
    this.bytes(new Uint8Array(-this.length & 31));
  }

  whole(): Uint8Array<ArrayBuffer> {
    const whole = new Uint8Array(this.length);
    let at = 0;
    for (const part of this.parts) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  }
}

/** The printable character that stands for a byte in vocabulary files. */
function symbols(): string[] {
  const printable = (byte: number) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => String.fromCharCode(printable(byte) ? byte : next++));
}

const LAYERS = 2;
const DIM = 32;
const FFN = 64;
const KV = 16;

export const VOCAB = 260;
export const CONTEXT = 48;
export const END = 259;

/** Values by key: integers and texts as they are, `float` as f32, lists of texts or of integers. */
function metadata(
  architecture: string,
): [string, number | string | { float: number } | string[] | number[]][] {
  const tokens = [...symbols(), "he", "Ġt", "<|im_start|>", "<|im_end|>"];
  return [
    ["general.architecture", architecture],
    [`${architecture}.context_length`, CONTEXT],
    [`${architecture}.embedding_length`, DIM],
    [`${architecture}.block_count`, LAYERS],
    [`${architecture}.feed_forward_length`, FFN],
    [`${architecture}.attention.head_count`, 4],
    [`${architecture}.attention.head_count_kv`, 2],
    [`${architecture}.attention.layer_norm_rms_epsilon`, { float: 1e-5 }],
    ["tokenizer.ggml.model", "gpt2"],
    ["tokenizer.ggml.pre", "smollm"],
    ["tokenizer.ggml.tokens", tokens],
    ["tokenizer.ggml.token_type", tokens.map((_, id) => (id < 258 ? 1 : 3))],
    ["tokenizer.ggml.merges", ["h e", "Ġ t"]],
    ["tokenizer.ggml.eos_token_id", END],
  ];
}

function tensors(): [name: string, rows: number, columns: number][] {
  const layer = (i: number): [string, number, number][] => [
    [`blk.${i}.attn_norm.weight`, 1, DIM],
    [`blk.${i}.attn_q.weight`, DIM, DIM],
    [`blk.${i}.attn_k.weight`, KV, DIM],
    [`blk.${i}.attn_v.weight`, KV, DIM],
    [`blk.${i}.attn_output.weight`, DIM, DIM],
    [`blk.${i}.ffn_norm.weight`, 1, DIM],
    [`blk.${i}.ffn_gate.weight`, FFN, DIM],
    [`blk.${i}.ffn_up.weight`, FFN, DIM],
    [`blk.${i}.ffn_down.weight`, DIM, FFN],
  ];
  return [
    ["token_embd.weight", VOCAB, DIM],
    ["output_norm.weight", 1, DIM],
    ...Array.from({ length: LAYERS }, (_, i) => layer(i)).flat(),
  ];
}

/** Q8_0 blocks of random codes for a matrix, ones for a vector. */
function weights(rows: number, columns: number, random: () => number): Uint8Array {
  if (rows === 1) return new Uint8Array(new Float32Array(columns).fill(1).buffer);
  const bytes = Uint8Array.from({ length: (rows * columns * 34) / 32 }, () => random() & 0xff);
  // The scale of each block: 2^-8.
  for (let at = 0; at < bytes.length; at += 34) bytes.set([0, 0x1c], at);
  return bytes;
}

/** The bytes of the file. */
export function smallModel(architecture = "llama"): Uint8Array<ArrayBuffer> {
  const file = new Writer();
  const [entries, infos] = [metadata(architecture), tensors()];
  file.bytes(new TextEncoder().encode("GGUF"));
  file.u32(3);
  file.u64(infos.length);
  file.u64(entries.length);
  for (const [key, value] of entries) {
    file.text(key);
    writeValue(file, value);
  }
  let state = 1;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 16;
  };
  const data = infos.map(([, rows, columns]) => weights(rows, columns, random));
  let offset = 0;
  for (const [i, [name, rows, columns]] of infos.entries()) {
    file.text(name);
    const dims = rows === 1 ? [columns] : [columns, rows];
    file.u32(dims.length);
    for (const dim of dims) file.u64(dim);
    file.u32(rows === 1 ? 0 : 8);
    file.u64(offset);
    offset += ((data[i]?.length ?? 0) + 31) & ~31;
  }
  for (const bytes of data) {
    file.align();
    file.bytes(bytes);
  }
  return file.whole();
}

function writeValue(file: Writer, value: number | string | { float: number } | string[] | number[]): void {
  if (typeof value === "number") {
    file.u32(4);
    file.u32(value);
  } else if (typeof value === "string") {
    file.u32(8);
    file.text(value);
  } else if (Array.isArray(value)) {
    const texts = typeof value[0] === "string";
    file.u32(9);
    file.u32(texts ? 8 : 5);
    file.u64(value.length);
    for (const entry of value) typeof entry === "string" ? file.text(entry) : file.u32(entry);
  } else {
    file.u32(6);
    file.bytes(new Uint8Array(Float32Array.of(value.float).buffer));
  }
}
