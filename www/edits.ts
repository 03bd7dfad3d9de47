// Changes to a row's logits and tokens, as functions from state to state; undo is the list of earlier values.

import { HAND_SOURCE, sourceEntry } from "./sources/catalogue";
import type { HandToken, State, TokenValue } from "./state";

/** The parts of a state that undo brings back: tokens, logits, output and chain. */
export type Edited = Pick<State, "hand" | "edits" | "chain" | "output">;

export function editedOf({ hand, edits, chain, output }: State): Edited {
  return { hand, edits, chain, output };
}

/** Whether two states agree in all that undo brings back. */
export function isEditedAlike(a: State, b: State): boolean {
  return a.hand === b.hand && a.edits === b.edits && a.chain === b.chain && a.output === b.output;
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
    return [key, { ...setting, entries: entries(setting.entries) }] as const;
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
  const sameVocabulary = sourceEntry(source).edited === sourceEntry(state.source).edited;
  const chain = Object.entries(state.chain).map(([key, setting]) => {
    return [
      key,
      sameVocabulary ? setting : { ...setting, on: setting.on && setting.entries.length === 0, entries: [] },
    ] as const;
  });
  return { ...state, source, edits: [], output: [], draws: 0, chain: Object.fromEntries(chain) };
}
