import simd from "nucleus-sampler/nucleus_sampler_bg.wasm";
import scalar from "nucleus-sampler/nucleus_sampler_scalar_bg.wasm";

/** The address of the build that is asked for. */
export const fileOf = (choice) => (choice?.simd === false ? scalar : simd);
