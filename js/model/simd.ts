/** Which of the two builds of the module of models runs. */
import { simd as compiledWithSimd } from "../wasm/nucleus_model.js";
import { instance, started } from "./instance.js";

/**
 * Whether the running module is the build with SIMD. Both builds give the same logits: this tells only how fast.
 * @throws `not_initialized` before `await init()`.
 */
export function simd(): boolean {
  started();
  return instance.call(compiledWithSimd, "model");
}
