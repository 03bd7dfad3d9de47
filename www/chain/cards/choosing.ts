// The stages that choose the token: only one of them can, and nothing comes after it.

import { type Card, card, integer, number } from "./card";

const common = { group: "Choose", isTerminal: true } as const;

export const choosing: readonly Card[] = [
  card({
    key: "greedy",
    stage: "greedy",
    title: "Greedy",
    summary: "always takes the most likely token",
    explanation:
      "No chance at all: the token with the highest logit is taken every time (of equals the one with the lower id). It stands last, and takes the best of what the stages before it leave.",
    ...common,
  }),
  card({
    key: "mirostat",
    stage: "mirostat",
    title: "Mirostat",
    summary: "cuts so that the surprise of a text stays near a target",
    explanation:
      "Keeps the tokens whose surprise is at most μ, and draws. When the drawn token is accepted, μ moves: down if it surprised more than τ, up if less, by eta times the difference. So a whole text keeps its level of surprise. Draw a token and accept it to see μ move.",
    ...common,
    numbers: [
      integer({
        option: "mirostat.version",
        title: "version",
        min: 1,
        max: 2,
        initial: 2,
        choices: [
          { value: 2, title: "2" },
          { value: 1, title: "1" },
        ],
      }),
      number({ option: "mirostat.tau", title: "tau, in bits", max: 10, initial: 5 }),
      number({ option: "mirostat.eta", title: "eta", max: 1, initial: 0.1 }),
    ],
  }),
  card({
    key: "adaptiveP",
    stage: "adaptive_p",
    title: "Adaptive-p",
    summary: "favours tokens of about one probability",
    explanation:
      "Writes new logits: highest for tokens whose probability is near the target, lower the further they are from it, and draws. Accepted draws move what it aims at, so that their average comes to the target. Cut the tail before it, with min-p for instance. A target of 0 is off.",
    ...common,
    numbers: [
      number({ option: "adaptiveP.target", title: "target", max: 1, off: 0, initial: 0.3 }),
      number({ option: "adaptiveP.decay", title: "decay", max: 0.99, initial: 0.9 }),
    ],
  }),
];
