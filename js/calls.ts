/** What a call takes, checked and put where the wasm module finds it. */
import { batchRows, coin, named, PREVIEW, ROW, rowCall } from "./arguments.js";
import type { Handle } from "./handle.js";
import type { LogitsRooms, Placed } from "./logits.js";
import { joinMasks, takeMasks } from "./masks.js";
import type { BatchCall, Ids, Logits, PreviewCall, RowCall } from "./types.js";
import type { RawSampler } from "./wasm/nucleus_sampler.js";

/** The arguments of a call on one row, as the wasm module takes them. */
type RowArguments = [
  buffer: Placed["buffer"],
  length: number,
  row: number,
  mask: Uint32Array | undefined,
  unconditional: Float32Array | undefined,
];

/** Those of a preview. */
type PreviewArguments = [...RowArguments, coin: boolean | undefined];

/** Those of a batch. */
type BatchArguments = Parameters<RawSampler["sampleBatch"]>;

/**
 * The calls of one sampler. Logits are put in place last: from there to the call nothing of the caller's runs, which
 * could put others there.
 */
export class Calls {
  readonly #handle: Handle<RawSampler>;
  readonly #rooms: LogitsRooms;

  constructor(handle: Handle<RawSampler>, rooms: LogitsRooms) {
    this.#handle = handle;
    this.#rooms = rooms;
  }

  /** A call on one row; `known` are the names that its last argument may have. */
  row(logits: Logits, with_: RowCall | undefined, known = ROW): RowArguments {
    const { row, bits, unconditional } = rowCall(with_, known);
    const second = this.#rooms.second(unconditional);
    this.#handle.live();
    const { buffer, length } = this.#rooms.place(logits);
    return [buffer, length, row, bits, second];
  }

  /** A preview, whose last argument may have other names too. */
  preview(logits: Logits, with_: PreviewCall | undefined, ...others: string[]): PreviewArguments {
    const known = [...PREVIEW, ...others];
    const side = coin(named(with_, known));
    return [...this.row(logits, with_, known), side];
  }

  /** A batch. */
  batch(logits: Logits, rows: number | Ids, with_: BatchCall | undefined): BatchArguments {
    const { masks: given, unconditional } = named(with_, ["masks", "unconditional"]);
    const masks = takeMasks(given);
    const second = this.#rooms.second(unconditional);
    const { n, rowIds } = batchRows(rows);
    this.#handle.live();
    const { buffer, length } = this.#rooms.place(logits);
    return [buffer, length, n, rowIds, joinMasks(masks, n, length), second];
  }
}
