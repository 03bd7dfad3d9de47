// The sources of logits that the page offers: one row each. A new kind of source is a new row and its `open`.

import recorded from "../data/rows.json";

export interface SourceEntry {
  readonly id: string;
  /** The heading that the source stands under in the list. */
  readonly group: string;
  readonly label: string;
  /** What a person can change: logits as differences to the recorded row, or the whole row. */
  readonly edited: "logits" | "tokens";
}

const ROW_ORDER = ["once", "capital", "list", "code", "seven"] as const;
export type RowName = (typeof ROW_ORDER)[number];

export const HAND_SOURCE = "hand";

/** The prompts and token ids that the rows were recorded with. */
export const RECORDED = recorded;

function isRowName(id: string): id is RowName {
  return ROW_ORDER.some((name) => name === id);
}

/** The recorded row of this name, or null. */
export function recordedRow(id: string): { prompt: string; ids: readonly number[] } | null {
  return isRowName(id) ? RECORDED.rows[id] : null;
}

export const SOURCES: readonly SourceEntry[] = [
  ...ROW_ORDER.map((id) => ({
    id,
    group: "Recorded from SmolLM2-135M",
    label: `${RECORDED.rows[id].prompt.replaceAll(/\s+/g, " ")} ___`,
    edited: "logits" as const,
  })),
  { id: HAND_SOURCE, group: "Your own", label: "A few tokens, written by hand", edited: "tokens" },
];

export const SOURCE_IDS: readonly string[] = SOURCES.map(({ id }) => id);

export function sourceEntry(id: string): SourceEntry {
  const entry = SOURCES.find((source) => source.id === id);
  if (entry === undefined) throw new Error(`There is no source "${id}".`);
  return entry;
}
