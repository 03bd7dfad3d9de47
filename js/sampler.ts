import { mask, named, plainOptions, plainState, tokenIds, u32 } from "./arguments.js";
import { call, NucleusError, wrongType } from "./errors.js";
import { memory } from "./instance.js";
import { LogitsRooms, type Placed } from "./logits.js";
import { joinMasks, takeMasks } from "./masks.js";
import type * as types from "./types.js";
import { RawSampler } from "./wasm/nucleus_sampler.js";

/** The arguments of a call on one row, as the wasm module takes them. */
type RowArguments = [buffer: Placed["buffer"], length: number, row: number, mask: Uint32Array | undefined];

/**
 * Draws tokens from logits, for one row or many, exactly and reproducibly: the same seed, options and logits give the
 * same tokens in every engine.
 *
 * ```js
 * await init();
 * const sampler = new WasmSampler({ temperature: 0.8, topP: 0.95, seed: 42 });
 * const token = sampler.sample(logits);
 * sampler.accept(token);
 * ```
 *
 * Every method throws a {@link NucleusError} for input that is not accepted, and has then changed nothing.
 */
export class WasmSampler {
  /** As {@link free}, at the end of a `using` block. */
  declare readonly [Symbol.dispose]: () => void;
  #raw: RawSampler | undefined;
  readonly #rooms = new LogitsRooms();

  /**
   * @param options without a seed a fresh one is taken, and can be read back from {@link options}.
   * @throws `not_initialized` before `await init()`; `unknown_option`, `wrong_type`, `out_of_range`, `empty` or
   * `bad_order` for options that are not accepted.
   */
  constructor(options?: types.SamplerOptions) {
    memory();
    if (options instanceof RawSampler) {
      this.#raw = options;
      return;
    }
    const plain = plainOptions(options);
    this.#raw = call(() => new RawSampler(plain));
  }

  /**
   * The sampler of a state: it draws what the one that wrote the state would have drawn.
   * @throws `state_version` for a state of another version, `state_invalid` for anything that is no state.
   */
  static fromState(state: types.SamplerState): WasmSampler {
    memory();
    const plain = plainState(state);
    return adopt(call(() => RawSampler.fromState(plain)));
  }

  /** Draws a token from one row and advances one position; the history stays as it is. */
  sample(logits: types.Logits, with_?: types.RowCall): number {
    const token = with_ === undefined ? this.#draw(logits) : -1;
    if (token >= 0) return token;
    const [buffer, length, row, bits] = this.#row(logits, with_);
    const raw = this.#live();
    return call(() => raw.sample(buffer, length, row, bits));
  }

  /** Draws a token as {@link sample} does, and describes the draw. */
  sampleDetailed(logits: types.Logits, with_?: types.RowCall): types.SampleDetails {
    const [buffer, length, row, bits] = this.#row(logits, with_);
    const raw = this.#live();
    return call(() => raw.sampleDetailed(buffer, length, row, bits) as types.SampleDetails);
  }

  /** What `n` calls of {@link sample} with these logits return; advances by `n`. At most 2^27 draws. */
  sampleMany(logits: types.Logits, n: number, with_?: types.RowCall): Uint32Array {
    const draws = u32(n, "n");
    const [buffer, length, row, bits] = this.#row(logits, with_);
    const raw = this.#live();
    return call(() => raw.sampleMany(buffer, length, row, bits, draws));
  }

  /**
   * Draws one token for each row of a batch.
   * @param logits rows x vocab, row-major
   * @param rows how many rows, from 0 on (those never added are added), or their ids
   * @returns a token a row; 0xFFFFFFFF for a row that failed and stays where it was, see {@link rowErrors}
   */
  sampleBatch(logits: types.Logits, rows: number | ArrayLike<number>, with_?: types.BatchCall): Uint32Array {
    const masks = takeMasks(named(with_, ["masks"]).masks);
    const ids = typeof rows === "number" ? undefined : tokenIds(rows, "rows");
    const n = ids === undefined ? u32(rows, "rows") : ids.length;
    this.#live();
    // From here to the call nothing of the caller's runs, which could put other logits there.
    const { buffer, length } = this.#rooms.place(logits);
    const bits = joinMasks(masks, n, length);
    const raw = this.#live();
    return call(() => raw.sampleBatch(buffer, length, n, ids, bits));
  }

  /** The rows that failed in the latest batch. */
  rowErrors(): types.RowError[] {
    return this.#live().rowErrors() as types.RowError[];
  }

  /** The kept tokens, highest first. Consumes nothing. */
  distribution(logits: types.Logits, with_?: types.RowCall): types.Distribution {
    const [buffer, length, row, bits] = this.#row(logits, with_);
    const raw = this.#live();
    return call(() => raw.distribution(buffer, length, row, bits) as types.Distribution);
  }

  /** What each stage saw, removed and kept; `tokens: true` adds every token's fate. Consumes nothing. */
  report(logits: types.Logits, with_?: types.RowCall & { tokens?: boolean | undefined }): types.Report {
    const { tokens = false } = named(with_, ["row", "mask", "tokens"]);
    if (typeof tokens !== "boolean") throw wrongType("tokens", "true or false", tokens);
    const [buffer, length, row, bits] = this.#row(logits, with_, "tokens");
    const raw = this.#live();
    return call(() => raw.report(buffer, length, row, bits, tokens) as types.Report);
  }

  /** Why `token` is in or out. Consumes nothing. */
  explain(logits: types.Logits, token: number, with_?: types.RowCall): types.Explanation {
    const id = u32(token, "token");
    const [buffer, length, row, bits] = this.#row(logits, with_);
    const raw = this.#live();
    return call(() => raw.explain(buffer, length, row, bits, id) as types.Explanation);
  }

  /** The `n` best tokens before and after the chain, plus the named one if it is not among them. Consumes nothing. */
  logprobs(
    logits: types.Logits,
    n: number,
    with_?: types.RowCall & { token?: number | undefined },
  ): types.Logprobs {
    const { token } = named(with_, ["row", "mask", "token"]);
    const count = u32(n, "n");
    const id = token === undefined ? undefined : u32(token, "token");
    const [buffer, length, row, bits] = this.#row(logits, with_, "token");
    const raw = this.#live();
    return call(() => raw.logprobs(buffer, length, row, bits, count, id) as types.Logprobs);
  }

  /** Records a chosen token: penalties see it from now on. */
  accept(token: number, row = 0): void {
    const [id, rowId] = [u32(token, "token"), u32(row, "row")];
    const raw = this.#live();
    call(() => raw.accept(id, rowId));
  }

  /** Records tokens of the prompt. */
  prompt(tokens: ArrayLike<number>, row = 0): void {
    const [ids, rowId] = [tokenIds(tokens, "tokens"), u32(row, "row")];
    const raw = this.#live();
    call(() => raw.prompt(ids, rowId));
  }

  /** The options in force, the seed included. */
  get options(): types.EffectiveOptions {
    return this.#live().options() as types.EffectiveOptions;
  }

  /** Changes some options; history and position stay. Without a row: the sampler's, for every row not given its own. */
  update(options: types.SamplerOptions, row?: number): void {
    const plain = plainOptions(options);
    const rowId = row === undefined ? undefined : u32(row, "row");
    const raw = this.#live();
    call(() => raw.update(plain, rowId));
  }

  /** Adds a row with options of its own, or none. Ids are never used again. */
  addRow(options?: types.SamplerOptions): number {
    const plain = plainOptions(options);
    const raw = this.#live();
    return call(() => raw.addRow(plain));
  }

  /** Removes a row; row 0 stays. */
  removeRow(row: number): void {
    const rowId = u32(row, "row");
    const raw = this.#live();
    call(() => raw.removeRow(rowId));
  }

  /** Everything needed to resume exactly; survives JSON unchanged. */
  state(): types.SamplerState {
    const raw = this.#live();
    return call(() => raw.state() as types.SamplerState);
  }

  /** Clears histories and positions; options and seed stay. */
  reset(): void {
    this.#live().reset();
  }

  /**
   * A sampler with an identical future; with a `stream`, an independent one: row 0 is on that stream, other rows as far
   * from it as they were. Choose one that no row of this sampler is on.
   */
  clone(with_?: { stream?: number | undefined }): WasmSampler {
    const raw = this.#live();
    const { stream } = named(with_, ["stream"]);
    const id = stream === undefined ? undefined : u32(stream, "stream");
    return adopt(call(() => raw.cloneOnStream(id)));
  }

  /**
   * A Float32Array inside wasm memory to write logits into; handing that very view to a call copies nothing.
   *
   * Call it every step: the same view is returned while it is valid, a new one after memory has grown or with another
   * size. A view that is no longer valid is an error (`stale_buffer`), never a wrong answer.
   * @param vocabSize how many logits: a row's, or rows x vocab for a batch
   */
  logitsBuffer(vocabSize: number): Float32Array {
    this.#live();
    return this.#rooms.shared(vocabSize);
  }

  /** Gives the memory back; a second call does nothing, any other use afterwards is the error `freed`. */
  free(): void {
    const raw = this.#raw;
    this.#raw = undefined;
    this.#rooms.free();
    try {
      raw?.free();
    } catch {
      // A sampler that broke cannot give its memory back; freeing it is harmless all the same.
    }
  }

  #live(): RawSampler {
    if (this.#raw === undefined) throw new NucleusError("freed", "this sampler was freed");
    return this.#raw;
  }

  /** The short way of {@link sample}: row 0, no mask; -1 where the long way has to say what is wrong. */
  #draw(logits: types.Logits): number {
    const raw = this.#live();
    const { buffer, length } = this.#rooms.place(logits);
    try {
      return raw.draw(buffer, length);
    } catch {
      return -1;
    }
  }

  #row(logits: types.Logits, with_: types.RowCall | undefined, other?: string): RowArguments {
    const known = other === undefined ? ["row", "mask"] : ["row", "mask", other];
    const { row = 0, mask: bits } = named(with_, known);
    const [rowId, checked] = [u32(row, "row"), mask(bits)];
    this.#live();
    const { buffer, length } = this.#rooms.place(logits);
    return [buffer, length, rowId, checked];
  }
}

/** A sampler over a handle that exists already. */
function adopt(raw: RawSampler): WasmSampler {
  return new WasmSampler(raw as unknown as types.SamplerOptions);
}

/** `using sampler = new WasmSampler()` frees at the end of the block, where the language has it. */
if (typeof Symbol.dispose === "symbol") {
  const value = WasmSampler.prototype.free;
  Object.defineProperty(WasmSampler.prototype, Symbol.dispose, { value, configurable: true });
}
