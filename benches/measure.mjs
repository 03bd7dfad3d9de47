// Time, fairly: every task in every round, a group of calls at a time, each group against the limit measured just before
// it. What disturbs the machine for a while disturbs both, and the medians leave it out.

/** How often the limit is measured anew within a round, in tasks. */
const limitEvery = 3;

/** The value below which a share of the values lies. */
export function quantile(values, share) {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.floor(sorted.length * share)];
}

/** Middle value; the upper one of two. */
export const median = (values) => quantile(values, 0.5);

function timeGroup(task, now) {
  const began = now();
  task.run(task.count);
  return (now() - began) / task.count;
}

/** Runs a task until the engine has compiled it for good, and finds how many calls make a group. */
function warmUp(task, { warmMilliseconds, groupMilliseconds, now }) {
  const began = now();
  let [calls, last] = [1, 0];
  do {
    const start = now();
    task.run(calls);
    last = (now() - start) / calls;
    if (last * calls < groupMilliseconds) calls *= 2;
  } while (now() - began < warmMilliseconds);
  task.count = Math.max(1, Math.round(groupMilliseconds / Math.max(last, 1e-6)));
}

/**
 * Measures tasks `{ name, run(count), every? }` against `limit`, another task. `every: 4` takes part in each fourth round.
 * Returns by name `{ milliseconds, limits, undisturbed, rounds }`: the median of a call, alone and as a multiple of the
 * limit, and the time of a call in the quietest fiftieth of the rounds.
 */
export function measure(limit, tasks, { rounds, ...timing }) {
  for (const task of [limit, ...tasks]) warmUp(task, timing);
  const seen = new Map([limit, ...tasks].map((task) => [task, { times: [], ratios: [] }]));
  for (let round = 0; round < rounds; round++) {
    let [yardstick, age] = [0, limitEvery];
    for (const task of tasks) {
      if (round % (task.every ?? 1) !== 0) continue;
      if (age === limitEvery) {
        yardstick = timeGroup(limit, timing.now);
        seen.get(limit).times.push(yardstick);
        seen.get(limit).ratios.push(1);
        age = 0;
      }
      const time = timeGroup(task, timing.now);
      seen.get(task).times.push(time);
      seen.get(task).ratios.push(time / yardstick);
      age += 1;
    }
  }
  const entry = ([task, { times, ratios }]) => [
    task.name,
    {
      milliseconds: median(times),
      limits: median(ratios),
      undisturbed: quantile(times, 0.02),
      rounds: times.length,
    },
  ];
  return new Map([...seen].map(entry));
}
