/** Which of the two builds runs. */
import { call, started } from "./instance.js";
import { simd as compiledWithSimd } from "./wasm/nucleus_sampler.js";

/**
 * Whether the running module is the build with SIMD. Both builds draw the same tokens: this tells only how fast.
 * @throws `not_initialized` before `await init()`.
 */
export function simd(): boolean {
  started();
  return call(compiledWithSimd);
}
