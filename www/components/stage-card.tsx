// One stage of the chain: a switch, its settings, and what it did to the tokens that reached it.

import { useId, useState } from "preact/hooks";
import type { Card } from "../chain/cards";
import type { Playground } from "../playground";
import { inSentence } from "../sentences";
import { settingOf } from "../state";
import { CardProblem } from "./card-problem";
import { NumberLine, NumberSetting } from "./number-setting";
import { SequenceSetting } from "./sequence-setting";
import { EXTRAS } from "./stage-extra";
import { StageResult } from "./stage-result";
import { TokenSetting } from "./token-setting";

export interface CardProps {
  readonly playground: Playground;
  readonly card: Card;
}

/** What the chain does with a card: turns it on or off, moves it one place, or takes it off the page. */
export interface CardActions {
  turn(card: Card, isOn: boolean, event: Event): void;
  move(card: Card, by: number, event: Event): void;
  remove(card: Card, event: Event): void;
}

export function StageCard({ playground, card, actions }: CardProps & { readonly actions: CardActions }) {
  const { on } = settingOf(playground.state.value, card);
  const [explained, setExplained] = useState(false);
  const id = useId();
  const hasOneNumber = card.numbers.length === 1;
  return (
    <section class={`card ${on ? "on" : "off"}`} aria-labelledby={`${id}-title`}>
      <div class={on && hasOneNumber ? "card-head" : "card-head bare"}>
        <Switch on={on} card={card} actions={actions} id={`${id}-title`} />
        <button
          type="button"
          class="plain"
          aria-label={`what ${inSentence(card.title)} does`}
          aria-expanded={explained}
          aria-controls={`${id}-why`}
          onClick={() => setExplained(!explained)}
        >
          ?
        </button>
        {!on && <span class="card-off">off</span>}
        {on && hasOneNumber && <NumberSetting playground={playground} card={card} i={0} />}
      </div>
      <div id={`${id}-why`} class="explanation" hidden={!explained}>
        <p>{card.explanation}</p>
        <Actions card={card} actions={actions} />
      </div>
      {on && <Settings playground={playground} card={card} />}
      <div class="card-foot">
        {on && <StageResult playground={playground} card={card} />}
        {!card.shown && <Remove card={card} actions={actions} />}
      </div>
      <CardProblem playground={playground} card={card} />
    </section>
  );
}

/** The settings under a card's head: all but a single number, which stands beside the title. */
function Settings({ playground, card }: CardProps) {
  const Extra = EXTRAS[card.key];
  const { list, numbers } = card;
  const of = { playground, card };
  return (
    <>
      {numbers.length > 1 && numbers.map(({ option }, i) => <NumberLine key={option} {...of} i={i} />)}
      {list?.kind === "sequences" && <SequenceSetting {...of} list={list} />}
      {(list?.kind === "tokens" || list?.kind === "bias") && <TokenSetting {...of} list={list} />}
      {Extra !== undefined && <Extra playground={playground} />}
    </>
  );
}

interface ActionsProps {
  readonly card: Card;
  readonly actions: CardActions;
}

function Switch({ on, card, actions, id }: ActionsProps & { readonly on: boolean; readonly id: string }) {
  return (
    <label class="switch">
      <input
        type="checkbox"
        role="switch"
        aria-checked={on}
        checked={on}
        onChange={(event) => actions.turn(card, event.currentTarget.checked, event)}
      />
      <span id={id} class="card-title">
        {card.title}
      </span>
    </label>
  );
}

/** The ways to move and remove a card that need no dragging. */
function Actions({ card, actions }: ActionsProps) {
  return (
    <p class="card-actions">
      <button
        type="button"
        class="plain"
        aria-label={`move up: ${card.title}`}
        onClick={(event) => actions.move(card, -1, event)}
      >
        move up
      </button>
      <button
        type="button"
        class="plain"
        aria-label={`move down: ${card.title}`}
        onClick={(event) => actions.move(card, 1, event)}
      >
        move down
      </button>
      {card.shown && <Remove card={card} actions={actions} />}
    </p>
  );
}

function Remove({ card, actions }: ActionsProps) {
  return (
    <button
      type="button"
      class="plain"
      aria-label={`remove ${card.title}`}
      onClick={(event) => actions.remove(card, event)}
    >
      remove
    </button>
  );
}
