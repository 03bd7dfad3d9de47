// One of a stage's numbers: typed, and on a slider over the same range; or chosen, where there are only a few.

import type { NumberParameter, Settable } from "../chain/cards";
import { furthest, largest, nudge, positionOf, SLIDER_STEPS, valueAt } from "../chain/slider";
import { formatSetting } from "../format";
import type { Playground } from "../playground";
import { numberOf, settingOf, withNumber } from "../state";
import { Choice } from "./choice";
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
  readonly card: Settable;
  /** Which of the card's numbers. */
  readonly i: number;
}

/** A number in a line of its own, with its name. */
export function NumberLine(props: NumberSettingProps) {
  const { playground, card, i } = props;
  const parameter = card.numbers[i];
  if (parameter === undefined) return null;
  const { choices, title } = parameter;
  if (choices === undefined) {
    return (
      <div class="number-line">
        <span class="number-name">{title}</span>
        <NumberSetting {...props} />
      </div>
    );
  }
  const value = numberOf(settingOf(playground.state.value, card), card, i);
  const choose = (chosen: string, event: Event) => {
    const next = choices.find((choice) => choice.title === chosen)?.value ?? value;
    playground.change(withNumber(playground.state.peek(), card, i, next), { event, glide: true });
  };
  return (
    <Choice
      label={title}
      options={choices.map((choice) => choice.title)}
      chosen={choices.find((choice) => choice.value === value)?.title ?? ""}
      onChoose={choose}
    />
  );
}

/** The field and the slider of a number. */
export function NumberSetting({ playground, card, i }: NumberSettingProps) {
  const parameter = card.numbers[i];
  if (parameter === undefined) return null;
  const value = numberOf(settingOf(playground.state.value, card), card, i);
  const size = playground.picture.value?.row.texts.size ?? 1;
  const label = card.numbers.length === 1 ? card.title : `${card.title}, ${parameter.title}`;
  const give = (next: number, event: Event, glide = false) => {
    const state = withNumber(playground.state.peek(), card, i, next);
    playground.change(state, { event, glide, ...(!glide && { gesture: parameter.option }) });
  };
  return (
    <>
      <NumberField
        label={label}
        value={value}
        min={parameter.min}
        max={largest(parameter, size)}
        digits={parameter.digits}
        allowsAll={parameter.hasAll === true}
        onValue={(next, event) => give(next, event, true)}
        onNudge={(steps, event) => give(nudge(parameter, value, steps, size), event)}
      />
      <Slider label={`${label}, slider`} parameter={parameter} value={value} size={size} onValue={give} />
    </>
  );
}

interface SliderProps {
  readonly label: string;
  readonly parameter: NumberParameter;
  readonly value: number;
  /** How many tokens the row has. */
  readonly size: number;
  onValue(value: number, event: Event): void;
}

function Slider({ label, parameter, value, size, onValue }: SliderProps) {
  const position = Math.round(positionOf(parameter, value, size) * SLIDER_STEPS);
  const onKeyDown = (event: KeyboardEvent) => {
    const steps = KEY_STEPS[event.key];
    if (steps !== undefined) onValue(nudge(parameter, value, steps, size), event);
    else if (event.key === "Home") onValue(parameter.min, event);
    else if (event.key === "End") onValue(furthest(parameter, size), event);
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
        aria-label={label}
        aria-valuetext={formatSetting(value, parameter.digits)}
        onInput={(event) =>
          onValue(valueAt(parameter, Number(event.currentTarget.value) / SLIDER_STEPS, size), event)
        }
        onKeyDown={onKeyDown}
      />
    </span>
  );
}
