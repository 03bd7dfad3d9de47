// What must compile where the platform's types are there: sources of the module. Compiled, never run.
import init, { type WasmSource } from "nucleus-sampler";

declare const response: Response;

export async function starting(request: Request): Promise<void> {
  const sources: WasmSource[] = [
    new URL("https://example.org/nucleus_sampler_bg.wasm"),
    request,
    response,
    Promise.resolve(response),
    fetch("nucleus_sampler_bg.wasm"),
  ];
  for (const source of sources) await init(source);
}
