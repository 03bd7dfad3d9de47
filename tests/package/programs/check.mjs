// What an installed package is asked, wherever it runs: that it says what is missing before it is started, that a
// start is one however often it is asked for, and that it draws the tokens of the golden file.
import { compare } from "./compare.mjs";
import golden from "./golden.mjs";
import { logitsOf } from "./rows.mjs";

function codeOf(call) {
  try {
    call();
    return "no error";
  } catch (error) {
    return error.code ?? String(error);
  }
}

/** The package itself, started with `choice` (undefined, or which build). */
export async function check({ default: init, simd, WasmSampler }, choice) {
  const before = codeOf(() => new WasmSampler());
  const starts = [init(choice), init()];
  await Promise.all(starts);
  const { draws, differing, first } = compare(WasmSampler, golden, {});
  return { before, once: starts[0] === starts[1], simd: simd(), draws, differing, first };
}

const isPlain = ([, chain]) => golden.chains[chain].uses.length === 0;

async function samplerAt(worker, options, position) {
  const sampler = await worker.sampler(options);
  const state = await sampler.state();
  await sampler.free();
  state.rows[0].position = position;
  return worker.fromState(state);
}

async function drawnBy(worker, [row, chain, seed, stream, position], logits) {
  const options = { ...golden.chains[chain].options, seed };
  try {
    const sampler = await samplerAt(worker, stream === null ? options : { ...options, stream }, position);
    const tokens = Array.from(await sampler.sampleMany(logits[row], 8));
    await sampler.free();
    return tokens;
  } catch (error) {
    return error.code ?? String(error);
  }
}

/** The package's worker: the same tokens, asked for from outside of its thread. */
export async function checkWorker({ SamplerWorker, NucleusError }, choice) {
  const logits = golden.rows.map((row) => logitsOf(row, {}));
  const worker = new SamplerWorker(choice === undefined ? {} : { source: choice });
  const outcome = { draws: 0, differing: 0, first: [] };
  for (const expected of golden.cases.filter(isPlain)) {
    const drawn = await drawnBy(worker, expected, logits);
    outcome.draws += drawn.length;
    if (JSON.stringify(drawn) === JSON.stringify(expected.at(-1))) continue;
    outcome.differing += 1;
    outcome.first.push(`${JSON.stringify(drawn)} is not ${JSON.stringify(expected)}`);
  }
  const simd = await worker.simd();
  worker.terminate();
  const after = await worker.simd().catch((error) => error instanceof NucleusError && error.code);
  return { ...outcome, first: outcome.first.slice(0, 3), after, simd };
}

/** An outcome, or why there is none, as one line. */
export const told = (outcome) =>
  outcome.catch((error) => ({ failed: String(error?.stack ?? error) })).then((it) => JSON.stringify(it));
