// The stages that look at the tokens that came before, and make them less likely to come again.

import { type Card, card, integer, type NumberParameter, number } from "./card";

const common = { group: "Avoid repetition", usesHistory: true } as const;
/** The range of penalties that are subtracted from a logit. */
const subtracted = { min: -2, max: 2, off: 0, initial: 0.5 };

/** How many of the last tokens are looked at. */
export function window(option: string, title: string): NumberParameter {
  return integer({ option, title, max: 4096, initial: Infinity, scale: { kind: "log" }, hasAll: true });
}

export const repeating: readonly Card[] = [
  card({
    key: "repetitionPenalty",
    stage: "repetition_penalty",
    title: "Repetition penalty",
    summary: "shrinks the logits of tokens already in prompt or output",
    explanation:
      "Each token that occurs in the prompt or the output is made less likely: a positive logit is divided by the penalty, a negative one multiplied. 1 is off; below 1 it rewards repetition.",
    ...common,
    numbers: [
      number({
        option: "repetitionPenalty",
        title: "penalty",
        min: 0.25,
        max: 4,
        off: 1,
        initial: 1.2,
        scale: { kind: "log" },
      }),
    ],
  }),
  card({
    key: "frequencyPenalty",
    stage: "frequency_penalty",
    title: "Frequency penalty",
    summary: "lowers a logit for each time the token was put out",
    explanation:
      "The penalty times the number of occurrences in the output is taken from a token's logit. The prompt does not count. 0 is off; a negative penalty rewards repetition.",
    ...common,
    numbers: [number({ option: "frequencyPenalty", title: "penalty", ...subtracted })],
  }),
  card({
    key: "presencePenalty",
    stage: "presence_penalty",
    title: "Presence penalty",
    summary: "lowers a logit once if the token was put out at all",
    explanation:
      "The penalty is taken once from the logit of every token that occurs in the output, however often. The prompt does not count. 0 is off.",
    ...common,
    numbers: [number({ option: "presencePenalty", title: "penalty", ...subtracted })],
  }),
  card({
    key: "noRepeatNgram",
    stage: "no_repeat_ngram",
    title: "No repeated n-gram",
    summary: "forbids every sequence of n tokens that came before",
    explanation:
      "Looks for the last n − 1 tokens of the text earlier in it, and removes every token that followed them there: no sequence of n tokens comes twice. 0 is off; 1 forbids every token of the text.",
    ...common,
    numbers: [integer({ option: "noRepeatNgramSize", title: "n", max: 8, off: 0, initial: 2 })],
  }),
  card({
    key: "dry",
    stage: "dry",
    title: "DRY",
    summary: "punishes going on with a repetition, the more the longer it is",
    explanation:
      "Don't repeat yourself: where the end of the text stood earlier in it, the token that followed there loses multiplier × base^(length − allowed length) of its logit. Single words may come again; long passages may not. No repetition is counted across a breaker, such as a line break.",
    ...common,
    numbers: [
      number({ option: "dry.multiplier", title: "multiplier", max: 5, off: 0, initial: 0.8 }),
      number({ option: "dry.base", title: "base", min: 1, max: 4, initial: 1.75 }),
      integer({ option: "dry.allowedLength", title: "allowed length", max: 20, initial: 2 }),
      { ...window("dry.lastN", "tokens looked back"), isLater: true },
    ],
    list: {
      kind: "sequences",
      option: "dry.breakers",
      title: "breakers",
      add: "add a breaker",
      hint: "No repetition goes across a breaker.",
      start: "nothing",
    },
  }),
];
