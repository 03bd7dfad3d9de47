// All that is drawn: the engine's answers, with the row and the state that they answer.

import { firstCut } from "./engine/picture";
import type { After, Before, PictureResult, Upstream } from "./engine/protocol";
import type { Row } from "./sources/row";
import type { State } from "./state";

export interface Picture {
  readonly state: State;
  readonly row: Row;
  readonly before: Before;
  readonly upstream: Upstream;
  readonly after: After;
  /** Whether bars may glide to their new height. */
  readonly glide: boolean;
}

/** The picture of an answer, in which what has not changed since the one shown is left out. */
export function merged(
  result: PictureResult,
  shown: Picture | null,
  { state, row, glide }: Pick<Picture, "state" | "row" | "glide">,
): Picture {
  const before = result.before ?? shown?.before;
  const upstream = result.upstream ?? shown?.upstream;
  const ranking = result.ranking ?? shown?.after;
  if (before === undefined || upstream === undefined || ranking === undefined)
    throw new Error("The first picture was not whole.");
  const { order, nRanked, rank } = ranking;
  return { state, row, before, upstream, after: { order, nRanked, rank, ...result.outcome }, glide };
}

/**
 * The token that the page speaks of: the one that somebody points at, or the first that is cut, which is looked at while
 * the cut-off's handle is held. Null before the first picture.
 */
export function subjectOf(
  picture: Picture | null,
  handleHeld: boolean,
  spoken: number | null,
): number | null {
  if (picture === null) return null;
  const { after, row } = picture;
  if (!handleHeld && spoken !== null && spoken < row.texts.size) return spoken;
  return firstCut(after) ?? after.order[0] ?? null;
}
