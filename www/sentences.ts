// What the page says in words, made from the engine's numbers. A phrase is a list of parts; some are strong.

import type { StageReport } from "nucleus-sampler";
import { CARDS } from "./chain/cards";
import { DEAD, type DrawResult, KEPT } from "./engine/protocol";
import { formatCount, formatPercent, formatScientific, formatTokens } from "./format";
import { visible } from "./glyphs";
import type { Picture } from "./playground";

export type Phrase = readonly (string | { readonly strong: string })[];

const strong = (text: string) => ({ strong: text });

/** The name that the page gives a stage. */
export function stageTitle(name: string): string {
  return CARDS.find((card) => card.stage === name)?.title ?? name.replaceAll("_", " ");
}

/** A stage's name inside a sentence: "cut by top-p". */
export function stageWord(name: string): string {
  return inSentence(stageTitle(name));
}

/** A title inside a sentence: abbreviations keep their capitals. */
export function inSentence(title: string): string {
  return /^[A-Z]{2}/.test(title) ? title : title.toLowerCase();
}

/** What a stage that cuts is called: a guard that trips takes the best token as the stage greedy does. */
export function cutterWord({ after }: Picture, stage: string): string {
  return stage === "greedy" && after.trip?.policy === "greedy" ? "the guard" : stageWord(stage);
}

/** Whether a stage, when it cuts, leaves the best token alone. */
function takesTheBest(name: string): boolean {
  return name === "greedy" || name.endsWith("temperature");
}

/** Stages that removed tokens, in the order in which they ran. */
export function cuttingStages(stages: readonly StageReport[]): readonly StageReport[] {
  return stages.filter((stage) => stage.keptAfter < stage.keptBefore);
}

/** What the chain leaves, in a sentence under the headline. */
export function summary(picture: Picture): Phrase {
  const { row, after } = picture;
  const size = formatCount(row.texts.size);
  const cutting = cuttingStages(after.stages);
  const kept = strong(formatCount(after.keptCount));
  const [first] = cutting;
  if (row.texts.size === 1) return ["There is only ", strong("1"), " token, and it is always drawn."];
  if (first === undefined) return ["All ", strong(size), " tokens can be drawn: nothing in the chain cuts."];
  const best = cutting.find(({ name }) => name === "greedy") ?? (cutting.length === 1 ? first : undefined);
  if (best !== undefined && takesTheBest(best.name)) {
    const taker = best.name === "greedy" ? cutterWord(picture, best.name) : "temperature 0";
    return [`Of ${size} tokens, ${taker} leaves `, kept, ": the most likely one is always taken."];
  }
  const isOne = after.keptCount === 1;
  if (cutting.length === 1 && first.name === "top_p") {
    const share = formatPercent(after.keptMass);
    const only = isOne ? "Only it can be drawn: the nucleus." : "Only they can be drawn: the nucleus.";
    return [`Of ${size} tokens, `, kept, ` ${isOne ? "holds" : "hold"} ${share} of the probability. ${only}`];
  }
  const by = joined(cutting.map(({ name }) => cutterWord(picture, name)));
  // Forbidding tokens changes which are compared, so only what truncating stages cut has a share to speak of.
  if (after.keptMass === 1) return [`Of ${size} tokens, `, kept, ` can be drawn. The rest is cut by ${by}.`];
  const share = formatPercent(after.keptMass);
  const hold = isOne ? "it holds" : "together they hold";
  return [
    `Of ${size} tokens, `,
    kept,
    ` can be drawn; ${hold} ${share} of the probability. The rest is cut by ${by}.`,
  ];
}

/** "top-k", "top-k and min-p", "top-k, top-p and min-p". */
export function joined(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} and ${last}`;
}

const SHORT_FATES: Readonly<Record<string, string>> = {
  allowed_tokens: "not allowed",
  logit_bias: "forbidden",
  temperature: "temp. 0",
  dynamic_temperature: "temp. 0",
  bad_words: "bad word",
  min_new_tokens: "too early",
  no_repeat_ngram: "repeats",
  typical_p: "not typical",
  top_n_sigma: "below n-sigma",
  tail_free: "in the tail",
  epsilon_cutoff: "below epsilon",
  eta_cutoff: "below eta",
  mirostat: "too surprising",
};

/** What stands in the table where a token cannot be drawn, in words that fit its column. */
export function fateOf(picture: Picture, token: number): string | null {
  const { removedBy, stages } = picture.after;
  const by = removedBy[token] ?? DEAD;
  if (by === KEPT) return null;
  const stage = stages[by]?.name ?? "";
  if (by === DEAD) return "not in row";
  return SHORT_FATES[stage] ?? `cut by ${cutterWord(picture, stage).replace("the ", "")}`;
}

/** The chart in one sentence, for those who do not see it. */
export function chartSummary({ row, before, after }: Picture): string {
  const top = [...after.order.slice(0, 5)].map((token) => {
    return `${visible(row.texts.text(token))} ${formatPercent(before.probs[token] ?? 0)}`;
  });
  const size = formatTokens(row.texts.size);
  return `Probabilities of ${size}, highest first: ${top.join(", ")}. ${formatTokens(after.keptCount)} kept.`;
}

/** The draws in a few words. */
export function drawSummary({ row }: Picture, { n, counts, kept, last }: DrawResult): Phrase {
  if (n === 1 && last !== null) return ["Drawn: ", strong(visible(row.texts.text(last))), "."];
  const seen = counts.reduce((sum, count) => sum + (count > 0 ? 1 : 0), 0);
  const of = `of the ${formatTokens(kept.length)} that can be drawn`;
  return [strong(formatCount(n)), ` draws brought up `, strong(formatCount(seen)), ` ${of}.`];
}

/** How the draws compare with what was to be expected, in words. */
export function fitSummary({ n, kept, statistics }: DrawResult): Phrase {
  const { degrees, pValue, totalVariation } = statistics;
  if (kept.length === 1) return ["Only one token can be drawn, so there is nothing to compare."];
  if (degrees === 0) return ["Too few draws yet to tell chance from anything else."];
  const distance = `Observed and expected shares lie ${formatPercent(totalVariation)} apart (total variation).`;
  const often = `G-test p = ${pValue < 0.001 ? formatScientific(pValue) : pValue.toFixed(pValue < 0.1 ? 3 : 2)}`;
  if (pValue >= LIKELY) return [strong("Consistent with chance"), `: ${often}. ${distance}`];
  if (pValue >= RARE) return [strong("A little unusual"), `, as one run in twenty is: ${often}. ${distance}`];
  const share = formatCount(Math.round(1 / RARE));
  return [
    strong("Unusual"),
    ` for ${formatCount(n)} draws: fewer than one run in ${share} strays so far; ${often}. ${distance}`,
  ];
}

const LIKELY = 0.05;
const RARE = 0.01;
