// A stage's number: typed, and on a slider over the same range.

import type { NumberCard } from "../chain/cards";
import { largest, nudge, positionOf, SLIDER_STEPS, valueAt } from "../chain/slider";
import { formatSetting } from "../format";
import type { Playground } from "../playground";
import { settingOf, withSetting } from "../state";
import { NumberField } from "./number-field";

interface NumberSettingProps {
  readonly playground: Playground;
  readonly card: NumberCard;
}

const KEY_STEPS: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowUp: 1,
  ArrowLeft: -1,
  ArrowDown: -1,
  PageUp: 10,
  PageDown: -10,
};

export function NumberSetting({ playground, card }: NumberSettingProps) {
  const { value } = settingOf(playground.state.value, card);
  const size = playground.picture.value?.row.texts.size ?? 1;
  const max = largest(card, size);
  const position = Math.round(positionOf(card, value, size) * SLIDER_STEPS);
  const give = (next: number, event: Event, glide = false) => {
    playground.change(withSetting(playground.state.peek(), card, { value: next }), { event, glide });
  };
  const step = (steps: number, event: Event) => give(nudge(card, value, steps, size), event);
  const onKeyDown = (event: KeyboardEvent) => {
    const steps = KEY_STEPS[event.key];
    if (steps !== undefined) step(steps, event);
    else if (event.key === "Home") give(card.min, event);
    else if (event.key === "End") give(max, event);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <NumberField
        label={card.title}
        value={value}
        min={card.min}
        max={max}
        digits={card.digits}
        onValue={(next, event) => give(next, event, true)}
        onNudge={step}
      />
      <span class="slider">
        <span class="track">
          <Fill share={position / SLIDER_STEPS} />
        </span>
        <input
          type="range"
          min={0}
          max={SLIDER_STEPS}
          step={1}
          value={position}
          aria-label={`${card.title}, slider`}
          aria-valuetext={formatSetting(value, card.digits)}
          onInput={(event) => give(valueAt(card, Number(event.currentTarget.value) / SLIDER_STEPS, size), event)}
          onKeyDown={onKeyDown}
        />
      </span>
    </>
  );
}

/** The filled part of a track; set through the element's style object, which the content policy allows. */
export function Fill({ share }: { share: number }) {
  return <span class="fill" style={{ transform: `scaleX(${share})` }} />;
}
