// Changes to a row's logits and tokens, as functions from state to state; undo is the list of earlier values.

import { FLAT_ROW } from "./flat-row";
import { FILE_SOURCE, HAND_SOURCE, isModelSource, sourceEntry } from "./sources/catalogue";
import {
  type Controllers,
  type HandToken,
  NO_CONTROLLERS,
  type Setting,
  type State,
  type TokenValue,
} from "./state";

/** The parts of a state that undo brings back: tokens, logits, chain, output and what came of accepted draws. */
const EDITED = [
  "hand",
  "prompt",
  "edits",
  "chain",
  "preset",
  "order",
  "second",
  "output",
  "controllers",
  "from",
] as const;
export type Edited = Pick<State, (typeof EDITED)[number]>;

export function editedOf(state: State): Edited {
  const { hand, prompt, edits, chain, preset, order, second, output, controllers, from } = state;
  return { hand, prompt, edits, chain, preset, order, second, output, controllers, from };
}

/** Whether two states agree in all that undo brings back. */
export function isEditedAlike(a: State, b: State): boolean {
  return EDITED.every((name) => a[name] === b[name]);
}

/** The state with one token's logit changed; a logit equal to the recorded one is no edit. */
export function withLogit(state: State, token: number, logit: number, recorded: number): State {
  if (state.source === HAND_SOURCE) {
    return { ...state, hand: state.hand.map((hand, id) => (id === token ? { ...hand, logit } : hand)) };
  }
  const others = state.edits.filter(([id]) => id !== token);
  const edits: TokenValue[] = Math.fround(logit) === recorded ? others : [...others, [token, logit]];
  return { ...state, edits };
}

/** The logit that a token has now: edited, or as recorded. */
export function logitOf(state: State, token: number, recorded: number): number {
  if (state.source === HAND_SOURCE) return state.hand[token]?.logit ?? recorded;
  return state.edits.find(([id]) => id === token)?.[1] ?? recorded;
}

/** The state with a token's text changed; halves of characters, which an address cannot hold, become U+FFFD. */
export function withText(state: State, token: number, typed: string): State {
  const text = typed.replace(/\p{Surrogate}/gu, "\ufffd");
  return { ...state, hand: state.hand.map((hand, id) => (id === token ? { ...hand, text } : hand)) };
}

export function withAddedToken(state: State, token: HandToken): State {
  return { ...state, hand: [...state.hand, token] };
}

/** The state without one token of the row written by hand: ids above it move down, also where others name them. */
export function withoutToken(state: State, removed: number): State {
  const moved = (id: number) => (id > removed ? id - 1 : id);
  const entries = (list: readonly TokenValue[]) =>
    list.filter(([id]) => id !== removed).map(([id, value]): TokenValue => [moved(id), value]);
  const chain = Object.entries(state.chain).map(([key, setting]) => {
    const sequences = setting.sequences.filter((ids) => !ids.includes(removed)).map((ids) => ids.map(moved));
    return [key, { ...setting, entries: entries(setting.entries), sequences }] as const;
  });
  return {
    ...state,
    hand: state.hand.filter((_, id) => id !== removed),
    output: state.output.filter((id) => id !== removed).map(moved),
    chain: Object.fromEntries(chain),
  };
}

/** The state on another source. What names tokens of the old row goes; the chain's numbers stay. */
export function withSource(state: State, source: string): State {
  return withRow(state, source, sourceEntry(source).vocabulary === sourceEntry(state.source).vocabulary);
}

/** The state on a model file that has just been opened: its tokens are not those of any row before. */
export function withModelFile(state: State): State {
  // An output of its own: the row of an older file is not this one's, whatever text it follows.
  return { ...withRow(state, FILE_SOURCE, false), output: [] };
}

function withRow(state: State, source: string, sameVocabulary: boolean): State {
  const chain = Object.entries(state.chain).map(([key, setting]) => {
    return [key, sameVocabulary ? setting : withoutTokens(setting)] as const;
  });
  const second = sameVocabulary ? state.second : FLAT_ROW;
  return { ...state, ...BEGINNING, source, second, chain: Object.fromEntries(chain) };
}

/** A text that nothing has followed yet. */
const BEGINNING = { edits: [], output: [], controllers: NO_CONTROLLERS, from: 0, draws: 0 } as const;

/** The state with another prompt for a model: what followed the old one goes. */
export function withPrompt(state: State, prompt: string): State {
  return { ...state, ...BEGINNING, prompt };
}

/** A setting without what it says of tokens; a stage that has nothing left to say is off. */
function withoutTokens(setting: Setting): Setting {
  const isListed = setting.entries.length > 0 || setting.sequences.length > 0;
  return { ...setting, on: setting.on && !isListed, entries: [], sequences: [] };
}

/** The state after the draw made last was accepted: it is output now, and the next draw goes on in the stream. */
export function withAccepted(state: State, token: number, controllers: Controllers): State {
  const from = state.from + state.draws;
  // What was changed by hand was this row: a model's next one is another.
  const edits = isModelSource(state.source) ? [] : state.edits;
  return { ...state, edits, output: [...state.output, token], controllers, from, draws: 0 };
}

/** The state with an output written by hand. */
export function withOutput(state: State, output: readonly number[]): State {
  if (!isModelSource(state.source)) return { ...state, output };
  return { ...state, edits: [], output, from: state.from + state.draws, draws: 0 };
}

/** Whether two states have the same row, before anything in it is edited. */
export function isSameRow(a: State, b: State): boolean {
  if (a.source !== b.source) return false;
  return !isModelSource(a.source) || (a.prompt === b.prompt && a.output === b.output);
}
