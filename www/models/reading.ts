// A model's reading of a text that grows and shrinks: what two texts have in common at their beginning is read once.

import type { Model, Session } from "nucleus-sampler/model";
import { formatCount } from "../format";
import type { LoadedModel, ModelText, NextRow, Progress } from "./protocol";

/** Tokens read before the next request is looked at: a fifth of a second on a model of 135 million parameters. */
const TOKENS_A_PART = 16;
/** Longer prompts are no texts that a model of this size could read; nobody waits for their tokens to be counted. */
export const MAX_PROMPT = 100_000;

export class Reading {
  readonly #model: Model;
  readonly #session: Session;
  /** Lets requests come in between two parts. */
  readonly #pause: () => Promise<void>;
  /** The tokens that the session has read. */
  #ids: number[] = [];
  #turn = 0;

  constructor(model: Model, pause: () => Promise<void>) {
    this.#model = model;
    this.#session = model.session();
    this.#pause = pause;
  }

  /** What the page has to know of the model. */
  describe(): LoadedModel {
    const { config, tokenizer } = this.#model;
    const tokens = Array.from({ length: config.vocabSize }, (_, id) => tokenizer.bytes(id));
    const starts = new Uint32Array(tokens.length + 1);
    for (const [id, { length }] of tokens.entries()) starts[id + 1] = (starts[id] ?? 0) + length;
    const bytes = new Uint8Array(starts[tokens.length] ?? 0);
    for (const [id, token] of tokens.entries()) bytes.set(token, starts[id]);
    return { kind: "loaded", contextLength: config.contextLength, ends: tokenizer.ends, bytes, starts };
  }

  /** The row that follows a text, or null where a newer text was asked for meanwhile: what was read so far stays read. */
  async read(
    { prompt, output }: ModelText,
    onProgress: (progress: Progress) => void,
  ): Promise<NextRow | null> {
    const turn = ++this.#turn;
    const promptTokens = this.#tokensOf(prompt);
    const ids = [...promptTokens, ...output];
    const { contextLength } = this.#model.config;
    if (ids.length > contextLength) throw new Error(tooLong(ids.length, contextLength));
    // The last token is always read: its logits are what is wanted.
    this.#rewind(Math.min(nCommon(this.#ids, ids), ids.length - 1));
    for (;;) {
      const part = ids.slice(this.#ids.length, this.#ids.length + TOKENS_A_PART);
      const logits = this.#session.prefill(part);
      this.#ids.push(...part);
      if (this.#ids.length === ids.length) return { kind: "row", promptTokens, logits };
      onProgress({ done: this.#ids.length, total: ids.length });
      await this.#pause();
      if (turn !== this.#turn) return null;
    }
  }

  /** Gives up what is being read. */
  stop(): void {
    this.#turn += 1;
  }

  /** A text's tokens: the text is text, whatever special token it may look like. */
  #tokensOf(prompt: string): Uint32Array {
    if (prompt.length > MAX_PROMPT)
      throw new Error(
        `The prompt has ${formatCount(prompt.length)} characters: it may have ${formatCount(MAX_PROMPT)} at most.`,
      );
    const { tokenizer } = this.#model;
    const { bos } = tokenizer;
    const tokens = tokenizer.encode(prompt);
    if (bos !== undefined && (tokenizer.addBos || tokens.length === 0)) return Uint32Array.of(bos, ...tokens);
    if (tokens.length === 0)
      throw new Error("The prompt is empty, and this model has no token that begins a text: type a word.");
    return tokens;
  }

  #rewind(length: number): void {
    if (length === this.#ids.length) return;
    this.#session.rewind(length);
    this.#ids.length = length;
  }
}

function tooLong(n: number, contextLength: number): string {
  return `The text has ${formatCount(n)} tokens: this model reads ${formatCount(contextLength)} at most.`;
}

/** How many tokens two texts have in common at their beginning. */
function nCommon(a: readonly number[], b: readonly number[]): number {
  const end = Math.min(a.length, b.length);
  let n = 0;
  while (n < end && a[n] === b[n]) n++;
  return n;
}
