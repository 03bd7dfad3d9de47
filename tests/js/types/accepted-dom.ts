// What must compile where the DOM's types are there. Compiled, never run.
import init, { type WasmSource } from "nucleus-sampler";

declare const module: WebAssembly.Module;
declare const bytes: BufferSource;

export const sources: WasmSource[] = [module, bytes];

export const started: Promise<void> = init(module);
