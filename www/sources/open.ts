// The row that a state names, opened whatever kind of source it comes from.

import type { State } from "../state";
import { HAND_SOURCE } from "./catalogue";
import { handRow } from "./hand";
import { openRecorded } from "./recorded";
import type { Row } from "./row";

let opened: Row | null = null;

/** At once where the row is at hand, else a promise. */
export function openRow(state: State): Row | Promise<Row> {
  if (state.source === HAND_SOURCE) return handRow(state.hand);
  if (opened?.key === state.source) return opened;
  return openRecorded(state.source).then((row) => {
    opened = row;
    return row;
  });
}
