import { tokenIds, u32 } from "../arguments.js";
import { type Disposal, disposeByFreeing } from "../disposal.js";
import { wrongType } from "../errors.js";
import { Handle } from "../handle.js";
import { RawSession } from "../wasm/nucleus_model.js";
import { instance } from "./instance.js";

/** As {@link Session.free}, at the end of a `using` block. */
export interface Session extends Disposal {}

/**
 * A sequence of tokens that a model continues: its keys and values are kept, so that each token costs only itself.
 *
 * Made by `model.session()`. Every method throws a `NucleusError` for input that is not accepted, and has then changed
 * nothing.
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: `using` asks for a member that not every platform has.
export class Session {
  readonly #handle: Handle<RawSession>;

  /** @internal */
  constructor(raw: unknown) {
    if (!(raw instanceof RawSession)) throw wrongType("a session", "what model.session() makes", raw);
    this.#handle = new Handle(instance, raw, "session");
  }

  /**
   * Adds tokens; returns the logits after the last one.
   * @throws `empty`, `bad_token`, and `too_large` where they are more than the model's context has room for.
   */
  prefill(ids: Uint32Array | readonly number[]): Float32Array {
    const tokens = tokenIds(ids, "ids");
    return this.#handle.ask((raw) => raw.prefill(tokens));
  }

  /** Adds a token; returns the logits after it. */
  step(id: number): Float32Array {
    const token = u32(id, "id");
    return this.#handle.ask((raw) => raw.step(token));
  }

  /** How many tokens it has. */
  get length(): number {
    return this.#handle.ask((raw) => raw.length());
  }

  /** Forgets all tokens from `length` on. */
  rewind(length: number): void {
    const kept = u32(length, "length");
    this.#handle.ask((raw) => raw.rewind(kept));
  }

  /** A second session that begins as this one; what both have is stored once. */
  fork(): Session {
    return new Session(this.#handle.ask((raw) => raw.fork()));
  }

  /** Gives the memory back; a second call does nothing. */
  free(): void {
    this.#handle.free();
  }
}

disposeByFreeing(Session.prototype);
