// The engine's objection to a card's setting, in its own sentence.

import { type Card, type Settable, WHOLE } from "../chain/cards";
import type { Playground } from "../playground";

interface CardProblemProps {
  readonly playground: Playground;
  readonly card: Card;
}

export function CardProblem({ playground, card }: CardProblemProps) {
  const problem = playground.problem.value;
  const isMine = problem !== null && isProblemOf(card, problem.option, problem.stage);
  return (
    <p class="message" role="status">
      {isMine ? problem.message : null}
    </p>
  );
}

/** Whether an objection to an option, or to a stage where it names no option, is to be said on a card. */
export function isProblemOf(card: Card, option: string | null, stage: string | null): boolean {
  if (option === null || option === "order") return card.stage === stage;
  return namesOption(card, option) || card.flag === option;
}

/** Whether an objection is to an option that is set for the chain as a whole. */
export function isProblemOfWhole(option: string | null): boolean {
  return option !== null && WHOLE.some((whole) => namesOption(whole, option));
}

function namesOption({ numbers, list }: Settable, option: string): boolean {
  const own = [...numbers.map((number) => number.option), list?.option];
  return own.some((name) => typeof name === "string" && (name === option || option.startsWith(`${name}.`)));
}
