// What the guard does, in words: which stages it watches over, whether it trips, and what came of draws.

import type { Trip } from "nucleus-sampler";
import { CARDS, guard } from "./chain/cards";
import type { After, GuardedDraws, Problem } from "./engine/protocol";
import { formatCount, formatNumbered, formatPercent } from "./format";
import type { Picture } from "./playground";
import { stageWord } from "./sentences";
import { type State, settingOf } from "./state";

const UNGUARDED = ["top_k", "top_p"];

/** Whether a guard watches over a stage: those that cut, but for top-k, top-p, masks and what takes the best. */
export function isGuarded(stage: string): boolean {
  const card = CARDS.find((candidate) => candidate.stage === stage);
  return stage === "mirostat" || (card?.group === "Keep fewer tokens" && !UNGUARDED.includes(stage));
}

/** Why a stage that is on does nothing: the guard has left it out. Null where it has not. */
export function leftOut({ state, after }: Picture, stage: string): string | null {
  if (!settingOf(state, guard).on) return null;
  if (after.breaker.isOpen && isGuarded(stage)) return "left out: the guard's breaker is open";
  const isCut = CARDS.some((card) => card.stage === stage && card.group === "Keep fewer tokens");
  const isBest = after.trip?.policy === "greedy" && (isCut || isGuarded(stage) || stage === "adaptive_p");
  return isBest ? "left out: the guard has tripped" : null;
}

/** That a stage's threshold is not the one that was set, or null where it is. */
export function relaxedBy({ after: { trip } }: Picture, stage: string): string | null {
  if (trip?.policy !== "relax" || !isGuarded(stage)) return null;
  return `relaxed by the guard, ${formatNumbered(trip.steps, "step")}`;
}

/** What the guard does in what is shown. */
export function guardStatus({ after, state }: Picture, problem: Problem | null): string {
  if (problem !== null && isTrip(problem)) return "Tripped: no token is drawn.";
  const { breaker, trip } = after;
  if (breaker.isOpen) {
    const left = formatNumbered(breaker.openUntil - state.from, "draw");
    return `The breaker is open for ${left} more: the stages that it watches over are left out.`;
  }
  return trip === null ? "Not tripped here." : `Tripped: ${whatHappened(trip)}.`;
}

/** Whether an objection is the guard's, whose policy is to draw nothing. */
export function isTrip({ code, message }: Problem): boolean {
  return code === "nothing_left" && message.startsWith("the guard ");
}

/** "99.95% of the mass would go, most by min-p; thresholds were moved 2 steps towards off". */
function whatHappened({ maskedMass, stage, policy, steps }: Trip): string {
  const would = `${formatPercent(maskedMass)} of the mass would go, most of it by ${stageWord(stage)}`;
  if (policy === "greedy") return `${would}; the most likely token is taken`;
  return `${would}; thresholds are moved ${formatNumbered(steps, "step")} towards off`;
}

/** How often the guard has tripped in the text so far, or null. */
export function tripsSoFar({ breaker }: After): string | null {
  return breaker.trips === 0 ? null : `${formatNumbered(breaker.trips, "trip")} in accepted draws`;
}

/** What the guard did while draws were made, or null where there was none. */
export function guardedSummary({ from }: State, n: number, guarded: GuardedDraws | null): string | null {
  if (guarded === null) return null;
  const { trips, open, last } = guarded;
  if (trips === 0 && open === 0) return "The guard never tripped.";
  const tripped = `The guard tripped in ${formatCount(trips)} of ${formatNumbered(n, "draw")}`;
  const latest = last === null ? "" : `, last in draw ${formatCount(last.position - from + 1)}`;
  const out = open === 0 ? "" : ` For ${formatCount(open)} its breaker was open.`;
  return `${tripped}${latest}.${out}`;
}
