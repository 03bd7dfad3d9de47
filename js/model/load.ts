/** A model's file on its way into the module: piece by piece, from whatever has its bytes. */
import { named } from "../arguments.js";
import { NucleusError, outOfRange, wrongType } from "../errors.js";
import { Handle } from "../handle.js";
import { RawLoader, type RawModel } from "../wasm/nucleus_model.js";
import { instance } from "./instance.js";
import type * as types from "./types.js";

/** Bytes that are handed over at once: the module has a copy of them for a moment. */
const PIECE = 1 << 20;

function loaderOf(size: number | undefined): Handle<RawLoader> {
  const raw = instance.call(() => new RawLoader(size), "loader");
  return new Handle(instance, raw, "loader");
}

function push(loader: Handle<RawLoader>, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at += PIECE)
    loader.ask((raw) => raw.push(bytes.subarray(at, at + PIECE)));
}

/** The model of all that was pushed; the loader is gone then, whatever comes of it. */
function finished(loader: Handle<RawLoader>): Handle<RawModel> {
  try {
    return new Handle(
      instance,
      loader.ask((raw) => raw.finish()),
      "model",
    );
  } finally {
    loader.forget();
  }
}

/** The model of a whole file. */
export function loaded(file: unknown): Handle<RawModel> {
  const bytes = bytesOf(file);
  const loader = loaderOf(bytes.length);
  try {
    push(loader, bytes);
  } catch (error) {
    loader.free();
    throw error;
  }
  return finished(loader);
}

function bytesOf(file: unknown): Uint8Array {
  if (file instanceof Uint8Array) return file;
  if (ArrayBuffer.isView(file)) return new Uint8Array(file.buffer, file.byteOffset, file.byteLength);
  if (file instanceof ArrayBuffer) return new Uint8Array(file);
  throw wrongType("file", "the bytes of a GGUF file, a Uint8Array or an ArrayBuffer", file);
}

/** A source as a stream, and its length where it has one. */
interface Opened {
  stream: types.StreamLike;
  size: number | undefined;
}

const isStream = (value: unknown): value is types.StreamLike =>
  typeof value === "object" && value !== null && "getReader" in value;

function opened(source: unknown): Opened {
  if (isStream(source)) return { stream: source, size: undefined };
  if (typeof source === "object" && source !== null) {
    if ("headers" in source && "body" in source) return ofResponse(source as types.FileResponse);
    if ("stream" in source && "size" in source) {
      const blob = source as types.BlobLike;
      return { stream: blob.stream(), size: blob.size };
    }
  }
  throw wrongType("source", "a Blob, a Response or a ReadableStream of bytes", source);
}

function ofResponse({ ok, status, url, headers, body }: types.FileResponse): Opened {
  if (!ok) throw outOfRange("source", "a response with a file", `one with status ${status} for ${url}`);
  if (!isStream(body)) throw new NucleusError("empty", "source must not be empty", { option: "source" });
  // What is compressed on its way has another length than the file.
  const length = headers.get("content-encoding") === null ? Number(headers.get("content-length") ?? "") : 0;
  return { stream: body, size: length > 0 ? length : undefined };
}

/** The model of a file that a source gives. */
export async function streamed(source: unknown, options?: types.StreamOptions): Promise<Handle<RawModel>> {
  const given = named<types.StreamOptions>(options, ["size", "onProgress", "signal"]);
  const { onProgress, signal } = given;
  const wanted = sizeOf(given.size);
  signal?.aborted && fail(signal.reason);
  const { stream, size = wanted } = opened(source);
  const loader = loaderOf(wanted ?? size);
  const reader = stream.getReader();
  const cancel = () => void reader.cancel(signal?.reason).catch(() => {});
  signal?.addEventListener("abort", cancel);
  try {
    let count = 0;
    for (;;) {
      const { done, value } = await reader.read();
      signal?.aborted && fail(signal.reason);
      if (done) break;
      const bytes = bytesOf(value);
      push(loader, bytes);
      count += bytes.length;
      onProgress?.({ loaded: count, total: loader.ask((raw) => raw.needed()) ?? wanted ?? size });
    }
  } catch (error) {
    loader.free();
    await reader.cancel(error).catch(() => {});
    throw error;
  } finally {
    signal?.removeEventListener("abort", cancel);
  }
  return finished(loader);
}

function sizeOf(size: unknown): number | undefined {
  if (size === undefined) return undefined;
  if (typeof size !== "number") throw wrongType("size", "a number of bytes", size);
  if (!Number.isSafeInteger(size) || size < 1)
    throw outOfRange("size", "a number of bytes, at least 1", size);
  return size;
}

function fail(reason: unknown): never {
  throw reason;
}
