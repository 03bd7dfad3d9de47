/** The entry point for Node: the module is read from the file system, nothing is fetched. */
import { readFile } from "node:fs/promises";
import { start } from "./instance.js";
import type { BuildChoice, WasmSource } from "./source.js";

const nameOf = (place: string | URL): string => (typeof place === "string" ? place : String(place.href));

/** Files are read: Node's `fetch` does not know them. Everything else stays what it is. */
async function opened(source: WasmSource): Promise<unknown> {
  const place = await source;
  const isName = typeof place === "string" || place instanceof URL;
  return isName && nameOf(place).startsWith("file:") ? readFile(new URL(nameOf(place))) : place;
}

const script = import.meta.url;
const simdFile = "./wasm/nucleus_sampler_bg.wasm";
const scalarFile = "./wasm/nucleus_sampler_scalar_bg.wasm";

/**
 * A build that lies beside this file; a bundler that moved this file away is told from anything else. Next's webpack
 * makes an address on the site of `place`: the file itself is then still where it was when this file was bundled.
 */
async function beside(place: URL, name: string): Promise<Uint8Array> {
  try {
    return await readFile(nameOf(place).startsWith("file:") ? place : new URL(name, script));
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
    simd: () => beside(new URL("./wasm/nucleus_sampler_bg.wasm", import.meta.url), simdFile),
    scalar: () => beside(new URL("./wasm/nucleus_sampler_scalar_bg.wasm", import.meta.url), scalarFile),
    opened,
  });
}

export * from "./index.js";
