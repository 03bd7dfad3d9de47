// Time, fairly: every task in every round, a group of calls at a time, each group against the limit measured just before
// it. What disturbs the machine for a while disturbs both, and the medians leave it out.

/** How often the limit is measured anew within a round, in tasks. */
const limitEvery = 3;

/** A task whose call takes longer takes part in each fourth round only. */
const slowMilliseconds = 5;

/** The value below which a share of the values lies. */
export function quantile(values, share) {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.floor(sorted.length * share)];
}

/** Middle value; the upper one of two. */
export const median = (values) => quantile(values, 0.5);

/** The time of one call, from `count` of them; a task may be asynchronous. */
async function timeCalls(task, count, now) {
  const began = now();
  const done = task.run(count);
  if (done !== undefined) await done;
  return (now() - began) / count;
}

/** Runs a task until the engine has compiled it for good; gives how many calls make a group, and how often it takes part. */
async function warmUp(task, { warmMilliseconds, groupMilliseconds, now }) {
  const began = now();
  let [calls, each] = [1, 0];
  do {
    each = await timeCalls(task, calls, now);
    if (each * calls < groupMilliseconds) calls *= 2;
  } while (now() - began < warmMilliseconds);
  const count = Math.max(1, Math.round(groupMilliseconds / Math.max(each, 1e-6)));
  return { task, count, every: each > slowMilliseconds ? 4 : 1, times: [], ratios: [] };
}

/**
 * Measures tasks `{ name, run(count) }` against `limit`, another task. Returns by name `{ milliseconds, limits, undisturbed,
 * rounds }`: the median of a call, alone and as a multiple of the limit, and the time of a call in the quietest fiftieth
 * of the rounds.
 */
export async function measure(limit, tasks, { rounds, ...timing }) {
  const yardstick = await warmUp(limit, timing);
  const all = [];
  for (const task of tasks) all.push(await warmUp(task, timing));
  for (let round = 0; round < rounds; round++) {
    const present = all.filter(({ every }) => round % every === 0);
    let latest = 0;
    for (const [i, seen] of present.entries()) {
      if (i % limitEvery === 0) {
        latest = await timeCalls(limit, yardstick.count, timing.now);
        yardstick.times.push(latest);
        yardstick.ratios.push(1);
      }
      const time = await timeCalls(seen.task, seen.count, timing.now);
      seen.times.push(time);
      seen.ratios.push(time / latest);
    }
  }
  return new Map([yardstick, ...all].map(summary));
}

const summary = ({ task, times, ratios }) => [
  task.name,
  {
    milliseconds: median(times),
    limits: median(ratios),
    undisturbed: quantile(times, 0.02),
    rounds: times.length,
  },
];
