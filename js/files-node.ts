/** Files, for the entry points in Node: they are read from the file system, nothing is fetched. */
import { readFile } from "node:fs/promises";
import type { WasmSource } from "./source.js";

const nameOf = (place: string | URL): string => (typeof place === "string" ? place : String(place.href));

/** Files are read: Node's `fetch` does not know them. Everything else stays what it is. */
export async function opened(source: WasmSource): Promise<unknown> {
  const place = await source;
  const isName = typeof place === "string" || place instanceof URL;
  return isName && nameOf(place).startsWith("file:") ? readFile(new URL(nameOf(place))) : place;
}

/**
 * A build that lies beside its entry point; a bundler that moved that away is told from anything else. Next's webpack
 * makes an address on the site of `place`: the file itself is then still `before`, where it was when this was bundled.
 */
export async function besideScript(place: URL, before: URL, instead: string): Promise<Uint8Array> {
  try {
    return await readFile(nameOf(place).startsWith("file:") ? place : before);
  } catch (cause) {
    const because = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `it could not be read from beside its script (${because}): where a bundler took it from its package, ${instead}`,
      { cause },
    );
  }
}
