// The stages that the page shows as cards, in the order in which the engine runs them where no other is asked for.

import type { Card } from "./card";
import { choosing } from "./choosing";
import { cutting } from "./cutting";
import { forbidding } from "./forbidding";
import { repeating } from "./repeating";
import { guidance, reshaping } from "./reshaping";

export type { Card, Choice, Group, ListParameter, NumberParameter, Settable } from "./card";
export * from "./whole";

export const CARDS: readonly Card[] = [
  guidance,
  ...forbidding,
  ...repeating,
  ...reshaping,
  ...cutting,
  ...choosing,
];

/** Where the chain's cumulative curve is read: what enters this stage. */
export const CURVE_STAGE = "top_p";

/** The card with this key; asking for one that is not in the table is a mistake in the code. */
export function cardOf(key: string): Card {
  const card = CARDS.find((candidate) => candidate.key === key);
  if (card === undefined) throw new Error(`There is no card "${key}".`);
  return card;
}
