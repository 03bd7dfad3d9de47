/** The entry point for Node: the module is read from the file system, nothing is fetched. */
import { readFile } from "node:fs/promises";
import { start } from "./instance.js";
import type { BuildChoice, WasmSource } from "./source.js";

const nameOf = (place: unknown): string => (place instanceof URL ? place.href : String(place));

/** Files are read: Node's `fetch` does not know them. Everything else stays what it is. */
async function opened(source: WasmSource): Promise<unknown> {
  const place = await source;
  const isName = typeof place === "string" || place instanceof URL;
  return isName && nameOf(place).startsWith("file:") ? readFile(new URL(nameOf(place))) : place;
}

/** A build that lies beside this file; a bundler that moved this file away is told from anything else. */
async function beside(place: URL): Promise<Uint8Array> {
  try {
    return await readFile(place);
  } catch (cause) {
    const because = cause instanceof Error ? cause.message : String(cause);
    const instead = 'where a bundler took it from its package, import "nucleus-sampler/inline" instead';
    throw new Error(`it could not be read from beside its script (${because}): ${instead}`, { cause });
  }
}

/**
 * Starts the wasm module; needed once before the first sampler, further calls are free.
 *
 * There are two builds of it, with SIMD and without, which draw the same tokens. By default the one that this engine
 * can run is read from beside this file: the other one is not. `simd()` says which it became.
 * @param source `{ simd: false }` or `{ simd: true }` to choose the build; or where another copy of the module comes
 *   from: bytes, a module, a URL (of a file, too) or a response
 */
export default function init(source?: WasmSource | BuildChoice): Promise<void> {
  return start(source, {
    simd: () => beside(new URL("./wasm/nucleus_sampler_bg.wasm", import.meta.url)),
    scalar: () => beside(new URL("./wasm/nucleus_sampler_scalar_bg.wasm", import.meta.url)),
    opened,
  });
}

export * from "./index.js";
