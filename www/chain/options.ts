// A state's chain as the engine's options, whole or only up to the stage whose input the curve shows.

import type { SamplerOptions, StageName } from "nucleus-sampler";
import type { Setting, State } from "../state";
import { numberOf, settingOf } from "../state";
import { type Card, CURVE_STAGE } from "./cards";
import { arrangement, isUsual } from "./order";

export type ChainOptions = Omit<SamplerOptions, "preset" | "seed" | "stream">;

/** The options of every stage that is switched on; with the order, where it is not the engine's own. */
export function chainOptions(state: State): ChainOptions {
  return optionsOf(state, arrangement(state));
}

/** The same chain without the curve's stage and everything after it: what that stage is given. */
export function upstreamOptions(state: State): ChainOptions {
  const cards = arrangement(state);
  const end = cards.findIndex((card) => card.stage === CURVE_STAGE);
  return optionsOf(state, cards.slice(0, end));
}

function optionsOf(state: State, cards: readonly Card[]): ChainOptions {
  const on = cards.filter((card) => settingOf(state, card).on);
  const options: Record<string, unknown> = {};
  for (const card of on) addOptions(options, card, settingOf(state, card));
  const isGreedy = on.some(({ key }) => key === "greedy");
  if (isGreedy) options.temperature = 0;
  if (!isUsual(on)) options.order = orderOf(on);
  return options;
}

function addOptions(options: Record<string, unknown>, card: Card, setting: Setting): void {
  card.numbers.forEach(({ option }, i) => {
    put(options, option, numberOf(setting, card, i));
  });
  if (card.flag !== null) put(options, card.flag, true);
  if (card.list === null) return;
  const { kind, option } = card.list;
  if (kind === "bias") put(options, option, setting.entries);
  else if (kind === "sequences") put(options, option, setting.sequences);
  else
    put(
      options,
      option,
      setting.entries.map(([token]) => token),
    );
}

/** Sets an option; a dot in its name leads into a group. */
function put(options: Record<string, unknown>, path: string, value: unknown): void {
  const [name = path, inner] = path.split(".");
  const group: unknown = options[name];
  options[name] =
    inner === undefined ? value : { ...(typeof group === "object" ? group : {}), [inner]: value };
}

/** The stages to run. Greedy is temperature 0: a chain without a temperature gets one for it. */
function orderOf(on: readonly Card[]): StageName[] {
  const needsTemperature = ({ key }: Card) =>
    key !== "greedy" || !on.some((card) => card.key === "temperature");
  return on.filter(needsTemperature).map(({ stage }) => stage);
}
