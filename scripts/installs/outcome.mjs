// A row of the install matrix: what was asked of an installed package, and whether every answer was right.

/** What a start is asked for: nothing, and either build; and the build that has to run then. */
export const choices = [
  { choice: undefined, simd: true },
  { choice: { simd: true }, simd: true },
  { choice: { simd: false }, simd: false },
];

/** A check that drew less than this skipped its work. */
const leastDraws = 500;

/** What is wrong with the outcome of a check, or undefined. */
export function wrongIn(outcome, simd) {
  const { failed, draws = 0, differing, first = [], before, once, after } = outcome;
  if (failed !== undefined) return failed;
  if (differing !== 0) return `${differing} cases differ: ${first.join("; ").slice(0, 600)}`;
  if (draws < leastDraws) return `only ${draws} draws were compared`;
  if (outcome.simd !== simd) return `simd() is ${outcome.simd} where ${simd} was to run`;
  if (before !== undefined && before !== "not_initialized") return `before init: ${before}`;
  if (once === false) return "init() started twice";
  if (after !== undefined && after !== "freed") return `after terminate(): ${after}`;
  return undefined;
}

/** A row from the outcomes of a check, one a choice. */
export function judged(name, version, outcomes) {
  const problems = outcomes.map((outcome, i) => wrongIn(outcome, choices[i].simd)).filter(Boolean);
  const draws = outcomes.reduce((sum, outcome) => sum + (outcome.draws ?? 0), 0);
  return { name, version, checked: `${draws.toLocaleString("en")} draws, both builds`, problem: problems[0] };
}

/** A row for what is no draw: `problem` is undefined where all is well. */
export const stated = (name, version, checked, problem) => ({ name, version, checked, problem });

/** A row for what is not here. */
export const missing = (name, why) => ({ name, version: "", checked: "", missing: why });
