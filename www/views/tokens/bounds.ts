// The ends of the table's bars: which logits a bar can show.

import type { Picture } from "../../playground";
import { HAND_SOURCE } from "../../sources/catalogue";

export interface Bounds {
  /** Equal keys mean equal rows. */
  readonly key: string;
  readonly low: number;
  readonly high: number;
}

/** Room beyond the highest logit, so that every bar can grow. */
const ROOM = 6;
/** Bars show at most this much of the range of logits; lower ones, far from ever being drawn, are empty. */
const SPAN = 26;

export const NO_BOUNDS: Bounds = { key: "", low: 0, high: 1 };

/** The bounds for a picture: those of its row, still the old ones while a bar is held. */
export function boundsOf({ row, state }: Picture, old: Bounds, held: boolean): Bounds {
  const key = state.source === HAND_SOURCE ? JSON.stringify(state.hand) : row.key;
  if (old.key === key || (held && old.key !== "")) return old;
  let low = Infinity;
  let high = -Infinity;
  for (const logit of row.logits) {
    if (Number.isFinite(logit) && logit < low) low = logit;
    if (logit > high) high = logit;
  }
  if (!Number.isFinite(high)) [low, high] = [0, 1];
  const end = Math.ceil(high) + ROOM;
  return { key, low: Math.max(end - SPAN, Math.floor(low) - ROOM), high: end };
}
