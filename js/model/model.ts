import { type Disposal, disposeByFreeing } from "../disposal.js";
import { wrongType } from "../errors.js";
import { Handle } from "../handle.js";
import type { RawModel } from "../wasm/nucleus_model.js";
import { started } from "./instance.js";
import { loaded, streamed } from "./load.js";
import { Session } from "./session.js";
import { Tokenizer } from "./tokenizer.js";
import type * as types from "./types.js";

/** As {@link Model.free}, at the end of a `using` block. */
export interface Model extends Disposal {}

/**
 * A decoder-only language model from a GGUF file, and its tokenizer.
 *
 * ```js
 * await init();
 * const model = await Model.stream(await fetch("model.gguf"));
 * const session = model.session();
 * let logits = session.prefill(model.tokenizer.encode("Once upon a time"));
 * ```
 *
 * The package has a tiny model, the file `nucleus-sampler/tiny.gguf`: `import.meta.resolve` finds it in Node, a bundler gives
 * it an address.
 *
 * Architectures: llama, qwen2, qwen3. Encodings: F32, F16, BF16, Q8_0, Q4_0, Q4_1, Q4_K, Q5_K, Q6_K. The logits are the
 * same, bit for bit, in every engine.
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: `using` asks for a member that not every platform has.
export class Model {
  readonly #handle: Handle<RawModel>;
  /** The model's tokenizer. */
  readonly tokenizer: Tokenizer;

  /** @internal */
  constructor(handle: unknown) {
    if (!(handle instanceof Handle))
      throw wrongType("a model", "what Model.load or Model.stream makes", handle);
    this.#handle = handle as Handle<RawModel>;
    this.tokenizer = new Tokenizer(this.#handle);
  }

  /**
   * The model of a GGUF file that is in memory.
   * @throws `not_initialized` before `await init()`; `out_of_range`, `wrong_type`, `wrong_length` or `too_large` for a
   * file that is damaged, cut short or not for this module, saying what it found.
   */
  static load(file: Uint8Array | ArrayBuffer): Model {
    started();
    return new Model(loaded(file));
  }

  /**
   * The model of a GGUF file that comes from a `Blob` (or `File`), a `Response` or a `ReadableStream`: its bytes go straight
   * into their place, so that it is ready when the last one has come.
   * @throws as {@link load}, as soon as the header tells; the signal's reason where it was cancelled.
   */
  static async stream(
    source: types.ModelSource | PromiseLike<types.ModelSource>,
    options?: types.StreamOptions,
  ): Promise<Model> {
    started();
    return new Model(await streamed(await source, options));
  }

  /** The shape of the model. */
  get config(): types.ModelConfig {
    const [vocabSize, contextLength, layers, dim, ffnDim, heads, kvHeads, headDim] = this.#handle.ask((raw) =>
      raw.shape(),
    ) as unknown as [number, number, number, number, number, number, number, number];
    const architecture = this.#handle.ask((raw) => raw.architecture());
    return { architecture, vocabSize, contextLength, layers, dim, ffnDim, heads, kvHeads, headDim };
  }

  /** An empty session: one sequence of tokens with its keys and values. */
  session(): Session {
    return new Session(this.#handle.ask((raw) => raw.session()));
  }

  /** Gives the memory back, once its sessions are freed, too; a second call does nothing. */
  free(): void {
    this.#handle.free();
  }
}

disposeByFreeing(Model.prototype);
