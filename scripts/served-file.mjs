// A file as the server sends it: its type, its compressed forms and their tags, kept in memory until it changes.
import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import zlib from "node:zlib";

const types = {
  ".bin": "application/octet-stream",
  ".css": "text/css; charset=utf-8",
  ".csv": "text/csv; charset=utf-8",
  ".f32": "application/octet-stream",
  ".gguf": "application/octet-stream",
  // Data that the page unpacks itself: announced as an encoding, the browser would unpack it first.
  ".gz": "application/octet-stream",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".map": "application/json",
  ".md": "text/markdown; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
};

const compressible = /^text\/|javascript|json|svg|wasm/;
const smallestWorthCompressing = 512;
const largestAtFullEffort = 2 ** 21;

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);

// In order of preference; `identity` is always possible.
const encoders = {
  br: (bytes) =>
    brotli(bytes, {
      params: {
        [zlib.constants.BROTLI_PARAM_QUALITY]: bytes.length > largestAtFullEffort ? 6 : 11,
        [zlib.constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes) => gzip(bytes, { level: 9 }),
  identity: async (bytes) => bytes,
};

/** The encoding to answer an Accept-Encoding header with; `q=0` refuses one. */
export function chooseEncoding(accepted = "") {
  const wanted = new Map(
    accepted.split(",").map((item) => {
      const [name, ...parameters] = item
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/);
      const quality = parameters.find((parameter) => parameter.startsWith("q="));
      return [name, quality === undefined ? 1 : Number(quality.slice(2))];
    }),
  );
  return ["br", "gzip"].find((name) => (wanted.get(name) ?? wanted.get("*") ?? 0) > 0) ?? "identity";
}

/** Reads files once: `load(file)` gives `{ type, compressible, body(encoding), tag(encoding) }`. */
export function createFileCache() {
  const cache = new Map();

  async function read(file, version) {
    const bytes = await readFile(file);
    const type = types[path.extname(file).toLowerCase()] ?? "application/octet-stream";
    const hash = createHash("sha256").update(bytes).digest("base64url").slice(0, 27);
    const bodies = new Map();
    return {
      version,
      type,
      compressible: compressible.test(type) && bytes.length >= smallestWorthCompressing,
      tag: (encoding) => `"${hash}-${encoding}"`,
      body(encoding) {
        if (!bodies.has(encoding)) bodies.set(encoding, encoders[encoding](bytes));
        return bodies.get(encoding);
      },
    };
  }

  return async function load(file) {
    const { mtimeMs, size } = await stat(file);
    const version = `${mtimeMs} ${size}`;
    if (cache.get(file)?.version !== version) cache.set(file, await read(file, version));
    return cache.get(file);
  };
}
