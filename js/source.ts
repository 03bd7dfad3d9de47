/** Where `init` takes a module from: bytes, a module, a URL, a request, a response, or a promise of any of them. */
export type WasmSource = WasmPlace | Promise<WasmPlace>;

/**
 * What a module can be had from.
 *
 * Written without the names of any one platform, so that it means the same with and without the DOM's types.
 */
export type WasmPlace =
  | ArrayBuffer
  | ArrayBufferView
  | CompiledModule
  | string
  | UrlLike
  | RequestLike
  | ResponseLike;

/** Which of the package's own two builds `init` takes. */
export interface BuildChoice {
  /** Whether the build with SIMD, which not every engine can run; undefined is the same as leaving it to `init`. */
  readonly simd: boolean | undefined;
}

/** A `WebAssembly.Module`: nothing of it can be seen but its name. */
export interface CompiledModule {
  readonly [Symbol.toStringTag]?: "WebAssembly.Module";
}

/** A `URL`. */
export interface UrlLike {
  readonly href: string;
  readonly searchParams: object;
}

/** A `Request`. */
export interface RequestLike {
  readonly url: string;
  readonly method: string;
}

/** A `Response`. */
export interface ResponseLike {
  readonly ok: boolean;
  readonly status: number;
  readonly url: string;
  arrayBuffer(): Promise<ArrayBuffer>;
}
