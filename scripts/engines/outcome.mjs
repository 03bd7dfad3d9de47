// What every runner says at its end, whatever it is written in: one line of JSON, `{ draws, differing, first }`.

const lastJson = (text) => {
  const line = text.trim().split("\n").at(-1) ?? "";
  try {
    return JSON.parse(line);
  } catch {
    return { failed: line || "said nothing" };
  }
};

/** Fewer draws than this are no comparison: a runner that skipped its work must not pass. */
const leastDraws = 9000;

/** A row of the table from a finished program, or from what a page sent. */
export function judged(name, version, said) {
  const { draws = 0, differing, first = [], failed } = "code" in said ? outcomeOf(said) : said;
  const short = draws < leastDraws ? `compared only ${draws} draws` : undefined;
  const problem = failed ?? (differing > 0 ? `${differing} differ` : short);
  return { name, version, draws, problem, first };
}

function outcomeOf({ code, stdout, stderr, timedOut }) {
  if (timedOut) return { failed: "did not end in time" };
  const outcome = lastJson(stdout);
  if (code !== 0 && outcome.differing === undefined)
    return { failed: `exit ${code}: ${stderr.trim().split("\n").at(-1)}` };
  return outcome;
}

/** A row for an engine that is not here. */
export const missing = (name, why) => ({ name, version: "", draws: 0, missing: why });
