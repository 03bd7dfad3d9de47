// What is timed of the sampler: its public JavaScript face, logits in wasm memory. Nothing of Node is used: the page
// measures with this file too.
import * as plan from "./chains.mjs";
import { measure } from "./measure.mjs";
import { isSteady, sane, startYardstick, yardstickFault } from "./yardstick.mjs";

const seed = 42;
const arrays = ["tokenIds", "logits", "probs", "cumulative"];

/** Samplers that each hold the row in a buffer of their own, under one temperature. */
class Bench {
  #samplers = [];

  constructor(WasmSampler, row, temperature) {
    Object.assign(this, { WasmSampler, row, temperature });
  }

  /** A sampler of a chain; `view()` is its buffer, the one that is valid now. */
  load(chain, options = {}) {
    const { n, logits } = this.row;
    const sampler = new this.WasmSampler({ ...plan.settings(chain, this.temperature), ...options, seed });
    this.#samplers.push(sampler);
    const view = () => sampler.logitsBuffer(n);
    view().set(logits);
    return { sampler, view };
  }

  free() {
    for (const sampler of this.#samplers) sampler.free();
  }
}

function sampleGroup(sampler, logits, count) {
  for (let i = 0; i < count; i++) sampler.sample(logits);
}

/** Draws one by one. A group in which memory grew, which ends a view, is drawn anew; that is over once all are warm. */
const sampleTask = (name, { sampler, view }) => ({
  name,
  run(count) {
    for (;;) {
      try {
        return sampleGroup(sampler, view(), count);
      } catch (error) {
        if (error.code !== "stale_buffer") throw error;
      }
    }
  },
});

const mainTasks = (bench) => Object.keys(plan.chains).map((chain) => sampleTask(chain, bench.load(chain)));

function penaltyTasks(bench) {
  return plan.penalisedChains.flatMap((chain) =>
    plan.historyLengths.map((length) => {
      const loaded = bench.load(chain, plan.penalties);
      const tokens = plan.history(bench.row.n, length);
      for (const token of tokens) loaded.sampler.accept(token);
      return { ...sampleTask(`${chain}, ${length} penalised`, loaded), tokens: tokens.length };
    }),
  );
}

function copyTasks(bench) {
  const { logits } = bench.row;
  const { sampler, view } = bench.load(plan.copiedChain);
  return [
    {
      name: "from an array",
      run(count) {
        for (let i = 0; i < count; i++) sampler.sample(logits);
      },
    },
    {
      name: "copy",
      run(count) {
        const room = view();
        for (let i = 0; i < count; i++) room.set(logits);
      },
    },
  ];
}

/** `distribution()`, and what handing its arrays out of wasm memory costs. */
function distributionTasks(bench) {
  const cases = [
    ["distribution", "no truncation"],
    ["distribution of a nucleus", "top-p"],
  ];
  return cases.flatMap(([name, chain]) => {
    const { sampler, view } = bench.load(chain);
    const distribution = sampler.distribution(view());
    return [
      {
        name,
        run(count) {
          for (let i = 0; i < count; i++) sampler.distribution(view());
        },
      },
      {
        name: `${name}, copied out`,
        run(count) {
          for (let i = 0; i < count; i++) for (const array of arrays) distribution[array].slice();
        },
      },
    ];
  });
}

function manyTasks(bench, draws) {
  return plan.manyChains.flatMap((chain) => {
    const { sampler, view } = bench.load(chain);
    return [1, 2].map((times) => ({
      name: `${times === 1 ? "many draws" : "twice as many"}, ${chain}`,
      draws: times * draws,
      run(count) {
        for (let i = 0; i < count; i++) sampler.sampleMany(view(), times * draws);
      },
    }));
  });
}

function tasksOf(bench, draws) {
  if (bench.temperature !== plan.temperatures[0]) return mainTasks(bench);
  const makers = [mainTasks, penaltyTasks, copyTasks, distributionTasks, manyTasks];
  return makers.flatMap((make) => make(bench, draws));
}

/** The two passes over a row at a temperature. */
export function limitTask(yardstick, row, temperature) {
  yardstick.row(row.n).set(row.logits);
  const factor = Math.fround(1 / temperature);
  return {
    name: "limit",
    run(count) {
      for (let i = 0; i < count; i++) yardstick.twoPasses(row.n, factor);
    },
  };
}

const maxTask = (yardstick, row) => ({
  name: "maximum alone",
  run(count) {
    for (let i = 0; i < count; i++) yardstick.maxPass(row.n);
  },
});

/** What is looked for is how the code was built, so the quietest moments count: short groups, where the clock allows. */
const checkTiming = { rounds: 400, groupMilliseconds: 0.1, warmMilliseconds: 100 };
const checkTries = 5;

/** The two passes as a multiple of the maximum alone. */
export async function passesOf(yardstick, clock) {
  const row = { n: sane.at, logits: Float32Array.from({ length: sane.at }, (_, i) => i % 17) };
  const limit = limitTask(yardstick, row, plan.temperatures[0]);
  const results = await measure(limit, [maxTask(yardstick, row)], { ...checkTiming, ...clock });
  return results.get("limit").undisturbed / results.get("maximum alone").undisturbed;
}

/** The limit, started, as it is: `{ yardstick, passes }`. */
export async function takeYardstick(bytes, clock) {
  const yardstick = await startYardstick(bytes);
  return { yardstick, passes: await passesOf(yardstick, clock) };
}

/**
 * A limit that is what it should be, `{ yardstick, passes }`; an error where none is. Each try starts a new one: how fast a
 * maximum is depends on where in memory a module's rows happen to lie.
 */
export async function checkYardstick(bytes, clock) {
  let fault;
  for (let i = 0; i < checkTries; i++) {
    const taken = await takeYardstick(bytes, clock);
    fault = yardstickFault(taken.passes);
    if (fault === undefined) return taken;
  }
  throw new Error(fault);
}

/** Everything on one row at one temperature: results by the names of tasks, and the tasks. */
async function measureTasks({ WasmSampler, timing, draws }, yardstick, row, temperature) {
  const bench = new Bench(WasmSampler, row, temperature);
  const tasks = tasksOf(bench, draws);
  const limit = limitTask(yardstick, row, temperature);
  const results = await measure(limit, [maxTask(yardstick, row), ...tasks], timing);
  bench.free();
  return { results, tasks };
}

/** The same against a limit that stayed as it was judged; one that did not is replaced, and the row measured again. */
async function measureSteadily(with_, row, temperature) {
  const { limit, renew } = with_;
  for (let i = 0; i < checkTries; i++) {
    const measured = await measureTasks(with_, limit.yardstick, row, temperature);
    const passes = 1 / measured.results.get("maximum alone").limits;
    if (!renew || isSteady(passes, limit.passes)) return measured;
    with_.see?.(
      `the limit takes ${passes.toFixed(1)} maxima, not ${limit.passes.toFixed(1)}: it is started anew`,
    );
    Object.assign(limit, await renew());
  }
  throw new Error(`The two-pass limit does not stay what it was, on the row ${row.name}, ${row.n}.`);
}

/** Everything on one row at one temperature, as records. */
async function measureRow(with_, row, temperature) {
  const { results, tasks } = await measureSteadily(with_, row, temperature);
  return [...results].map(([chain, result]) => {
    const { tokens, draws: drawn } = tasks.find(({ name }) => name === chain) ?? {};
    const facts = { shape: row.shape, row: row.name, n: row.n, temperature };
    const { milliseconds, limits, rounds } = result;
    return { who: with_.who, chain, ...facts, milliseconds, limits, rounds, tokens, draws: drawn };
  });
}

/**
 * Measures every chain on every row; returns records `{ who, chain, shape, row, n, temperature, milliseconds, limits, rounds,
 * tokens?, draws? }`. `limit` is `{ yardstick, passes }`, and `renew()`, if given, another one where it does not stay what it
 * was. `see(text)` hears of each row's beginning.
 */
export async function measureOurs({ rows, ...with_ }) {
  const records = [];
  for (const temperature of plan.temperatures)
    for (const row of rows) {
      with_.see?.(`${with_.who}: ${row.name}, ${row.n} logits, temperature ${temperature}`);
      records.push(...(await measureRow(with_, row, temperature)));
    }
  return records;
}
