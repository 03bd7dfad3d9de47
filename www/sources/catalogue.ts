// The sources of logits that the page offers: one row each. A new kind of source is a new row and its `open`.

import recorded from "../data/rows.json";

export interface SourceEntry {
  readonly id: string;
  /** The heading that the source stands under in the list. */
  readonly group: string;
  readonly label: string;
  /** Equal for sources whose token ids mean the same. */
  readonly vocabulary: string;
}

const ROW_ORDER = ["once", "capital", "list", "code", "seven"] as const;
export type RowName = (typeof ROW_ORDER)[number];

export const HAND_SOURCE = "hand";
/** The small model that comes with the page. */
export const TINY_SOURCE = "tiny";
/** A model from a file of a person's own. */
export const FILE_SOURCE = "file";

/** Whether the source is a model, which reads the state's prompt and output. */
export function isModelSource(id: string): boolean {
  return id === TINY_SOURCE || id === FILE_SOURCE;
}

/** The prompts and token ids that the rows were recorded with. */
export const RECORDED = recorded;

function isRowName(id: string): id is RowName {
  return ROW_ORDER.some((name) => name === id);
}

/** The recorded row of this name, or null. */
export function recordedRow(id: string): { prompt: string; ids: readonly number[] } | null {
  return isRowName(id) ? RECORDED.rows[id] : null;
}

const MODELS = "A model that reads what you type";

export const SOURCES: readonly SourceEntry[] = [
  ...ROW_ORDER.map((id) => ({
    id,
    group: "Recorded from SmolLM2-135M",
    label: `${RECORDED.rows[id].prompt.replaceAll(/\s+/g, " ")} ___`,
    vocabulary: "SmolLM2",
  })),
  { id: TINY_SOURCE, group: MODELS, label: "The tiny model, 2.4 MB, built in", vocabulary: TINY_SOURCE },
  { id: FILE_SOURCE, group: MODELS, label: "A model file from your disk (GGUF)", vocabulary: FILE_SOURCE },
  { id: HAND_SOURCE, group: "Your own", label: "A few tokens, written by hand", vocabulary: HAND_SOURCE },
];

/** The sources that guidance can take a second row from, beside a row of this source. */
export function secondSources(source: string): readonly SourceEntry[] {
  const { vocabulary } = sourceEntry(source);
  return SOURCES.filter(
    (entry) => isRowName(entry.id) && entry.vocabulary === vocabulary && entry.id !== source,
  );
}

export const SOURCE_IDS: readonly string[] = SOURCES.map(({ id }) => id);

export function sourceEntry(id: string): SourceEntry {
  const entry = SOURCES.find((source) => source.id === id);
  if (entry === undefined) throw new Error(`There is no source "${id}".`);
  return entry;
}
