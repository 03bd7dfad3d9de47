// What a stage did to the tokens that reached it: tokens, mass and entropy, and where its bar stands.

import type { StageReport } from "nucleus-sampler";
import { type Card, cardOf } from "../chain/cards";
import { formatBits, formatCount, formatPercent, formatTokens } from "../format";
import { leftOut, relaxedBy } from "../guarding";
import { noteOf } from "../notes";
import type { Picture, Playground } from "../playground";
import { numberOf, settingOf } from "../state";

interface StageResultProps {
  readonly playground: Playground;
  readonly card: Card;
}

export function StageResult({ playground, card }: StageResultProps) {
  const picture = playground.picture.value;
  if (picture === null) return null;
  const instead = insteadOf(picture, card);
  if (instead !== null) return <p class="result">{instead}</p>;
  const stage = picture.after.stages.find(({ name }) => name === card.stage);
  const out = leftOut(picture, card.stage);
  if (out !== null && stage?.active !== true) return <p class="result">{out}</p>;
  if (stage === undefined) return null;
  if (!stage.active) return <p class="result">entropy {formatBits(stage.entropyAfter)} bits, unchanged</p>;
  const by = relaxedBy(picture, card.stage);
  const mirostat = cardOf("mirostat");
  const note = noteOf(stage, numberOf(settingOf(picture.state, mirostat), mirostat, 0));
  return (
    <ul class="result">
      {removes(stage) && (
        <li>
          {formatCount(stage.keptBefore)} → {formatTokens(stage.keptAfter)}
        </li>
      )}
      {removes(stage) && <li>removes {formatPercent(stage.massRemoved)} of the mass</li>}
      {isIdle(stage) ? (
        <li>changes nothing here</li>
      ) : (
        <li>
          entropy {formatBits(stage.entropyBefore)} → {formatBits(stage.entropyAfter)} bits
        </li>
      )}
      {note !== null && <li>{note}</li>}
      {by !== null && <li>{by}</li>}
    </ul>
  );
}

/** What is said of a temperature that another card sets, or null. */
function insteadOf({ after }: Picture, { stage }: Card): string | null {
  if (stage !== "temperature") return null;
  const isReplaced = after.stages.some(({ name, active }) => name === "dynamic_temperature" && active);
  return isReplaced ? "the middle of dynamic temperature" : null;
}

function removes(stage: StageReport): boolean {
  return stage.keptAfter < stage.keptBefore;
}

/** Whether a stage found nothing to do; a temperature of one's own choice may leave the entropy as it is, too. */
function isIdle(stage: StageReport): boolean {
  return !removes(stage) && stage.entropyBefore === stage.entropyAfter;
}
