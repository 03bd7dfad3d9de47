/** The WebAssembly module: from whatever names it to a compiled one that is known to be ours, before anything runs. */
import { engineHasSimd } from "./builds.js";
import { wrongType } from "./errors.js";
import ours from "./wasm/nucleus_sampler_exports.js";

/**
 * Compiles the module that `source` names.
 * @throws `wrong_type` for what cannot name one; an Error that says why for a module that is none, or not ours.
 */
export async function compiled(source: unknown): Promise<WebAssembly.Module> {
  const module = await moduleOf(await source);
  const kinds = new Map(WebAssembly.Module.exports(module).map(({ name, kind }) => [name, kind]));
  const missing = Object.keys(ours).find((name) => kinds.get(name) !== ours[name]);
  if (missing === undefined) return module;
  const without = `it has no ${JSON.stringify(missing)}`;
  throw new Error(`it is another WebAssembly module, or one of another version: ${without}`);
}

/** What something is, from whatever window or thread it comes. */
const tagOf = (value: unknown) => Object.prototype.toString.call(value).slice(8, -1);

async function moduleOf(source: unknown): Promise<WebAssembly.Module> {
  if (ArrayBuffer.isView(source) || ["ArrayBuffer", "SharedArrayBuffer"].includes(tagOf(source)))
    return ofBytes(source as BufferSource);
  if (tagOf(source) === "WebAssembly.Module") return source as WebAssembly.Module;
  if (tagOf(source) === "Response") return ofResponse(source as Response);
  if (typeof source === "string" || ["URL", "Request"].includes(tagOf(source)))
    return ofResponse(await fetched(source as string | URL | Request));
  throw wrongType("source", "bytes, a WebAssembly.Module, a URL, a Request, a Response or { simd }", source);
}

async function fetched(source: string | URL | Request): Promise<Response> {
  try {
    return await fetch(source);
  } catch (cause) {
    const from = shortened(typeof source === "object" && "url" in source ? source.url : String(source));
    throw new Error(`it could not be fetched from ${from} (${String(cause)})`, { cause });
  }
}

async function ofResponse(response: Response): Promise<WebAssembly.Module> {
  if (!response.ok) {
    const { status, statusText, url } = response;
    throw new Error(`the server answered ${`${status} ${statusText}`.trim()} for ${shortened(url)}`);
  }
  let bytes: ArrayBuffer;
  try {
    bytes = await response.arrayBuffer();
  } catch (cause) {
    throw new Error(`the response could not be read (${String(cause)})`, { cause });
  }
  return ofBytes(bytes, response.url);
}

/** Addresses are cut: one may hold the whole module. */
const shortened = (url: string) => (url.length > 100 ? `${url.slice(0, 100)}…` : url || "the module");

const MAGIC = [0x00, 0x61, 0x73, 0x6d];
const HTML = /^\ufeff?\s*</;

async function ofBytes(source: BufferSource, from = ""): Promise<WebAssembly.Module> {
  const bytes = ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source);
  if (bytes.length === 0) throw new Error("it is empty: 0 bytes came");
  if (MAGIC.some((byte, i) => bytes[i] !== byte)) throw new Error(`it is ${insteadOf(bytes, from)}`);
  try {
    // A copy: memory that is shared with another thread is not accepted as it is.
    return await WebAssembly.compile(bytes.slice());
  } catch (cause) {
    throw new Error(`${whyRefused(bytes)} (${String(cause)})`, { cause });
  }
}

/** Why an engine does not compile bytes that begin as a module does. */
function whyRefused(bytes: Uint8Array<ArrayBuffer>): string {
  if (WebAssembly.validate(bytes.slice()))
    return "WebAssembly may not be compiled here: allow 'wasm-unsafe-eval' in the script-src of the page's policy, or pass a compiled WebAssembly.Module";
  const or = engineHasSimd() ? "" : ", or for an engine with SIMD, which this one has not";
  return `its ${bytes.length} bytes are damaged or cut short${or}`;
}

/** What helps where a bundler's cache of installed packages was asked for the file. */
const setting = (from: string) =>
  from.includes("/node_modules/")
    ? `; in Vite before version 8 set optimizeDeps: { exclude: ["nucleus-sampler"] }`
    : "";

/** What bytes are that are no module. */
function insteadOf(bytes: Uint8Array, from: string): string {
  if (HTML.test(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.slice(0, 100))))
    return `an HTML page: servers of single-page apps send theirs for every file that they do not find${setting(from)}`;
  return `no WebAssembly module, which begins with ${MAGIC.join(" ")}: it begins with ${bytes.slice(0, 4).join(" ")}`;
}
