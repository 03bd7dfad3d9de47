// Why a token is in or out, in a sentence made from the engine's report and explanation.

import type { Explanation, StageReport } from "nucleus-sampler";
import { cardOf } from "./chain/cards";
import { DEAD, KEPT, NO_RANK } from "./engine/protocol";
import {
  formatApart,
  formatBits,
  formatCount,
  formatLogit,
  formatNumbered,
  formatPercent,
  formatThreshold,
  formatTokens,
} from "./format";
import { label } from "./glyphs";
import { isGuarded } from "./guarding";
import type { Picture } from "./playground";
import { cuttingStages, type Phrase, stageWord } from "./sentences";
import { numberOf, type State, settingOf } from "./state";

/** Why a token is in or out. The explanation's numbers make the sentence more exact, where they are known. */
export function reason(picture: Picture, token: number, explanation: Explanation | null = null): Phrase {
  const { after, before, row } = picture;
  const name = { strong: label(row.texts.text(token)) };
  const rank = after.rank[token] ?? NO_RANK;
  const place = rank === NO_RANK ? "" : ` (rank ${formatCount(rank + 1)})`;
  const by = after.removedBy[token] ?? DEAD;
  if (by === KEPT) {
    const now = formatPercent(after.probs[token] ?? 0);
    const was = formatPercent(before.probs[token] ?? 0);
    return [
      name,
      `${place} is in: it is drawn with a probability of ${now}; before the chain it was ${was}.`,
    ];
  }
  return [name, `${place} is out: ${whyOut(picture, after.stages[by], explanation)}`];
}

/** Whether the sentence on a token has numbers that only an explanation knows. */
export function isExplained({ after }: Picture, token: number): boolean {
  const by = after.stages[after.removedBy[token] ?? DEAD];
  return by !== undefined && EXPLAINED.has(by.name);
}

const EXPLAINED: ReadonlySet<string> = new Set([
  "top_n_sigma",
  "top_a",
  "p_less",
  "epsilon_cutoff",
  "eta_cutoff",
]);

interface Facts {
  readonly picture: Picture;
  readonly report: StageReport;
  readonly explanation: Explanation | null;
  /** "96 tokens": those that the stage left. */
  readonly above: string;
}

type Reason = (facts: Facts) => string;

function whyOut(picture: Picture, report: StageReport | undefined, explanation: Explanation | null): string {
  if (report === undefined) return "its logit is minus infinity in the row itself.";
  const above = formatTokens(report.keptAfter);
  const { trip } = picture.after;
  if (trip !== null && isGuarded(report.name)) return relaxed(report, trip.steps, above);
  const say = REASONS[report.name];
  if (say !== undefined) return say({ picture, report, explanation, above });
  return `cut by ${stageWord(report.name)}, which leaves ${above} of ${formatCount(picture.row.texts.size)}.`;
}

/** What the person has set, by the card's key and the number's place. */
function set(state: State, key: string, i = 0): number {
  const card = cardOf(key);
  return numberOf(settingOf(state, card), card, i);
}

const REASONS: Readonly<Record<string, Reason>> = {
  allowed_tokens: () => "it is not on the list of allowed tokens.",
  logit_bias: () => "a bias of minus infinity forbids it.",
  bad_words: () => "it would complete a sequence that is on the list of bad words.",
  min_new_tokens: ({ picture: { state } }) => {
    const least = formatTokens(set(state, "minNewTokens"));
    return `it ends the text, and of at least ${least} only ${formatCount(state.output.length)} were put out.`;
  },
  no_repeat_ngram: ({ picture: { state } }) => {
    const n = set(state, "noRepeatNgram");
    if (n === 1) return "it is in the text already, and no token may come twice.";
    return `with it a sequence of ${n} tokens that is in the text already would come again.`;
  },
  temperature: () => "temperature 0 keeps only the most likely token.",
  dynamic_temperature: () => "temperature 0 keeps only the most likely token.",
  greedy: ({ picture: { after } }) =>
    after.trip === null
      ? "greedy takes only the most likely token."
      : "the guard has tripped, and takes only the most likely token.",
  top_h: ({ picture: { state }, report, above }) => {
    const share = formatThreshold(set(state, "topH"));
    const most = formatBits(report.threshold ?? 0);
    return `with more than the first ${above} the entropy would be above ${most} bits, ${share} of the whole, and top-h allows no more.`;
  },
  top_k: ({ report, above }) =>
    report.keptAfter === 1 ? "top-k keeps only the first token." : `top-k keeps only the first ${above}.`,
  top_p: topP,
  min_p: ({ picture: { state } }) => {
    const share = formatThreshold(set(state, "minP"));
    return `its probability is below ${share} of the highest one, and min-p asks for as much.`;
  },
  typical_p: ({ report }) => {
    const [expected, most] = [formatBits(report.entropyBefore), formatBits(report.threshold ?? 0)];
    return `its surprise is more than ${most} bits away from the expected ${expected}, and the tokens that typical-p keeps are nearer.`;
  },
  top_n_sigma: ({ picture: { state }, report, explanation }) => {
    const n = formatNumbered(set(state, "topNSigma"), "standard deviation");
    const own = explanation === null ? "its logit" : `its logit, ${formatLogit(explanation.logit)},`;
    return `${own} is below ${formatLogit(report.threshold ?? 0)}, which lies ${n} under the best one.`;
  },
  top_a: (facts) =>
    `${probability(facts)}, ${set(facts.picture.state, "topA")} times the square of the highest one, which top-a asks for.`,
  tail_free: ({ picture: { state }, above }) => {
    const share = formatThreshold(set(state, "tailFree"));
    return `after the first ${above} the curve of probabilities has made ${share} of its bends: the rest is the tail.`;
  },
  p_less: (facts) => `${probability(facts)}, which is how likely two draws are to be the same token.`,
  epsilon_cutoff: (facts) => `${probability(facts)}, which the epsilon cut-off asks for.`,
  eta_cutoff: (facts) => {
    const bits = formatBits(facts.report.entropyBefore);
    return `${probability(facts)}, which the eta cut-off asks for at an entropy of ${bits} bits.`;
  },
  xtc: ({ report }) => {
    const top = formatTokens(report.keptBefore - report.keptAfter + 1);
    return `XTC's coin has fallen, and of the ${top} with at least ${formatThreshold(report.threshold ?? 0)} only the last one stays.`;
  },
  mirostat: ({ picture: { state }, report, above }) =>
    set(state, "mirostat") === 1
      ? `at its μ mirostat keeps only the first ${above}.`
      : `its surprise is above μ, which is ${(report.threshold ?? 0).toFixed(2)} bits now.`,
};

/** Of a stage whose threshold the guard has moved: it is no longer the one that was set. */
function relaxed({ name }: StageReport, steps: number, above: string): string {
  const by = formatNumbered(steps, "step");
  return `${stageWord(name)} leaves only ${above}, though the guard has moved its threshold ${by} towards off.`;
}

function topP({ picture: { state, after }, report, above }: Facts): string {
  const asked = formatThreshold(set(state, "topP"));
  const verb = report.keptAfter === 1 ? "holds" : "hold";
  // What the kept ones hold, which is the mass before this token only where it is the first that is cut.
  const held = `${formatPercent(1 - report.massRemoved)} of ${reaching(after.stages, report)}`;
  return `the ${above} ranked before it already ${verb} ${held}, and p asks for ${asked}.`;
}

/** The probability that a token had, and the least that stays. */
function probability({ report, explanation }: Facts): string {
  const least = report.threshold ?? 0;
  if (explanation === null) return `its probability is below ${formatPercent(least)}`;
  const [own, bar] = formatApart(explanation.prob, least);
  return `its probability of ${own} is below ${bar}`;
}

/** What a stage's shares are shares of. */
function reaching(stages: readonly StageReport[], stage: StageReport): string {
  const isFirst = cuttingStages(stages)[0] === stage;
  return isFirst ? "the probability" : `the probability that reaches ${stageWord(stage.name)}`;
}
