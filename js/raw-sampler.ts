/** The sampler inside the module that a sampler of ours stands for. */
import { plainOptions } from "./arguments.js";
import { Handle, type Passage } from "./handle.js";
import { call, instance } from "./instance.js";
import type { SamplerOptions } from "./types.js";
import { RawSampler } from "./wasm/nucleus_sampler.js";

/** It comes over by its state. */
const passage: Passage<RawSampler> = {
  rescue: (raw) => raw.rescue(),
  revive: (state) => RawSampler.fromState(state),
};

/** A handle of one that exists already, or of a new one with these options. */
export const handleOf = (options: SamplerOptions | RawSampler | undefined): Handle<RawSampler> =>
  new Handle(instance, made(options), "sampler", passage);

function made(options: SamplerOptions | RawSampler | undefined): RawSampler {
  if (options instanceof RawSampler) return options;
  const plain = plainOptions(options);
  return call(() => new RawSampler(plain));
}
