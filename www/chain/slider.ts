// Slider positions in [0, 1] to values and back, on the scale that suits a setting.

import type { NumberCard } from "./cards";

export type SliderScale =
  | { readonly kind: "linear" }
  /** Even factors; where the range starts at 0, even factors of value + 1. */
  | { readonly kind: "log" }
  /** value = max * position ^ exponent: fine steps near 0. The range starts at 0. */
  | { readonly kind: "power"; readonly exponent: number };

/** The steps of a slider from one end to the other. */
export const SLIDER_STEPS = 400;

/** The largest value a card accepts for a row of `vocabSize` tokens. */
export function largest(card: NumberCard, vocabSize: number): number {
  return card.max === "vocabulary" ? vocabSize : card.max;
}

/** The value at a slider position, rounded to the card's steps. */
export function valueAt(card: NumberCard, position: number, vocabSize: number): number {
  const max = largest(card, vocabSize);
  return tidy(card, rawValue(card, position, max), max);
}

function rawValue({ scale, min }: NumberCard, position: number, max: number): number {
  if (scale.kind === "linear") return min + (max - min) * position;
  if (scale.kind === "power") return max * position ** scale.exponent;
  const shift = min > 0 ? 0 : 1;
  return (min + shift) * ((max + shift) / (min + shift)) ** position - shift;
}

/** The slider position of a value, in [0, 1]; a value beyond the range stands at its end. */
export function positionOf(card: NumberCard, value: number, vocabSize: number): number {
  const max = largest(card, vocabSize);
  const inside = Math.min(max, Math.max(card.min, value));
  const { scale, min } = card;
  if (max <= min) return 0;
  if (scale.kind === "linear") return (inside - min) / (max - min);
  if (scale.kind === "power") return (inside / max) ** (1 / scale.exponent);
  const shift = min > 0 ? 0 : 1;
  return Math.log((inside + shift) / (min + shift)) / Math.log((max + shift) / (min + shift));
}

/** The value after `steps` arrow keys: along the slider, but by one step of the card at least. */
export function nudge(card: NumberCard, value: number, steps: number, vocabSize: number): number {
  const max = largest(card, vocabSize);
  const along = valueAt(card, positionOf(card, value, vocabSize) + steps / 100, vocabSize);
  const least = value + Math.sign(steps) * card.step;
  const next = steps > 0 ? Math.max(along, least) : Math.min(along, least);
  return tidy(card, next, max);
}

/** Rounded to the card's step and held inside its range. */
function tidy(card: NumberCard, value: number, max: number): number {
  const rounded = Math.round(value / card.step) * card.step;
  return Math.min(max, Math.max(card.min, Number(rounded.toFixed(6))));
}
