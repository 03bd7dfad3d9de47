// What is set for the chain as a whole, folded away until somebody wants it.

import { guard, leastKept } from "../chain/cards";
import { isTrip } from "../guarding";
import type { Playground } from "../playground";
import { numberOf, settingOf } from "../state";
import { isProblemOfWhole } from "./card-problem";
import { GuardCard } from "./guard-card";
import { NumberLine } from "./number-setting";

interface ChainSettingsProps {
  readonly playground: Playground;
}

export function ChainSettings({ playground }: ChainSettingsProps) {
  const problem = playground.problem.value;
  return (
    <details class="chain-settings">
      <summary>
        Chain settings <span class="quiet">{inShort(playground)}</span>
      </summary>
      <section class="card on" aria-label="What every cut keeps">
        <NumberLine playground={playground} card={leastKept} i={0} />
        <p class="hint">No stage that cuts leaves fewer.</p>
        <p class="message" role="status">
          {problem !== null && isProblemOfWhole(problem.option) ? problem.message : null}
        </p>
      </section>
      <GuardCard playground={playground} />
    </details>
  );
}

/** What is set and what has happened, where it is not the usual. */
function inShort(playground: Playground): string {
  const state = playground.state.value;
  const least = numberOf(settingOf(state, leastKept), leastKept, 0);
  const parts = least > 1 ? [`at least ${least} kept`] : [];
  if (settingOf(state, guard).on) parts.push(guardInShort(playground));
  return parts.join(", ");
}

function guardInShort({ picture, problem }: Playground): string {
  const after = picture.value?.after;
  const objection = problem.value;
  if (after?.breaker.isOpen === true) return "breaker open";
  const isTripped = (after?.trip ?? null) !== null || (objection !== null && isTrip(objection));
  return isTripped ? "guard tripped" : "guard on";
}
