// A stage's number: typed, and on a slider over the same range.

import type { NumberCard } from "../chain/cards";
import { largest, nudge, positionOf, SLIDER_STEPS, valueAt } from "../chain/slider";
import { formatSetting } from "../format";
import type { Playground } from "../playground";
import { settingOf, withSetting } from "../state";
import { NumberField } from "./number-field";

const KEY_STEPS: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowUp: 1,
  ArrowLeft: -1,
  ArrowDown: -1,
  PageUp: 10,
  PageDown: -10,
};

interface NumberSettingProps {
  readonly playground: Playground;
  readonly card: NumberCard;
}

export function NumberSetting({ playground, card }: NumberSettingProps) {
  const { value } = settingOf(playground.state.value, card);
  const size = playground.picture.value?.row.texts.size ?? 1;
  const give = (next: number, event: Event, glide = false) => {
    const state = withSetting(playground.state.peek(), card, { value: next });
    playground.change(state, { event, glide, ...(!glide && { gesture: card.key }) });
  };
  return (
    <>
      <NumberField
        label={card.title}
        value={value}
        min={card.min}
        max={largest(card, size)}
        digits={card.digits}
        onValue={(next, event) => give(next, event, true)}
        onNudge={(steps, event) => give(nudge(card, value, steps, size), event)}
      />
      <Slider card={card} value={value} size={size} onValue={give} />
    </>
  );
}

interface SliderProps {
  readonly card: NumberCard;
  readonly value: number;
  /** How many tokens the row has. */
  readonly size: number;
  onValue(value: number, event: Event): void;
}

function Slider({ card, value, size, onValue }: SliderProps) {
  const position = Math.round(positionOf(card, value, size) * SLIDER_STEPS);
  const onKeyDown = (event: KeyboardEvent) => {
    const steps = KEY_STEPS[event.key];
    if (steps !== undefined) onValue(nudge(card, value, steps, size), event);
    else if (event.key === "Home") onValue(card.min, event);
    else if (event.key === "End") onValue(largest(card, size), event);
    else return;
    event.preventDefault();
  };
  return (
    <span class="slider">
      <span class="track">
        <span class="fill" style={{ transform: `scaleX(${position / SLIDER_STEPS})` }} />
      </span>
      <input
        type="range"
        min={0}
        max={SLIDER_STEPS}
        step={1}
        value={position}
        aria-label={`${card.title}, slider`}
        aria-valuetext={formatSetting(value, card.digits)}
        onInput={(event) =>
          onValue(valueAt(card, Number(event.currentTarget.value) / SLIDER_STEPS, size), event)
        }
        onKeyDown={onKeyDown}
      />
    </span>
  );
}
