// The row that a state names, opened whatever kind of source it comes from.

import type { State } from "../state";
import { HAND_SOURCE } from "./catalogue";
import { handRow } from "./hand";
import { openRecorded } from "./recorded";
import type { Row } from "./row";

const opened = new Map<string, Row>();

/** At once where the row is at hand, else a promise. */
export function openRow(state: Pick<State, "source" | "hand">): Row | Promise<Row> {
  if (state.source === HAND_SOURCE) return handRow(state.hand);
  const known = opened.get(state.source);
  if (known !== undefined) return known;
  return openRecorded(state.source).then((row) => {
    opened.set(state.source, row);
    return row;
  });
}
