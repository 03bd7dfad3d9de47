/** Logits on their way into wasm memory: copied in, or written there by the caller in the first place. */
import { u32 } from "./arguments.js";
import { NucleusError, outOfRange, wrongType } from "./errors.js";
import { call, instance, memory } from "./instance.js";
import type { Passenger, Seat } from "./passengers.js";
import { bufferOf, kindOf, lengthOf } from "./typed.js";
import type { Logits } from "./types.js";
import { LogitsBuffer } from "./wasm/nucleus_sampler.js";

/** Memory stays allocated for as long as a view into it is alive: a forgotten view can never reach another sampler. */
const owners = new WeakMap<Float32Array, LogitsBuffer>();

/** A buffer in wasm memory with the view that is valid now. */
interface Room {
  readonly buffer: LogitsBuffer;
  /** Where it is, in bytes from the start of the memory. */
  readonly pointer: number;
  readonly length: number;
  view: Float32Array;
}

function makeRoom(length: number): Room {
  memory();
  const buffer = call(() => new LogitsBuffer(length));
  const pointer = call(() => buffer.pointer);
  return { buffer, pointer, length, view: viewOf(buffer, pointer, length) };
}

function viewOf(buffer: LogitsBuffer, pointer: number, length: number): Float32Array {
  const view = new Float32Array(memory().buffer, pointer, length);
  owners.set(view, buffer);
  return view;
}

/** The view of a room, made anew when memory has grown since. */
function fresh(room: Room): Float32Array {
  if (!isLive(room)) room.view = viewOf(room.buffer, room.pointer, room.length);
  return room.view;
}

/** Memory that grows leaves views of length 0 behind; asking for the length costs less than comparing buffers. */
function isLive(room: Room): boolean {
  return lengthOf(room.view) === room.length;
}

/** Where a sampler's logits lie for one call. */
export interface Placed {
  buffer: LogitsBuffer;
  length: number;
}

const ACCEPTED = "a Float32Array, a Float16Array or an array of numbers";

/** The rooms of one sampler: its own for what is copied in, and the one that the caller writes into. */
export class LogitsRooms implements Passenger {
  #own: Room | undefined;
  #shared: Room | undefined;
  /** What the caller's view held when the module broke, until it is asked for again. */
  #contents: Float32Array | undefined;
  #seat: Seat | undefined;

  /** The caller's live view of `length` logits; the same object while it is valid, contents kept when it grows. */
  shared(length: number): Float32Array {
    if (u32(length, "vocabSize") === 0) throw outOfRange("vocabSize", "at least 1", length);
    const old = this.#shared;
    if (old?.length === length) return fresh(old);
    const room = this.#make(length);
    call(() => room.buffer.growAhead());
    const contents = old === undefined ? this.#contents : fresh(old);
    if (contents !== undefined) fresh(room).set(contents.subarray(0, length));
    this.#shared = room;
    this.#contents = undefined;
    return fresh(room);
  }

  /** Puts the logits of a call into wasm memory, or finds them there. */
  place(logits: Logits): Placed {
    const shared = this.#shared;
    if (shared !== undefined && logits === shared.view && isLive(shared)) return shared;
    const given = Array.isArray(logits) ? numbers(logits, "logits") : typed(logits, "logits");
    const length = lengthOf(given);
    // Nothing of the caller's runs between finding the room and filling it.
    const own = this.#room(length);
    fresh(own).set(given);
    return { buffer: own.buffer, length };
  }

  /** A copy of the second row of a call, or of a batch; it may be the caller's view too. */
  second(row: Logits | undefined): Float32Array | undefined {
    if (row === undefined) return undefined;
    const shared = this.#shared;
    if (shared !== undefined && row === shared.view && isLive(shared)) return new Float32Array(shared.view);
    if (Array.isArray(row)) return numbers(row, "unconditional");
    return new Float32Array(typed(row, "unconditional"));
  }

  /** Room of our own for at least this many logits. */
  #room(length: number): Room {
    if (this.#own !== undefined && this.#own.length >= length) return this.#own;
    const room = this.#make(Math.max(length, 1));
    instance.release(this.#own?.buffer);
    this.#own = room;
    return room;
  }

  #make(length: number): Room {
    const room = makeRoom(length);
    this.#seat ??= instance.passengers.board(this);
    return room;
  }

  leave({ buffer }: WebAssembly.Memory): void {
    if (this.#shared !== undefined) {
      const { pointer, length } = this.#shared;
      this.#contents = new Float32Array(buffer, pointer, length).slice();
    }
    this.#own = undefined;
    this.#shared = undefined;
  }

  /** Gives the memory back; the caller's view keeps its own until it is collected. */
  free(): void {
    instance.release(this.#own?.buffer);
    this.#own = undefined;
    this.#shared = undefined;
    this.#contents = undefined;
    instance.passengers.alight(this.#seat);
  }
}

/** A typed array of floats, of the caller's own memory. */
function typed(logits: unknown, option: string): Float32Array {
  const kind = kindOf(logits);
  if (kind !== "Float32Array" && kind !== "Float16Array") throw wrongType(option, ACCEPTED, logits);
  const floats = logits as Float32Array;
  if (isElsewhere(floats)) throw new NucleusError("stale_buffer", why(floats));
  return floats;
}

/** A view that is not the caller's own: into wasm memory, or into a buffer that growth or a transfer has ended. */
function isElsewhere(logits: Float32Array): boolean {
  const buffer = bufferOf(logits);
  return owners.has(logits) || buffer === memory().buffer || (buffer !== undefined && isDetached(buffer));
}

/** Why a view that is not the caller's own is refused, and what to do. */
function why(logits: Float32Array): string {
  if (bufferOf(logits) !== memory().buffer)
    return "this view of the logits buffer is no longer valid, for memory has grown or was replaced since: call logitsBuffer() again";
  if (owners.has(logits))
    return "this view belongs to another sampler, or to an earlier size: call logitsBuffer() again";
  return "of the logits buffer only the whole view, as logitsBuffer() returns it, can be passed: copy a part with slice()";
}

function isDetached(buffer: ArrayBufferLike): boolean {
  if (buffer.byteLength > 0) return false;
  try {
    new Uint8Array(buffer);
    return false;
  } catch {
    return true;
  }
}

/** The numbers of an array, each read once. */
function numbers(array: readonly unknown[], option: string): Float32Array {
  const length = array.length;
  const logits = new Float32Array(length);
  for (let i = 0; i < length; i++) {
    const logit = array[i];
    const isHole = logit === undefined && !(i in array);
    if (typeof logit !== "number" && !isHole) throw wrongType(option, ACCEPTED, array);
    logits[i] = isHole ? Number.NaN : Number(logit);
  }
  return logits;
}
