// One stage of the chain: a switch, its setting, and what it did to the tokens that reached it.

import { useId, useState } from "preact/hooks";
import type { Card } from "../chain/cards";
import type { Stage } from "../engine/protocol";
import { formatBits, formatCount, formatPercent } from "../format";
import type { Playground } from "../playground";
import { settingOf, withSetting } from "../state";
import { NumberSetting } from "./number-setting";
import { TokenSetting } from "./token-setting";

export interface CardProps {
  readonly playground: Playground;
  readonly card: Card;
}

export function StageCard({ playground, card }: CardProps) {
  const setting = settingOf(playground.state.value, card);
  const [explained, setExplained] = useState(false);
  const id = useId();
  const change = (on: boolean, event: Event) => {
    playground.change(withSetting(playground.state.peek(), card, { on }), { event, glide: true });
  };
  const remove = (event: Event) => {
    const next = withSetting(playground.state.peek(), card, { on: false, shown: false });
    playground.change(next, { event, glide: true });
  };
  return (
    <section class={`card ${setting.on ? "on" : "off"}`} aria-labelledby={`${id}-title`}>
      <div class="card-head">
        <label class="switch">
          <input
            type="checkbox"
            role="switch"
            checked={setting.on}
            onChange={(event) => change(event.currentTarget.checked, event)}
          />
          <span id={`${id}-title`} class="card-title">
            {card.title}
          </span>
        </label>
        <button
          type="button"
          class="plain"
          aria-label={`what ${card.title.toLowerCase()} does`}
          aria-expanded={explained}
          aria-controls={`${id}-why`}
          onClick={() => setExplained(!explained)}
        >
          ?
        </button>
        {!card.shown && (
          <button type="button" class="plain" aria-label={`remove ${card.title}`} onClick={remove}>
            ×
          </button>
        )}
        {!setting.on && <span class="card-off">off</span>}
        {setting.on && card.kind === "number" && <NumberSetting playground={playground} card={card} />}
      </div>
      <p id={`${id}-why`} class="explanation" hidden={!explained}>
        {card.explanation}
      </p>
      {setting.on && (card.kind === "tokens" || card.kind === "bias") && (
        <TokenSetting playground={playground} card={card} />
      )}
      {setting.on && <StageResult playground={playground} card={card} />}
      <CardProblem playground={playground} card={card} />
    </section>
  );
}

/** What the stage did: tokens, mass and entropy, before and after. */
function StageResult({ playground, card }: CardProps) {
  const picture = playground.picture.value;
  const stage = picture?.after.stages.find(({ name }) => name === card.stage);
  if (stage === undefined || picture === null) return null;
  const isGreedy = picture.state.chain.greedy?.on === true;
  if (card.key === "temperature" && isGreedy) return <p class="result">greedy is on: taken as 0</p>;
  if (!stage.active) return <p class="result">entropy {formatBits(stage.entropyAfter)} bits, unchanged</p>;
  return (
    <ul class="result">
      {removes(stage) && (
        <li>
          {formatCount(stage.keptBefore)} → {formatCount(stage.keptAfter)} tokens
        </li>
      )}
      {removes(stage) && <li>removes {formatPercent(stage.massRemoved)} of the mass</li>}
      <li>
        entropy {formatBits(stage.entropyBefore)} → {formatBits(stage.entropyAfter)} bits
      </li>
    </ul>
  );
}

function removes(stage: Stage): boolean {
  return stage.keptAfter < stage.keptBefore;
}

/** The engine's objection to this card's setting, in its own sentence. */
function CardProblem({ playground, card }: CardProps) {
  const problem = playground.problem.value;
  const isMine = problem !== null && cardOfProblem(card, problem.option, problem.stage);
  return <p class="message" role="status">{isMine ? problem.message : null}</p>;
}

export function cardOfProblem(card: Card, option: string | null, stage: string | null): boolean {
  if (option !== null) return card.kind !== "switch" && card.option === option;
  return stage !== null && card.kind !== "switch" && card.stage === stage;
}
