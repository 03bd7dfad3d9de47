// What draws are to be expected of: the distribution on screen; or several, where XTC's coin or a guard's breaker
// makes draws differ.

import type { Distribution } from "nucleus-sampler";
import type { Setup } from "./protocol";

/** Kept tokens with their probabilities and the running sum. */
export type Expected = Pick<Distribution, "tokenIds" | "probs" | "cumulative">;

/** `preview` gives the distribution on each side of the coin. */
export function expectedOf(
  { chain: { xtc } }: Setup,
  shown: Distribution,
  preview: (coin: boolean) => Distribution,
): Expected {
  const p = xtc?.probability ?? 0;
  if (p <= 0) return shown;
  if (p >= 1) return preview(true);
  return mixed(preview(true), preview(false), p);
}

/** Two together, the first one's share being p; the second keeps what the first keeps. */
export function mixed(first: Expected, second: Expected, p: number): Expected {
  const shares = new Map<number, number>();
  const add = ({ tokenIds, probs }: Expected, share: number) =>
    tokenIds.forEach((token, i) => {
      shares.set(token, (shares.get(token) ?? 0) + share * (probs[i] ?? 0));
    });
  add(second, 1 - p);
  add(first, p);
  const probs = Float64Array.from(shares.values());
  const cumulative = new Float64Array(probs.length);
  let sum = 0;
  for (let i = 0; i < probs.length; i++) {
    sum += probs[i] ?? 0;
    cumulative[i] = sum;
  }
  if (cumulative.length > 0) cumulative[cumulative.length - 1] = 1;
  return { tokenIds: Uint32Array.from(shares.keys()), probs, cumulative };
}
