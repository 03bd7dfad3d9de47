// The stages that add to chosen logits, or allow and forbid tokens.

import { type Card, card, integer } from "./card";

const group = "Allow and forbid";

export const forbidding: readonly Card[] = [
  card({
    key: "logitBias",
    stage: "logit_bias",
    title: "Logit bias",
    summary: "adds a number to the logits of chosen tokens",
    explanation:
      "Adds a number of your choice to a token's logit before anything else looks at it. Plus 1 makes a token 2.7 times as likely against every other; minus infinity forbids it.",
    group,
    list: {
      kind: "bias",
      option: "logitBias",
      title: null,
      add: "add a token",
      hint: "Type -inf to forbid a token.",
      start: "nothing",
    },
  }),
  card({
    key: "allowedTokens",
    stage: "allowed_tokens",
    title: "Allowed tokens",
    summary: "forbids every token that is not on a list",
    explanation:
      "Only the tokens on the list can be drawn; all others are removed, however likely. This is how answers are held to a choice, for example yes or no.",
    group,
    list: { kind: "tokens", option: "allowedTokens", title: null, add: "add a token", start: "first two" },
  }),
  card({
    key: "badWords",
    stage: "bad_words",
    title: "Bad words",
    summary: "forbids words that take one or more tokens",
    explanation:
      "Each entry is a sequence of tokens that must never appear. Its last token is removed where the text ends in the others; a sequence of one token is always removed.",
    group,
    usesHistory: true,
    list: {
      kind: "sequences",
      option: "badWords",
      title: null,
      add: "add a sequence",
      hint: "Add further tokens to a sequence to forbid them one after the other.",
      start: "first token",
    },
  }),
  card({
    key: "minNewTokens",
    stage: "min_new_tokens",
    title: "Minimum new tokens",
    summary: "forbids the end of the text for a while",
    explanation:
      "Until so many tokens were put out, the tokens that end a text are removed, so that an answer is not cut short. The prompt does not count.",
    group,
    usesHistory: true,
    numbers: [
      integer({
        option: "minNewTokens",
        title: "tokens",
        max: 1000,
        off: 0,
        initial: 5,
        scale: { kind: "log" },
      }),
    ],
    list: {
      kind: "tokens",
      option: "eosTokenIds",
      title: "tokens that end a text",
      add: "add a token that ends a text",
      start: "end of text",
    },
  }),
];
