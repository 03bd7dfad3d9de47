// Slider positions in [0, 1] to values and back, on the scale that suits a setting.

import type { NumberParameter } from "./cards";

export type SliderScale =
  | { readonly kind: "linear" }
  /** Even factors; where the range starts at 0, even factors of value + 1. */
  | { readonly kind: "log" }
  /** value = max * position ^ exponent: fine steps near 0. The range starts at 0. */
  | { readonly kind: "power"; readonly exponent: number };

/** The steps of a slider from one end to the other. */
export const SLIDER_STEPS = 400;

/** The largest value a number accepts for a row of `vocabSize` tokens. */
export function largest(parameter: NumberParameter, vocabSize: number): number {
  return parameter.max === "vocabulary" ? vocabSize : parameter.max;
}

/** The largest value a slider reaches: Infinity where its end stands for all. */
export function furthest(parameter: NumberParameter, vocabSize: number): number {
  return parameter.hasAll === true ? Infinity : largest(parameter, vocabSize);
}

/** The part of a slider before the stretch that stands for all. */
const BEFORE_ALL = 0.97;

/** The value at a slider position, rounded to its steps. */
export function valueAt(parameter: NumberParameter, position: number, vocabSize: number): number {
  const max = largest(parameter, vocabSize);
  if (parameter.hasAll !== true) return tidy(parameter, rawValue(parameter, position, max), max);
  if (position > BEFORE_ALL) return Infinity;
  return tidy(parameter, rawValue(parameter, position / BEFORE_ALL, max), max);
}

function rawValue({ scale, min }: NumberParameter, position: number, max: number): number {
  if (scale.kind === "linear") return min + (max - min) * position;
  if (scale.kind === "power") return max * position ** scale.exponent;
  const shift = min > 0 ? 0 : 1;
  return (min + shift) * ((max + shift) / (min + shift)) ** position - shift;
}

/** The slider position of a value, in [0, 1]; a value beyond the range stands at its end. */
export function positionOf(parameter: NumberParameter, value: number, vocabSize: number): number {
  if (parameter.hasAll !== true) return placeOf(parameter, value, vocabSize);
  return value === Infinity ? 1 : placeOf(parameter, value, vocabSize) * BEFORE_ALL;
}

function placeOf(parameter: NumberParameter, value: number, vocabSize: number): number {
  const max = largest(parameter, vocabSize);
  const inside = Math.min(max, Math.max(parameter.min, value));
  const { scale, min } = parameter;
  if (max <= min) return 0;
  if (scale.kind === "linear") return (inside - min) / (max - min);
  if (scale.kind === "power") return (inside / max) ** (1 / scale.exponent);
  const shift = min > 0 ? 0 : 1;
  return Math.log((inside + shift) / (min + shift)) / Math.log((max + shift) / (min + shift));
}

/** The value after `steps` arrow keys: along the slider, but by one of its steps at least. */
export function nudge(parameter: NumberParameter, value: number, steps: number, vocabSize: number): number {
  const max = largest(parameter, vocabSize);
  if (parameter.hasAll === true && steps > 0 && value >= max) return Infinity;
  if (value === Infinity) return steps < 0 ? max : value;
  const along = valueAt(parameter, positionOf(parameter, value, vocabSize) + steps / 100, vocabSize);
  const least = value + Math.sign(steps) * parameter.step;
  const next = steps > 0 ? Math.min(max, Math.max(along, least)) : Math.min(along, least);
  return tidy(parameter, next, max);
}

/** Rounded to its step and held inside its range. */
function tidy(parameter: NumberParameter, value: number, max: number): number {
  const rounded = Math.round(value / parameter.step) * parameter.step;
  return Math.min(max, Math.max(parameter.min, Number(rounded.toFixed(6))));
}
