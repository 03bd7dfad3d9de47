// Presets as the page offers them: which cards stand in which order. What else a preset is, the engine knows by its name.

/** What the engine calls its presets. */
export type PresetKey = "nucleus" | "textbook";

export interface Preset {
  readonly key: PresetKey;
  readonly title: string;
  /** The keys of its cards in order; null for all cards as they stand in the table. */
  readonly order: readonly string[] | null;
  /** What is said of it beside the chain, where it is not the usual one. */
  readonly note: string | null;
}

export const PRESETS: readonly Preset[] = [
  { key: "nucleus", title: "nucleus", order: null, note: null },
  {
    key: "textbook",
    title: "textbook exercise",
    order: ["temperature", "topK", "topP", "repetitionPenalty"],
    note: "The order of the classic exercise: the repetition penalty comes last, after the cuts.",
  },
];

/** The preset of this name. */
export function presetOf(key: PresetKey): Preset {
  const preset = PRESETS.find((candidate) => candidate.key === key);
  if (preset === undefined) throw new Error(`There is no preset "${key}".`);
  return preset;
}
