// Samplers of a setup: with its history, and where in the stream and in what state its controllers are.

import type { ChainOptions } from "../chain/options";
import type { Controllers } from "../state";
import type { Engine, Sampler } from "./engine";
import type { Setup, Stretch } from "./protocol";

/** What a sampler has in another way than its setup says. */
interface Apart {
  /** The seed, stream and place to draw from. */
  readonly stretch?: Stretch;
  readonly controllers?: Controllers;
  readonly position?: number;
}

export function samplerOf(engine: Engine, setup: Setup, options: ChainOptions, apart: Apart = {}): Sampler {
  const { stretch, controllers = setup.controllers } = apart;
  const { seed, stream } = stretch ?? {};
  const sampler = engine.create({
    ...options,
    ...(seed !== undefined && { seed }),
    ...(stream !== undefined && { stream }),
  });
  try {
    if (setup.prompt.length > 0) sampler.prompt(Uint32Array.from(setup.prompt));
    for (const token of setup.output) sampler.accept(token);
    const position = stretch?.from ?? apart.position ?? setup.position;
    const isFresh = Object.values(controllers).every((moved) => moved === null);
    if (position > 0 || !isFresh) sampler.goOn({ position, controllers });
    return sampler;
  } catch (error) {
    sampler.free();
    throw error;
  }
}

/** A sampler whose breaker is closed, or open for one draw. */
export function withBreaker(engine: Engine, setup: Setup, isOpen: boolean): Sampler {
  const breaker = isOpen ? { trips: 1, openUntil: 1, recent: [] } : null;
  return samplerOf(engine, setup, setup.chain, {
    controllers: { ...setup.controllers, breaker },
    position: 0,
  });
}
