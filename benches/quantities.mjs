// From records of what was timed to what the goals speak of.
import * as plan from "./chains.mjs";

const nanoseconds = 1e6;

/** The records of one row at one temperature by runner, as functions of a chain's name. */
function groups(records) {
  const found = new Map();
  for (const record of records) {
    const key = [record.who, record.row, record.n, record.temperature].join(" ");
    if (!found.has(key)) found.set(key, new Map());
    found.get(key).set(record.chain, record);
  }
  return [...found.values()];
}

/** What the penalties add: the part that does not depend on the history, and what one distinct token costs. */
function penaltyCosts(group, chain) {
  const [few, many] = plan.historyLengths.map((length) => group.get(`${chain}, ${length} penalised`));
  const plain = group.get(chain);
  if (!(plain && few && many)) return [];
  const token = (many.milliseconds - few.milliseconds) / (many.tokens - few.tokens);
  const limit = plain.milliseconds / plain.limits;
  return [
    ["penalties, beyond their tokens", few.limits - plain.limits - (few.tokens * token) / limit],
    ["penalties, a distinct token", token * nanoseconds],
  ];
}

function insideWasm(group, name) {
  const [whole, copied] = [group.get(name), group.get(`${name}, copied out`)];
  return whole && copied ? [[`${name}, inside wasm`, whole.limits - copied.limits]] : [];
}

/** What the second half of the draws takes: the first half pays for the set-up. */
function perDraw(group, chain) {
  const [many, twice] = [group.get(`many draws, ${chain}`), group.get(`twice as many, ${chain}`)];
  if (!(many && twice)) return [];
  const each = (twice.milliseconds - many.milliseconds) / (twice.draws - many.draws);
  return [["sampleMany, a draw", each * nanoseconds]];
}

function beyondCopy(group) {
  const [plain, array, copy] = [plan.copiedChain, "from an array", "copy"].map((name) => group.get(name));
  if (!(plain && array && copy)) return [];
  return [["from an array, beyond the copy", array.limits - plain.limits - copy.limits]];
}

/** Quantities `{ quantity, who, shape, row, n, temperature, value }` of all records. */
export function quantities(records) {
  return groups(records).flatMap((group) => {
    const [{ who, shape, row, n, temperature }] = group.values();
    const chains = Object.keys(plan.chains).filter((chain) => group.has(chain));
    const values = [
      ...chains.map((chain) => [chain, group.get(chain).limits]),
      ...plan.penalisedChains.flatMap((chain) => penaltyCosts(group, chain)),
      ...["distribution", "distribution of a nucleus"].flatMap((name) => insideWasm(group, name)),
      ...plan.manyChains.flatMap((chain) => perDraw(group, chain)),
      ...beyondCopy(group),
    ];
    return values.map(([quantity, value]) => ({ quantity, who, shape, row, n, temperature, value }));
  });
}
