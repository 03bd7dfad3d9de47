// The stages that the page shows as cards, in the order in which the engine runs them: one row a stage.

import type { StageName } from "nucleus-sampler";
import type { SliderScale } from "./slider";

export type NumberOption =
  | "temperature"
  | "topK"
  | "topP"
  | "minP"
  | "repetitionPenalty"
  | "frequencyPenalty"
  | "presencePenalty";

interface CardBase {
  /** The card's name in state and address. */
  readonly key: string;
  /** The engine's name of the stage whose report the card shows. */
  readonly stage: StageName;
  readonly title: string;
  /** What the stage does, in a few words: the line under "add a stage". */
  readonly summary: string;
  /** The explanation one click away. */
  readonly explanation: string;
  /** Whether the card is on the page before anybody adds it. */
  readonly shown: boolean;
  /** Whether the stage looks at the tokens that came before. */
  readonly usesHistory?: boolean;
}

/** A stage set by one number. */
export interface NumberCard extends CardBase {
  readonly kind: "number";
  readonly option: NumberOption;
  readonly min: number;
  /** The largest value that slider and field accept; "vocabulary" is the number of tokens. */
  readonly max: number | "vocabulary";
  /** The value at which the stage does nothing. */
  readonly off: number;
  /** The value that the card starts with. */
  readonly initial: number;
  readonly on: boolean;
  /** Decimals that are always written; 0 means integers only. */
  readonly digits: number;
  /** The change that one arrow key makes, at least. */
  readonly step: number;
  readonly scale: SliderScale;
}

/** A stage set by a list of tokens. */
export interface TokensCard extends CardBase {
  readonly kind: "tokens";
  readonly option: "allowedTokens";
}

/** A stage set by a number for each of some tokens. */
export interface BiasCard extends CardBase {
  readonly kind: "bias";
  readonly option: "logitBias";
}

/** A stage that is only on or off. */
export interface SwitchCard extends CardBase {
  readonly kind: "switch";
}

export type Card = NumberCard | TokensCard | BiasCard | SwitchCard;

const linear: SliderScale = { kind: "linear" };

/** What the penalties share that are subtracted from a logit. */
const subtracted = {
  shown: false,
  usesHistory: true,
  min: -2,
  max: 2,
  off: 0,
  initial: 0.5,
  on: false,
  digits: 2,
  step: 0.01,
  scale: linear,
} satisfies Partial<NumberCard>;

export const CARDS: readonly Card[] = [
  {
    kind: "bias",
    key: "logitBias",
    stage: "logit_bias",
    option: "logitBias",
    title: "Logit bias",
    summary: "adds a number to the logits of chosen tokens",
    explanation:
      "Adds a number of your choice to a token's logit before anything else looks at it. Plus 1 makes a token 2.7 times as likely against every other; minus infinity forbids it.",
    shown: false,
  },
  {
    kind: "tokens",
    key: "allowedTokens",
    stage: "allowed_tokens",
    option: "allowedTokens",
    title: "Allowed tokens",
    summary: "forbids every token that is not on a list",
    explanation:
      "Only the tokens on the list can be drawn; all others are removed, however likely. This is how answers are held to a choice, for example yes or no.",
    shown: false,
  },
  {
    kind: "number",
    key: "repetitionPenalty",
    stage: "repetition_penalty",
    option: "repetitionPenalty",
    title: "Repetition penalty",
    summary: "shrinks the logits of tokens already in prompt or output",
    explanation:
      "Each token that occurs in the prompt or the output is made less likely: a positive logit is divided by the penalty, a negative one multiplied. 1 is off; below 1 it rewards repetition.",
    shown: false,
    usesHistory: true,
    min: 0.25,
    max: 4,
    off: 1,
    initial: 1.2,
    on: false,
    digits: 2,
    step: 0.01,
    scale: { kind: "log" },
  },
  {
    kind: "number",
    key: "frequencyPenalty",
    stage: "frequency_penalty",
    option: "frequencyPenalty",
    title: "Frequency penalty",
    summary: "lowers a logit for each time the token was put out",
    explanation:
      "The penalty times the number of occurrences in the output is taken from a token's logit. The prompt does not count. 0 is off; a negative penalty rewards repetition.",
    ...subtracted,
  },
  {
    kind: "number",
    key: "presencePenalty",
    stage: "presence_penalty",
    option: "presencePenalty",
    title: "Presence penalty",
    summary: "lowers a logit once if the token was put out at all",
    explanation:
      "The penalty is taken once from the logit of every token that occurs in the output, however often. The prompt does not count. 0 is off.",
    ...subtracted,
  },
  {
    kind: "number",
    key: "temperature",
    stage: "temperature",
    option: "temperature",
    title: "Temperature",
    summary: "sharpens or flattens the whole distribution",
    explanation:
      "Every logit is divided by the temperature before the softmax. Below 1 the likely tokens gain, above 1 the unlikely ones; the order never changes. At 0 only the first token is left: that is greedy.",
    shown: true,
    min: 0,
    max: 4,
    off: 1,
    initial: 1,
    on: true,
    digits: 2,
    step: 0.01,
    scale: { kind: "power", exponent: 2 },
  },
  {
    kind: "number",
    key: "topK",
    stage: "top_k",
    option: "topK",
    title: "Top-k",
    summary: "keeps a fixed number of tokens",
    explanation:
      "Keeps the k highest tokens, whatever their probabilities are: too many where the model is sure, too few where it is not. 0 is off.",
    shown: true,
    min: 0,
    max: "vocabulary",
    off: 0,
    initial: 40,
    on: false,
    digits: 0,
    step: 1,
    scale: { kind: "log" },
  },
  {
    kind: "number",
    key: "topP",
    stage: "top_p",
    option: "topP",
    title: "Top-p",
    summary: "keeps the fewest tokens that together reach a probability",
    explanation:
      "Goes down the ranks and adds up probabilities until the sum reaches p; what was added is the nucleus and can be drawn. It is small where the model is sure and large where it is not. 1 is off; 0 keeps one token.",
    shown: true,
    min: 0,
    max: 1,
    off: 1,
    initial: 0.9,
    on: true,
    digits: 2,
    step: 0.01,
    scale: linear,
  },
  {
    kind: "number",
    key: "minP",
    stage: "min_p",
    option: "minP",
    title: "Min-p",
    summary: "drops tokens far below the most likely one",
    explanation:
      "Keeps the tokens whose probability is at least this share of the highest one. The bar rises where the model is sure and falls where it is not. 0 is off.",
    shown: true,
    min: 0,
    max: 1,
    off: 0,
    initial: 0.05,
    on: false,
    digits: 2,
    step: 0.001,
    scale: { kind: "power", exponent: 3 },
  },
  {
    kind: "switch",
    key: "greedy",
    stage: "temperature",
    title: "Greedy",
    summary: "always takes the most likely token",
    explanation:
      "No chance at all: the token with the highest logit is taken every time (of equals the one with the lower id). The engine does this as temperature 0.",
    shown: false,
  },
];

/** Where the chain's cumulative curve is read: what enters this stage. */
export const CURVE_STAGE = "top_p";

/** The card with this key; asking for one that is not in the table is a mistake in the code. */
export function cardOf(key: string): Card {
  const card = CARDS.find((candidate) => candidate.key === key);
  if (card === undefined) throw new Error(`There is no card "${key}".`);
  return card;
}
