// Rows on which a guard trips, and a guard that watches over min-p.
import type { SamplerOptions } from "../nucleus";

/** A thousand tokens, the first a little more likely: min-p 1 keeps that one, about a thousandth of the mass. */
export const flat = Float32Array.from({ length: 1000 }, (_, id) => (id === 0 ? 0.01 : 0));

/** Two tokens of the thousand hold nearly all: min-p 1 keeps half of it. */
export const peaked = Float32Array.from({ length: 1000 }, (_, id) => (id === 3 || id === 5 ? 1 : -20));

type Guard = NonNullable<SamplerOptions["guard"]>;

/** min-p 1 under this guard, which allows it to remove 0.99 of the mass. */
export const guarded = (guard: Guard): SamplerOptions => ({
  minP: 1,
  guard: { maxMaskedMass: 0.99, ...guard },
});
