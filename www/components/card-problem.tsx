// The engine's objection to a card's setting, in its own sentence.

import type { Card } from "../chain/cards";
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
  if (card.key === "greedy") return false;
  if (option === null || option === "order") return card.stage === stage;
  const own = [...card.numbers.map((number) => number.option), card.list?.option, card.flag];
  return own.some((name) => typeof name === "string" && (name === option || option.startsWith(`${name}.`)));
}
