// One stage of the chain: a switch, its setting, and what it did to the tokens that reached it.

import type { StageReport } from "nucleus-sampler";
import { useId, useState } from "preact/hooks";
import type { Card } from "../chain/cards";
import { formatBits, formatCount, formatPercent, formatTokens } from "../format";
import type { Playground } from "../playground";
import { type Setting, settingOf, withSetting } from "../state";
import { NumberSetting } from "./number-setting";
import { TokenSetting } from "./token-setting";

export interface CardProps {
  readonly playground: Playground;
  readonly card: Card;
}

export function StageCard({ playground, card }: CardProps) {
  const { on } = settingOf(playground.state.value, card);
  const [explained, setExplained] = useState(false);
  const id = useId();
  return (
    <section class={`card ${on ? "on" : "off"}`} aria-labelledby={`${id}-title`}>
      <div class="card-head">
        <Switch playground={playground} card={card} id={`${id}-title`} />
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
        {!on && <span class="card-off">off</span>}
        {on && card.kind === "number" && <NumberSetting playground={playground} card={card} />}
      </div>
      <p id={`${id}-why`} class="explanation" hidden={!explained}>
        {card.explanation}
      </p>
      {on && (card.kind === "tokens" || card.kind === "bias") && (
        <TokenSetting playground={playground} card={card} />
      )}
      <div class="card-foot">
        {on && <StageResult playground={playground} card={card} />}
        {!card.shown && <Remove playground={playground} card={card} />}
      </div>
      <CardProblem playground={playground} card={card} />
    </section>
  );
}

function give({ playground, card }: CardProps, change: Partial<Setting>, event: Event): void {
  playground.change(withSetting(playground.state.peek(), card, change), { event, glide: true });
}

function Switch({ playground, card, id }: CardProps & { readonly id: string }) {
  const { on } = settingOf(playground.state.value, card);
  return (
    <label class="switch">
      <input
        type="checkbox"
        role="switch"
        aria-checked={on}
        checked={on}
        onChange={(event) => give({ playground, card }, { on: event.currentTarget.checked }, event)}
      />
      <span id={id} class="card-title">
        {card.title}
      </span>
    </label>
  );
}

function Remove({ playground, card }: CardProps) {
  return (
    <button
      type="button"
      class="plain"
      aria-label={`remove ${card.title}`}
      onClick={(event) => give({ playground, card }, { on: false, shown: false }, event)}
    >
      remove
    </button>
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
          {formatCount(stage.keptBefore)} → {formatTokens(stage.keptAfter)}
        </li>
      )}
      {removes(stage) && <li>removes {formatPercent(stage.massRemoved)} of the mass</li>}
      <li>
        entropy {formatBits(stage.entropyBefore)} → {formatBits(stage.entropyAfter)} bits
      </li>
    </ul>
  );
}

function removes(stage: StageReport): boolean {
  return stage.keptAfter < stage.keptBefore;
}

/** The engine's objection to this card's setting, in its own sentence. */
function CardProblem({ playground, card }: CardProps) {
  const problem = playground.problem.value;
  const isMine = problem !== null && cardOfProblem(card, problem.option, problem.stage);
  return (
    <p class="message" role="status">
      {isMine ? problem.message : null}
    </p>
  );
}

export function cardOfProblem(card: Card, option: string | null, stage: string | null): boolean {
  if (card.kind === "switch") return false;
  return option === null ? card.stage === stage : card.option === option;
}
