// What a card of the chain is: one stage, with the numbers and the list that it is set by, as data.

import type { StageName } from "nucleus-sampler";
import type { SliderScale } from "../slider";

/** What stages are there for: the headings under "Add a stage". */
export type Group = "Keep fewer tokens" | "Reshape" | "Avoid repetition" | "Allow and forbid" | "Choose";

/** One number of a stage: typed, and on a slider over the same range. */
export interface NumberParameter {
  /** The engine's option, with a dot for nesting: "xtc.threshold". */
  readonly option: string;
  /** What it is called beside its field. */
  readonly title: string;
  readonly min: number;
  /** The largest value that slider and field accept; "vocabulary" is the number of tokens. */
  readonly max: number | "vocabulary";
  /** The value at which the stage does nothing, where this number has one. */
  readonly off?: number;
  /** The value that the card starts with. */
  readonly initial: number;
  /** Decimals that are always written; 0 means integers only. */
  readonly digits: number;
  /** The change that one arrow key makes, at least. */
  readonly step: number;
  readonly scale: SliderScale;
  /** Chosen from instead, where there are only these. */
  readonly choices?: readonly Choice[];
  /** Whether the end of the slider stands for all there is: Infinity here, and not given to the engine. */
  readonly hasAll?: boolean;
  /** Whether addresses of earlier days lack it. */
  readonly isLater?: boolean;
}

/** One of the few values that a number can have. */
export interface Choice {
  readonly value: number;
  readonly title: string;
  /** What the engine is given, and the address says, in place of the number. */
  readonly word?: string;
}

/** Tokens, tokens with a number each, or sequences of tokens. */
export interface ListParameter {
  readonly kind: "tokens" | "bias" | "sequences";
  readonly option: string;
  /** What the list is called above it; the card's title alone where there is none. */
  readonly title: string | null;
  /** What the field says in which something is looked for to be added. */
  readonly add: string;
  readonly hint?: string;
  /** What an empty list starts with when the card is added. */
  readonly start: "first token" | "first two" | "end of text" | "nothing";
}

/** What is set by a switch, numbers and a list: a stage, or something of the chain as a whole. */
export interface Settable {
  /** Its name in state and address. */
  readonly key: string;
  readonly title: string;
  /** Whether it is on the page before anybody adds it. */
  readonly shown: boolean;
  /** Whether it is on then. */
  readonly on: boolean;
  readonly numbers: readonly NumberParameter[];
  readonly list: ListParameter | null;
}

export interface Card extends Settable {
  /** The engine's name of the stage whose report the card shows. */
  readonly stage: StageName;
  /** What the stage does, in a few words: the line under "Add a stage". */
  readonly summary: string;
  /** The explanation one click away. */
  readonly explanation: string;
  readonly group: Group;
  /** Whether the stage looks at the tokens that came before. */
  readonly usesHistory: boolean;
  /** Whether the stage chooses the token: nothing can come after it, and there can be only one. */
  readonly isTerminal: boolean;
  /** The option that is true while the card is on, for a stage without a number. */
  readonly flag: string | null;
}

type Given = Pick<Card, "key" | "stage" | "title" | "summary" | "explanation" | "group"> & Partial<Card>;

/** A card with everything that is not said about it at its usual value. */
export function card(given: Given): Card {
  const usual = { shown: false, on: false, usesHistory: false, isTerminal: false };
  return { ...usual, numbers: [], list: null, flag: null, ...given };
}

type GivenNumber = Pick<NumberParameter, "option" | "title" | "max" | "initial"> & Partial<NumberParameter>;

/** A number with two decimals on a linear slider from 0, where nothing else is said. */
export function number(given: GivenNumber): NumberParameter {
  return { min: 0, digits: 2, step: 0.01, scale: { kind: "linear" }, ...given };
}

/** An integer. */
export function integer(given: GivenNumber): NumberParameter {
  return number({ digits: 0, step: 1, ...given });
}
