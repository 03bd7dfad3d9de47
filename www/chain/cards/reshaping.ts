// The stages that write or scale all logits: nothing is cut, everything shifts.

import { type Card, card, number } from "./card";

const group = "Reshape";

/** The first stage of all: it needs a second row. */
export const guidance: Card = card({
  key: "guidance",
  stage: "guidance",
  title: "Guidance",
  summary: "moves away from what a second row says",
  explanation:
    "A model is asked twice, with its prompt and without; guidance moves the log probabilities away from the second answer, so that the prompt counts for more. 1 is off, 0 is the second row itself, below 0 its opposite. Here the second row is one that you choose.",
  group,
  numbers: [number({ option: "guidance.scale", title: "scale", min: -2, max: 6, off: 1, initial: 1.5 })],
});

export const reshaping: readonly Card[] = [
  card({
    key: "temperature",
    stage: "temperature",
    title: "Temperature",
    summary: "sharpens or flattens the whole distribution",
    explanation:
      "Every logit is divided by the temperature before the softmax. Below 1 the likely tokens gain, above 1 the unlikely ones; the order never changes. At 0 only the first token is left: that is greedy.",
    group,
    shown: true,
    on: true,
    numbers: [
      number({
        option: "temperature",
        title: "temperature",
        max: 4,
        off: 1,
        initial: 1,
        scale: { kind: "power", exponent: 2 },
      }),
    ],
  }),
  card({
    key: "dynamicTemperature",
    stage: "dynamic_temperature",
    title: "Dynamic temperature",
    summary: "a temperature that rises where the model is unsure",
    explanation:
      "Takes the place of the temperature: from temperature − range where one token holds everything, to temperature + range where all are equally likely; in between the entropy decides, bent by the exponent. A range of 0 is off.",
    group,
    numbers: [
      number({ option: "dynamicTemperature.range", title: "range", max: 2, off: 0, initial: 0.5 }),
      number({ option: "dynamicTemperature.exponent", title: "exponent", max: 4, initial: 1 }),
    ],
  }),
  card({
    key: "smoothing",
    stage: "smoothing",
    title: "Smoothing",
    summary: "bends logits: near the best they gain, far from it they lose",
    explanation:
      "Replaces the distance of each logit from the best one by factor × distance². Tokens nearer than 1 come closer to the best, those further away fall off. With a curve above 1 the fall is steeper; above 3 ranks can change. A factor of 0 is off.",
    group,
    numbers: [
      number({
        option: "smoothing.factor",
        title: "factor",
        max: 5,
        off: 0,
        initial: 0.3,
        scale: { kind: "power", exponent: 2 },
      }),
      number({ option: "smoothing.curve", title: "curve", min: 1, max: 5, initial: 1 }),
    ],
  }),
];
