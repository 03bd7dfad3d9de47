// The JavaScript samplers, in this process: against the limit as a module, as the sampler itself is measured.
import { createRequire } from "node:module";
import { comparedChains, settings, temperatures } from "../chains.mjs";
import { measure } from "../measure.mjs";
import { limitTask } from "../ours.mjs";

const require = createRequire(import.meta.url);

/** Modules of samplers, and the packages that each needs. */
const modules = [
  { file: "./plain.mjs" },
  { file: "./transformers.mjs", name: "@huggingface/transformers" },
  { file: "./tensorflow.mjs", name: "@tensorflow/tfjs" },
];

const drawnTokens = 30;

function taskOf({ who, sample }, chain, row) {
  const wanted = settings(chain, temperatures[0]);
  return {
    name: `${who}\n${chain}`,
    async run(count) {
      for (let i = 0; i < count; i++) await sample(row.logits, wanted);
    },
  };
}

async function drawnBy({ who, sample }, chain, row) {
  const drawn = [];
  for (let i = 0; i < drawnTokens; i++)
    drawn.push(await sample(row.logits, settings(chain, temperatures[0])));
  return { who, chain, row: row.name, n: row.n, drawn };
}

function versionOf(name) {
  const folder = require.resolve.paths(name)[0];
  return require(`${folder}/${name}/package.json`).version;
}

/** Loads what is installed: `{ peers, versions, missing }`. */
async function load() {
  const found = { peers: [], versions: {}, missing: [] };
  for (const { file, name } of modules) {
    try {
      found.peers.push(...(await import(file)).peers);
      if (name) found.versions[name] = versionOf(name);
    } catch (error) {
      // The first line without the folder that it was looked for in.
      const [reason] = error.message.split(/\n| imported from /);
      const why = `not installed or not usable (npm ci --ignore-scripts in benches/js): ${reason}`;
      found.missing.push({ who: name ?? file, why });
    }
  }
  return found;
}

/** Measures every sampler that is installed on the rows: `{ records, drawn, versions, missing }`. */
export async function runJavaScript({ yardstick, rows, timing, see }) {
  const { peers, versions, missing } = await load();
  const [records, drawn] = [[], []];
  for (const row of rows) {
    see?.(`JavaScript samplers: ${row.name}, ${row.n} logits`);
    const tasks = comparedChains.flatMap((chain) => peers.map((peer) => taskOf(peer, chain, row)));
    const results = await measure(limitTask(yardstick, row, temperatures[0]), tasks, timing);
    const facts = { shape: row.shape, row: row.name, n: row.n, temperature: temperatures[0] };
    for (const { name } of tasks) {
      const [who, chain] = name.split("\n");
      const { milliseconds, limits, rounds } = results.get(name);
      records.push({ who, chain, ...facts, milliseconds, limits, rounds });
    }
    for (const peer of peers) for (const chain of comparedChains) drawn.push(await drawnBy(peer, chain, row));
  }
  return { records, drawn, versions, missing };
}
