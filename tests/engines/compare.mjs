// Asks the built package for everything in the golden file: in any engine that runs JavaScript and WebAssembly.
import { digest, logitsOf, maskOf, secondOf, wordsOf } from "./rows.mjs";

const nDraws = 8;
const failedToken = 0xffffffff;

/** How many differing cases are told in full. */
const told = 3;

function bits(number) {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, number);
  return view.getBigUint64(0).toString(16).padStart(16, "0");
}

const biasPairs = (pairs) => pairs.map(([token, bias]) => [token, Number(bias)]);

function optionsOf(row, chain, seed, stream) {
  const options = { ...chain.options, seed };
  if (stream !== null) options.stream = stream;
  if (chain.uses.includes("bias")) options.logitBias = biasPairs(row.bias);
  if (chain.uses.includes("allowed")) options.allowedTokens = row.allowed;
  if (chain.uses.includes("words")) options.badWords = wordsOf(row);
  if (chain.uses.includes("ends")) options.eosTokenIds = row.allowed.slice(5, 7);
  return options;
}

/** A sampler whose row 0 has drawn `position` tokens. */
function samplerFor(WasmSampler, row, chain, [, , seed, stream, position]) {
  const sampler = new WasmSampler(optionsOf(row, chain, seed, stream));
  if (chain.uses.includes("history")) {
    sampler.prompt(row.prompt);
    for (const token of row.output) sampler.accept(token);
  }
  const state = sampler.state();
  sampler.free();
  state.rows[0].position = position;
  return WasmSampler.fromState(state);
}

function described({ tokenIds, logits, probs, cumulative, keptCount, keptMass, entropy }) {
  return [keptCount, bits(keptMass), bits(entropy), digest(tokenIds, logits, probs, cumulative)];
}

// Of a large row two are drawn one by one and the rest at once, as natively.
const nSingle = (logits) => (logits.length > 10_000 ? 2 : nDraws);

/** Draws one by one, then the rest at once: every draw, and the tokens of all. */
function oneByOne(sampler, logits, call, draw) {
  const draws = Array.from({ length: nSingle(logits) }, draw);
  return { draws, rest: sampler.sampleMany(logits, nDraws - draws.length, call) };
}

/** Every way of drawing, each from the same start: the tokens, and what a call says of what is kept. */
const ways = {
  sampleMany: (sampler, logits, call) => ({ tokens: Array.from(sampler.sampleMany(logits, nDraws, call)) }),
  sample: (sampler, logits, call) => {
    const { draws, rest } = oneByOne(sampler, logits, call, () => sampler.sample(logits, call));
    return { tokens: [...draws, ...rest] };
  },
  sampleDetailed: (sampler, logits, call) => {
    const { draws, rest } = oneByOne(sampler, logits, call, () => sampler.sampleDetailed(logits, call));
    const [{ keptCount, keptMass, entropy }] = draws;
    const tokens = [...draws.map(({ token }) => token), ...rest];
    return { tokens, said: [keptCount, bits(keptMass), bits(entropy)] };
  },
};

/** What a call gives, or the code of its error; the sampler that it was asked of is a copy. */
function asked(start, call) {
  const sampler = start.clone();
  try {
    return call(sampler);
  } catch (error) {
    return { code: error.code ?? String(error) };
  } finally {
    sampler.free();
  }
}

/** A case's answer: the code of the error that every call gives, or what is kept and the tokens. */
function answerOf(kept, { code, tokens, said = [] }) {
  if (kept.code !== undefined || code !== undefined)
    return kept.code === code ? [code] : [`${kept.code} is not ${code}`];
  return [...said, ...kept.slice(said.length), tokens];
}

function compareCase(WasmSampler, golden, logits, expected, outcome) {
  const [rowIndex, chainIndex] = expected;
  const row = golden.rows[rowIndex];
  const chain = golden.chains[chainIndex];
  const call = chain.uses.includes("mask") ? { mask: maskOf(row.mask, row.n) } : {};
  if (chain.uses.includes("second")) call.unconditional = secondOf(logits[rowIndex]);
  const start = samplerFor(WasmSampler, row, chain, expected);
  const kept = asked(start, (sampler) => described(sampler.distribution(logits[rowIndex], call)));
  for (const [name, way] of Object.entries(ways)) {
    const drawn = asked(start, (sampler) => way(sampler, logits[rowIndex], call));
    const found = answerOf(kept, drawn);
    outcome.draws += drawn.tokens?.length ?? 0;
    if (JSON.stringify(found) !== JSON.stringify(expected.slice(5)))
      outcome.differing.push(
        `${row.name}, ${name}, ${JSON.stringify(chain)}: ${JSON.stringify(found)} is not ${JSON.stringify(expected)}`,
      );
  }
  start.free();
}

/** A call's logits, one row after the other. */
function joined(ids, batch, logits) {
  const rows = ids.map((id) => logits[batch.rows[id % batch.rows.length]]);
  const all = new Float32Array(rows.length * rows[0].length);
  rows.forEach((row, i) => {
    all.set(row, i * row.length);
  });
  return { all, n: rows[0].length };
}

function compareBatch(WasmSampler, batch, logits, outcome) {
  const sampler = new WasmSampler(batch.options);
  for (const options of batch.added) sampler.addRow(options);
  for (const { rows, masks, tokens } of batch.calls) {
    const ids = typeof rows === "number" ? Array.from({ length: rows }, (_, id) => id) : rows;
    const { all, n } = joined(ids, batch, logits);
    const call = masks ? { masks: masks.map((mask) => (mask ? maskOf(mask, n) : undefined)) } : {};
    const found = Array.from(sampler.sampleBatch(all, rows, call));
    outcome.draws += found.length;
    const failed = found.filter((token) => token === failedToken).length;
    if (JSON.stringify(found) !== JSON.stringify(tokens) || sampler.rowErrors().length !== failed)
      outcome.differing.push(
        `batch of ${JSON.stringify(rows)}: ${JSON.stringify(found)} is not ${JSON.stringify(tokens)}`,
      );
  }
  sampler.free();
}

/** Compares; `recorded` has the recorded rows by name. Gives what every runner says: `{ draws, differing, first }`. */
export function compare(WasmSampler, golden, recorded) {
  const logits = golden.rows.map((row) => logitsOf(row, recorded));
  const outcome = { draws: 0, differing: [] };
  for (const expected of golden.cases) compareCase(WasmSampler, golden, logits, expected, outcome);
  for (const batch of golden.batches) compareBatch(WasmSampler, batch, logits, outcome);
  const { draws, differing } = outcome;
  return { draws, differing: differing.length, first: differing.slice(0, told) };
}

/** The files of the recorded rows in the golden file. */
export const recordedNames = (golden) =>
  golden.rows.filter(({ synthetic }) => synthetic === undefined).map(({ name }) => name);
