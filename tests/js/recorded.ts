// The recorded rows, and the golden files beside them.
import { readFileSync } from "node:fs";

const golden = (name: string) => new URL(`../golden/${name}`, import.meta.url);

/** The names of the recorded rows. */
export const rowNames = ["capital", "once", "seven", "code", "list"] as const;

/** A recorded row: 49,152 logits of SmolLM2-135M-Instruct. */
export function row(name: string): Float32Array {
  const bytes = readFileSync(golden(`rows/${name}.f32`));
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}

/** One case of draws.json: what a reference of the contract draws from a recorded row. */
export interface DrawCase {
  row: string;
  /** In the short names of the golden files. */
  options: Record<string, number>;
  /** Digits. */
  seed: string;
  kept_count: number;
  /** The first tokens of the stream, shape (positions). */
  tokens: number[];
}

/** Every case of draws.json. */
export const drawCases = (): DrawCase[] =>
  (JSON.parse(readFileSync(golden("draws.json"), "utf8")) as { cases: DrawCase[] }).cases;
