// The chain: the cards that are on the page in the order in which the stages run, and those that can be added.

import { CARDS, type Card } from "../chain/cards";
import type { Playground } from "../playground";
import { INITIAL_STATE, type Setting, settingOf, withSetting } from "../state";
import { HistoryCard } from "./history-card";
import { StageCard } from "./stage-card";

export function Chain({ playground }: { playground: Playground }) {
  const state = playground.state.value;
  const shown = CARDS.filter((card) => settingOf(state, card).shown);
  const lastWithHistory = shown.findLast((card) => card.usesHistory);
  const reset = (event: Event) => {
    playground.change({ ...playground.state.peek(), chain: INITIAL_STATE.chain }, { event, glide: true });
  };
  return (
    <section class="chain" aria-labelledby="chain-title">
      <div class="room-head">
        <h2 id="chain-title">Chain</h2>
        <button type="button" class="plain" onClick={reset}>
          reset
        </button>
      </div>
      {shown.map((card) => (
        <div key={card.key}>
          <StageCard playground={playground} card={card} />
          {card === lastWithHistory && <HistoryCard playground={playground} />}
        </div>
      ))}
      <AddStage playground={playground} cards={CARDS.filter((card) => !settingOf(state, card).shown)} />
    </section>
  );
}

function AddStage({ playground, cards }: { playground: Playground; cards: readonly Card[] }) {
  if (cards.length === 0) return null;
  const add = (card: Card, event: Event) => {
    const next = withSetting(playground.state.peek(), card, {
      shown: true,
      on: true,
      ...startOf(card, playground),
    });
    playground.change(next, { event, glide: true });
  };
  return (
    <details class="add-stage">
      <summary>Add a stage</summary>
      <ul>
        {cards.map((card) => (
          <li key={card.key}>
            <button type="button" onClick={(event) => add(card, event)}>
              <strong>{card.title}</strong> <span>{card.summary}</span>
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}

const FIRST_ALLOWED = 2;

/** A list of allowed tokens must not be empty: it starts with the first by rank. */
function startOf(card: Card, playground: Playground): Partial<Setting> {
  const order = playground.picture.peek()?.after.order;
  if (card.kind !== "tokens" || order === undefined) return {};
  if (settingOf(playground.state.peek(), card).entries.length > 0) return {};
  return { entries: [...order.subarray(0, FIRST_ALLOWED)].map((token) => [token, 0] as const) };
}
