// The stages that keep fewer tokens: by rank, by probability, by surprise.

import { type Card, card, integer, number } from "./card";

const group = "Keep fewer tokens";
/** A probability far below 1. */
const small = { max: 1, off: 0, step: 0.0001, digits: 4, scale: { kind: "power", exponent: 4 } } as const;

const topH = card({
  key: "topH",
  stage: "top_h",
  title: "Top-h",
  summary: "keeps as many tokens as a share of the entropy allows",
  explanation:
    "Keeps the longest run of first tokens whose own entropy is at most this share of the whole one: few where the model is sure, more where it is not. 1 is off; 0 keeps one token.",
  group,
  numbers: [number({ option: "topH", title: "share of the entropy", max: 1, off: 1, initial: 0.4 })],
});

const topK = card({
  key: "topK",
  stage: "top_k",
  title: "Top-k",
  summary: "keeps a fixed number of tokens",
  explanation:
    "Keeps the k highest tokens, whatever their probabilities are: too many where the model is sure, too few where it is not. 0 is off.",
  group,
  shown: true,
  numbers: [
    integer({ option: "topK", title: "k", max: "vocabulary", off: 0, initial: 40, scale: { kind: "log" } }),
  ],
});

const topP = card({
  key: "topP",
  stage: "top_p",
  title: "Top-p",
  summary: "keeps the fewest tokens that together reach a probability",
  explanation:
    "Goes down the ranks and adds up probabilities until the sum reaches p; what was added is the nucleus and can be drawn. It is small where the model is sure and large where it is not. 1 is off; 0 keeps one token.",
  group,
  shown: true,
  on: true,
  numbers: [number({ option: "topP", title: "p", max: 1, off: 1, initial: 0.9 })],
});

const minP = card({
  key: "minP",
  stage: "min_p",
  title: "Min-p",
  summary: "drops tokens far below the most likely one",
  explanation:
    "Keeps the tokens whose probability is at least this share of the highest one. The bar rises where the model is sure and falls where it is not. 0 is off.",
  group,
  shown: true,
  numbers: [
    number({
      option: "minP",
      title: "share of the highest",
      max: 1,
      off: 0,
      initial: 0.05,
      step: 0.001,
      scale: { kind: "power", exponent: 3 },
    }),
  ],
});

const typicalP = card({
  key: "typicalP",
  stage: "typical_p",
  title: "Typical-p",
  summary: "keeps the tokens that surprise about as much as is usual",
  explanation:
    "Orders tokens by how far their surprise lies from the entropy, the surprise to be expected, and keeps the nearest until they hold this much probability. The likeliest token may go: it can be too predictable. 1 is off.",
  group,
  numbers: [number({ option: "typicalP", title: "p", max: 1, off: 1, initial: 0.9 })],
});

const topNSigma = card({
  key: "topNSigma",
  stage: "top_n_sigma",
  title: "Top-n-sigma",
  summary: "keeps logits within n standard deviations of the best",
  explanation:
    "Looks at logits, not probabilities: those within n standard deviations of the best stay. The temperature does not change what it keeps. 0 is off.",
  group,
  numbers: [number({ option: "topNSigma", title: "n", max: 10, off: 0, initial: 1 })],
});

const topA = card({
  key: "topA",
  stage: "top_a",
  title: "Top-a",
  summary: "drops tokens below a times the square of the highest",
  explanation:
    "Like min-p, but the bar is a times the square of the highest probability: it is far lower where the model is unsure. 0 is off.",
  group,
  numbers: [number({ option: "topA", title: "a", max: 1, off: 0, initial: 0.2 })],
});

const tailFree = card({
  key: "tailFree",
  stage: "tail_free",
  title: "Tail-free",
  summary: "cuts where the curve of probabilities no longer bends",
  explanation:
    "Follows the ranked probabilities and adds up how much their curve bends; once this share of all bends is behind, what is left is the tail and goes. 1 is off.",
  group,
  numbers: [number({ option: "tailFree", title: "share of the bends", max: 1, off: 1, initial: 0.95 })],
});

const pLess = card({
  key: "pLess",
  stage: "p_less",
  title: "p-less",
  summary: "cuts by a bar that needs no number from you",
  explanation:
    "Keeps the tokens that are at least as probable as two draws are to be the same: the sum of all squared probabilities. There is nothing to set.",
  group,
  flag: "pLess",
});

const epsilonCutoff = card({
  key: "epsilonCutoff",
  stage: "epsilon_cutoff",
  title: "Epsilon cut-off",
  summary: "drops tokens below a fixed probability",
  explanation:
    "Keeps the tokens of at least this probability, however sure or unsure the model is; one always stays. 0 is off.",
  group,
  numbers: [number({ option: "epsilonCutoff", title: "epsilon", initial: 0.001, ...small })],
});

const etaCutoff = card({
  key: "etaCutoff",
  stage: "eta_cutoff",
  title: "Eta cut-off",
  summary: "drops tokens below a probability that falls with the entropy",
  explanation:
    "As the epsilon cut-off, but the bar is min(η, √η · e^−entropy): where the model is unsure it is lower. 0 is off.",
  group,
  numbers: [number({ option: "etaCutoff", title: "eta", initial: 0.001, ...small })],
});

const xtc = card({
  key: "xtc",
  stage: "xtc",
  title: "XTC",
  summary: "now and then removes the likeliest tokens",
  explanation:
    "Exclude top choices: for each draw a coin is tossed. Where it falls, every token above the threshold goes but the last of them, so that the text takes a less obvious turn. A probability of 0 is off.",
  group,
  numbers: [
    number({ option: "xtc.probability", title: "probability", max: 1, off: 0, initial: 0.5 }),
    number({ option: "xtc.threshold", title: "threshold", min: 0.01, max: 0.5, initial: 0.1 }),
  ],
  list: {
    kind: "tokens",
    option: "xtc.protectedTokens",
    title: "never removed",
    add: "add a token to protect",
    start: "nothing",
  },
});

export const cutting: readonly Card[] = [
  ...[topH, topK, topP, minP, typicalP, topNSigma, topA, tailFree, pLess],
  ...[epsilonCutoff, etaCutoff, xtc],
];
