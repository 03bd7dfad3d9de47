// A state's chain as the engine's options, whole or only up to the stage whose input the curve shows.

import type { SamplerOptions } from "nucleus-sampler";
import type { State } from "../state";
import { numberOf, type Setting, settingOf } from "../state";
import {
  type Card,
  CURVE_STAGE,
  guard,
  leastKept,
  type NumberParameter,
  penaltyWindow,
  type Settable,
} from "./cards";
import { arrangement, isOwnOrder } from "./order";

export type ChainOptions = Omit<SamplerOptions, "seed" | "stream">;

/** The options of every stage that is switched on, and of the chain as a whole. */
export function chainOptions(state: State): ChainOptions {
  const options = optionsOf(state, arrangement(state));
  if (settingOf(state, guard).on) addNumbers(options, guard, settingOf(state, guard));
  return options;
}

/** The same chain without the curve's stage, everything after it, and the guard: what that stage is given. */
export function upstreamOptions(state: State): ChainOptions {
  const cards = arrangement(state);
  const end = cards.findIndex((card) => card.stage === CURVE_STAGE);
  return optionsOf(state, cards.slice(0, end));
}

type Given = Record<string, unknown>;

/** With the preset, where it is not the engine's own, and the order, where it is not the preset's. */
function optionsOf(state: State, cards: readonly Card[]): Given {
  const on = cards.filter((card) => settingOf(state, card).on);
  const options: Given = {};
  for (const card of on) addOptions(options, card, settingOf(state, card));
  for (const whole of [leastKept, penaltyWindow]) addWhole(options, state, whole);
  if (state.preset !== "nucleus") options.preset = state.preset;
  // Nothing but an order says that the chain ends in greedy.
  if (!isOwnOrder(state, on) || on.some(({ key }) => key === "greedy"))
    options.order = on.map(({ stage }) => stage);
  return options;
}

function addOptions(options: Given, card: Card, setting: Setting): void {
  addNumbers(options, card, setting);
  if (card.flag !== null) put(options, card.flag, true);
  if (card.list === null) return;
  const { kind, option } = card.list;
  const ids = setting.entries.map(([token]) => token);
  const values = { tokens: ids, bias: setting.entries, sequences: setting.sequences };
  put(options, option, values[kind]);
}

function addNumbers(options: Given, card: Settable, setting: Setting): void {
  card.numbers.forEach((parameter, i) => {
    const value = numberOf(setting, card, i);
    if (value !== Infinity) put(options, parameter.option, given(parameter, value));
  });
}

/** What is set for the whole chain, where it is not what the engine does anyway. */
function addWhole(options: Given, state: State, whole: Settable): void {
  const setting = settingOf(state, whole);
  const isUsual = whole.numbers.every(({ initial }, i) => numberOf(setting, whole, i) === initial);
  if (!isUsual) addNumbers(options, whole, setting);
}

function given({ choices }: NumberParameter, value: number): number | string {
  return choices?.find((choice) => choice.value === value)?.word ?? value;
}

/** Sets an option; a dot in its name leads into a group. */
function put(options: Given, path: string, value: unknown): void {
  const [name = path, ...rest] = path.split(".");
  if (rest.length === 0) {
    options[name] = value;
    return;
  }
  const group: unknown = options[name];
  const inner: Given = typeof group === "object" ? { ...group } : {};
  put(inner, rest.join("."), value);
  options[name] = inner;
}
