// What a card is set to when it is added or switched on: lists that must not be empty, and the one stage that chooses.

import type { Picture } from "../playground";
import { type Setting, type State, settingOf, type TokenValue, withSetting } from "../state";
import { CARDS, type Card } from "./cards";
import { type PresetKey, presetOf } from "./presets";

/** Texts by which models mark the end. */
const ENDS = ["<|endoftext|>", "<|im_end|>", "</s>", "<|eot_id|>"];

/** The state with a card on the page and on; a stage that chooses the token takes the place of the one that did. */
export function withAdded(state: State, card: Card, picture: Picture | null): State {
  return withOn(withSetting(state, card, { shown: true, ...startOf(state, card, picture) }), card);
}

/** The state with a card on. */
export function withOn(state: State, card: Card): State {
  const rival = rivalOf(state, card);
  const free = rival === null ? state : withSetting(state, rival, { on: false });
  return withSetting(free, card, { on: true });
}

/** The state on a preset: its cards in its order, and no others; what they are set to stays. */
export function withPreset(state: State, preset: PresetKey): State {
  const { order } = presetOf(preset);
  const chain = CARDS.map((card) => {
    const setting = settingOf(state, card);
    if (order === null) return [card.key, { ...setting, shown: setting.shown || card.shown }] as const;
    const isIn = order.includes(card.key);
    return [card.key, { ...setting, shown: isIn, on: setting.on && isIn }] as const;
  });
  return { ...state, preset, order: [], chain: { ...state.chain, ...Object.fromEntries(chain) } };
}

/** The card that chooses the token now, where this one would; null where there is none. */
export function rivalOf(state: State, card: Card): Card | null {
  if (!card.isTerminal) return null;
  return (
    CARDS.find((other) => other.isTerminal && other.key !== card.key && settingOf(state, other).on) ?? null
  );
}

function startOf(state: State, card: Card, picture: Picture | null): Partial<Setting> {
  const { entries, sequences } = settingOf(state, card);
  if (card.list === null || picture === null || entries.length > 0 || sequences.length > 0) return {};
  const { order } = picture.after;
  const withoutValue = (tokens: readonly number[]) => tokens.map((token): TokenValue => [token, 0]);
  switch (card.list.start) {
    case "first two":
      return { entries: withoutValue([...order.subarray(0, 2)]) };
    case "first token":
      return { sequences: [[order[0] ?? 0]] };
    case "end of text":
      return { entries: withoutValue(endsOf(picture)) };
    default:
      return {};
  }
}

/** The tokens that end a text, as the model says, else as texts do; where there are none, the last by rank stands for them. */
function endsOf({ row, after }: Picture): number[] {
  const found: number[] = [...(row.reader?.ends ?? [])];
  if (found.length > 0) return found;
  for (let token = 0; token < row.texts.size; token++)
    if (ENDS.includes(row.texts.text(token))) found.push(token);
  return found.length > 0 ? found : [after.order[row.texts.size - 1] ?? 0];
}
