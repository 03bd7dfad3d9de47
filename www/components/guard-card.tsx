// The guard: what it does when stages cut too hard, and whether it does so in what is shown.

import { useId, useState } from "preact/hooks";
import { GUARD_EXPLANATION, GUARD_POLICIES, guard, MAX_STEPS } from "../chain/cards";
import { guardStatus, tripsSoFar } from "../guarding";
import type { Playground } from "../playground";
import { numberOf, settingOf, withSetting } from "../state";
import { NumberLine } from "./number-setting";

interface GuardCardProps {
  readonly playground: Playground;
}

export function GuardCard({ playground }: GuardCardProps) {
  const [explained, setExplained] = useState(false);
  const id = useId();
  const setting = settingOf(playground.state.value, guard);
  return (
    <section class={`card ${setting.on ? "on" : "off"}`} aria-labelledby={`${id}-title`}>
      <div class="card-head bare">
        <Switch playground={playground} id={`${id}-title`} />
        <button
          type="button"
          class="plain"
          aria-label="what the guard does"
          aria-expanded={explained}
          aria-controls={`${id}-why`}
          onClick={() => setExplained(!explained)}
        >
          ?
        </button>
        {!setting.on && <span class="card-off">off</span>}
      </div>
      <div id={`${id}-why`} class="explanation" hidden={!explained}>
        <p>{GUARD_EXPLANATION}</p>
      </div>
      {setting.on && <Numbers playground={playground} />}
      {setting.on && <Status playground={playground} />}
    </section>
  );
}

function Switch({ playground, id }: GuardCardProps & { readonly id: string }) {
  const { on } = settingOf(playground.state.value, guard);
  const turn = (isOn: boolean, event: Event) =>
    playground.change(withSetting(playground.state.peek(), guard, { on: isOn }), { event, glide: true });
  return (
    <label class="switch">
      <input
        type="checkbox"
        role="switch"
        aria-checked={on}
        checked={on}
        onChange={(event) => turn(event.currentTarget.checked, event)}
      />
      <span id={id} class="card-title">
        {guard.title}
      </span>
    </label>
  );
}

/** Its numbers; how many steps `relax` may take is of no interest to the other policies. */
function Numbers({ playground }: GuardCardProps) {
  const policy = numberOf(settingOf(playground.state.value, guard), guard, 0);
  const relaxes = policy === GUARD_POLICIES[0].value;
  return (
    <>
      {guard.numbers.map(({ option }, i) =>
        i === MAX_STEPS && !relaxes ? null : (
          <NumberLine key={option} playground={playground} card={guard} i={i} />
        ),
      )}
    </>
  );
}

function Status({ playground }: GuardCardProps) {
  const picture = playground.picture.value;
  if (picture === null) return null;
  const soFar = tripsSoFar(picture.after);
  const forget = (event: Event) => {
    const state = playground.state.peek();
    const controllers = { ...state.controllers, breaker: null };
    playground.change({ ...state, controllers }, { event, glide: true });
  };
  return (
    <>
      <p class="result" role="status">
        {guardStatus(picture, playground.problem.value)}
      </p>
      {soFar !== null && (
        <p class="hint">
          {soFar}.{" "}
          <button type="button" class="plain" onClick={forget}>
            start over
          </button>
        </p>
      )}
    </>
  );
}
