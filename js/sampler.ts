import { named, PREVIEW, plainOptions, plainState, tokenIds, u32 } from "./arguments.js";
import { Calls } from "./calls.js";
import { type Disposal, disposeByFreeing } from "./disposal.js";
import { wrongType } from "./errors.js";
import type { Handle } from "./handle.js";
import { call, memory } from "./instance.js";
import { LogitsRooms } from "./logits.js";
import { handleOf } from "./raw-sampler.js";
import type * as types from "./types.js";
import { RawSampler } from "./wasm/nucleus_sampler.js";

/** As {@link WasmSampler.free}, at the end of a `using` block. */
export interface WasmSampler extends Disposal {}

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
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: as above.
export class WasmSampler {
  readonly #handle: Handle<RawSampler>;
  readonly #rooms = new LogitsRooms();
  readonly #calls: Calls;

  /**
   * @param options without a seed a fresh one is taken, and can be read back from {@link options}.
   * @throws `not_initialized` before `await init()`; `unknown_option`, `wrong_type`, `out_of_range`, `empty` or
   * `bad_order` for options that are not accepted.
   */
  constructor(options?: types.SamplerOptions) {
    memory();
    this.#handle = handleOf(options);
    this.#calls = new Calls(this.#handle, this.#rooms);
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

  /**
   * Draws a token from one row and advances one position; the history stays as it is. With mirostat or adaptiveP the token
   * stays pending, with its surprise, until it is accepted or the next one is drawn.
   */
  sample(logits: types.Logits, with_?: types.RowCall): number {
    if (with_ === undefined) return this.#draw(logits);
    const on = this.#calls.row(logits, with_);
    return this.#handle.ask((raw) => raw.sample(...on));
  }

  /** Draws a token as {@link sample} does, and describes the draw. */
  sampleDetailed(logits: types.Logits, with_?: types.RowCall): types.SampleDetails {
    const on = this.#calls.row(logits, with_);
    return this.#handle.ask((raw) => raw.sampleDetailed(...on) as types.SampleDetails);
  }

  /** What `n` calls of {@link sample} with these logits return; advances by `n`, leaves nothing pending. At most 2^27 draws. */
  sampleMany(logits: types.Logits, n: number, with_?: types.RowCall): Uint32Array {
    const draws = u32(n, "n");
    const on = this.#calls.row(logits, with_);
    return this.#handle.ask((raw) => raw.sampleMany(...on, draws));
  }

  /**
   * Draws one token for each row of a batch.
   * @param logits rows x vocab, row-major
   * @param rows how many rows, from 0 on (those never added are added), or their ids
   * @returns a token a row; 0xFFFFFFFF for a row that failed and stays where it was: see {@link rowErrors}, and pass such
   * a row over when you {@link accept} the others' tokens
   */
  sampleBatch(logits: types.Logits, rows: number | types.Ids, with_?: types.BatchCall): Uint32Array {
    const batch = this.#calls.batch(logits, rows, with_);
    return this.#handle.ask((raw) => raw.sampleBatch(...batch));
  }

  /** The rows that failed in the latest batch. */
  rowErrors(): types.RowError[] {
    return this.#handle.ask((raw) => raw.rowErrors() as types.RowError[]);
  }

  /** The kept tokens, highest first. Consumes nothing. */
  distribution(logits: types.Logits, with_?: types.PreviewCall): types.Distribution {
    const on = this.#calls.preview(logits, with_);
    return this.#handle.ask((raw) => raw.distribution(...on) as types.Distribution);
  }

  /** What each stage saw, removed and kept; `tokens: true` adds every token's fate. Consumes nothing. */
  report(logits: types.Logits, with_?: types.PreviewCall & { tokens?: boolean | undefined }): types.Report {
    const { tokens = false } = named(with_, [...PREVIEW, "tokens"]);
    if (typeof tokens !== "boolean") throw wrongType("tokens", "true or false", tokens);
    const on = this.#calls.preview(logits, with_, "tokens");
    return this.#handle.ask((raw) => raw.report(...on, tokens) as types.Report);
  }

  /** Why `token` is in or out. Consumes nothing. */
  explain(logits: types.Logits, token: number, with_?: types.PreviewCall): types.Explanation {
    const id = u32(token, "token");
    const on = this.#calls.preview(logits, with_);
    return this.#handle.ask((raw) => raw.explain(...on, id) as types.Explanation);
  }

  /** The `n` best tokens before and after the chain, plus the named one if it is not among them. Consumes nothing. */
  logprobs(
    logits: types.Logits,
    n: number,
    with_?: types.PreviewCall & { token?: number | undefined },
  ): types.Logprobs {
    const { token } = named(with_, [...PREVIEW, "token"]);
    const count = u32(n, "n");
    const id = token === undefined ? undefined : u32(token, "token");
    const on = this.#calls.preview(logits, with_, "token");
    return this.#handle.ask((raw) => raw.logprobs(...on, count, id) as types.Logprobs);
  }

  /**
   * Records a chosen token: penalties see it from now on. Where it is the row's pending draw, mirostat or adaptiveP learns
   * from it; any other token leaves them as they are, and is counted in {@link report}. An id that no vocabulary has is
   * `bad_token`.
   */
  accept(token: number, row = 0): void {
    const [id, rowId] = [u32(token, "token"), u32(row, "row")];
    this.#handle.ask((raw) => raw.accept(id, rowId));
  }

  /** Records tokens of the prompt. */
  prompt(tokens: types.Ids, row = 0): void {
    const [ids, rowId] = [tokenIds(tokens, "tokens"), u32(row, "row")];
    this.#handle.ask((raw) => raw.prompt(ids, rowId));
  }

  /** The options in force for rows without their own, the seed included; for one row, see {@link rowOptions}. */
  get options(): types.EffectiveOptions {
    return this.#handle.ask((raw) => raw.options() as types.EffectiveOptions);
  }

  /** The options in force for a row: its own over the sampler's, with its seed and stream. */
  rowOptions(row: number): types.EffectiveOptions {
    const rowId = u32(row, "row");
    return this.#handle.ask((raw) => raw.rowOptions(rowId) as types.EffectiveOptions);
  }

  /** The latest draw that tripped a guard, with its row; null where none did since the last reset. */
  get lastTrip(): (types.Trip & { row: number }) | null {
    return this.#handle.ask((raw) => raw.lastTrip() as (types.Trip & { row: number }) | null);
  }

  /** The circuit breaker of a row's guard. */
  breaker(row = 0): types.Breaker {
    const id = u32(row, "row");
    return this.#handle.ask((raw) => raw.breaker(id) as types.Breaker);
  }

  /** Changes some options; history, position and what controllers have learned stay. Without a row: the sampler's, for every row not given its own. */
  update(options: types.SamplerOptions, row?: number): void {
    const plain = plainOptions(options);
    const rowId = row === undefined ? undefined : u32(row, "row");
    this.#handle.ask((raw) => raw.update(plain, rowId));
  }

  /** Adds a row with options of its own, or none. Ids are never used again. */
  addRow(options?: types.SamplerOptions): number {
    const plain = plainOptions(options);
    return this.#handle.ask((raw) => raw.addRow(plain));
  }

  /** Removes a row; row 0 stays. */
  removeRow(row: number): void {
    const rowId = u32(row, "row");
    this.#handle.ask((raw) => raw.removeRow(rowId));
  }

  /** Everything needed to resume exactly; survives JSON unchanged. */
  state(): types.SamplerState {
    return this.#handle.ask((raw) => raw.state() as types.SamplerState);
  }

  /** Clears histories, positions and what controllers have learned; options and seed stay. */
  reset(): void {
    this.#handle.ask((raw) => raw.reset());
  }

  /**
   * A sampler with an identical future; with a `stream`, an independent one: row 0 is on that stream, other rows as far
   * from it as they were. Choose one that no row of this sampler is on.
   */
  clone(with_?: { stream?: number | undefined }): WasmSampler {
    this.#handle.live();
    const { stream } = named(with_, ["stream"]);
    const id = stream === undefined ? undefined : u32(stream, "stream");
    return adopt(this.#handle.ask((raw) => raw.cloneOnStream(id)));
  }

  /**
   * A Float32Array inside wasm memory to write logits into; handing that very view to a call copies nothing.
   *
   * Call it every step, after any other call: the same view is returned while it is valid, a new one after memory has
   * grown or with another size. A view that is no longer valid is an error (`stale_buffer`), never a wrong answer.
   * @param vocabSize how many logits: a row's, or rows x vocab for a batch
   */
  logitsBuffer(vocabSize: number): Float32Array {
    this.#handle.live();
    return this.#rooms.shared(vocabSize);
  }

  /** Gives the memory back; a second call does nothing, any other use afterwards is the error `freed`. */
  free(): void {
    this.#handle.free();
    this.#rooms.free();
  }

  /** The short way of {@link sample}: row 0, no mask. Where it fails the long way says what is wrong. */
  #draw(logits: types.Logits): number {
    const raw = this.#handle.live();
    const { buffer, length } = this.#rooms.place(logits);
    let token: number;
    try {
      token = raw.draw(buffer, length);
    } catch (error) {
      throw this.#handle.failed(error);
    }
    return token >= 0
      ? token
      : this.#handle.ask((live) => live.sample(buffer, length, 0, undefined, undefined));
  }
}

/** A sampler over a handle that exists already. */
function adopt(raw: RawSampler): WasmSampler {
  return new WasmSampler(raw as unknown as types.SamplerOptions);
}

disposeByFreeing(WasmSampler.prototype);
