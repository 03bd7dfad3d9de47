// What runs in the page: our model and wllama on one file, in turn, each in a worker and on one thread.

const ask = (worker, name, argument) =>
  new Promise((resolve, reject) => {
    worker.onmessage = ({ data: { result, error } }) =>
      error === undefined ? resolve(result) : reject(new Error(error));
    worker.onerror = (event) => reject(new Error(event.message));
    worker.postMessage({ name, argument });
  });

/** Our model behind `round(plan)`. */
async function startOurs(file) {
  const worker = new Worker("./worker.mjs", { type: "module" });
  const loaded = await ask(worker, "load", file);
  return { loaded, round: (plan) => ask(worker, "round", plan), stop: () => worker.terminate() };
}

/** wllama behind the same; its own clock says how long it took. */
async function startWllama(file, nContext) {
  const { Wllama } = await import("./wllama/index.js");
  const quiet = { debug() {}, log() {}, warn() {}, error: console.error };
  const wllama = new Wllama({ default: "./wllama/wasm/wllama.wasm" }, { logger: quiet });
  const began = performance.now();
  await wllama.loadModel([file], { n_threads: 1, n_gpu_layers: 0, n_ctx: nContext, n_batch: nContext });
  const loaded = { milliseconds: performance.now() - began };
  const round = async ({ prompt, nDecode }) => {
    const { timings, choices } = await wllama.createCompletion({
      prompt,
      max_tokens: nDecode,
      temperature: 0,
      cache_prompt: false,
    });
    return {
      prefill: timings.prompt_per_second,
      decode: timings.predicted_per_second,
      nPrompt: timings.prompt_n,
      nDecoded: timings.predicted_n,
      text: choices[0].text,
    };
  };
  return { loaded, round, stop: () => wllama.exit() };
}

/** Rounds in turn: `{ name: { loaded, rounds } }`. The first round of each runs it in and is not counted. */
export async function measureHere({ file, who, rounds, plan, nContext }) {
  const blob = await (await fetch(file)).blob();
  const starts = { ours: () => startOurs(blob), wllama: () => startWllama(blob, nContext) };
  const running = {};
  for (const name of who) running[name] = await starts[name]();
  const results = {};
  for (const name of who) results[name] = { loaded: running[name].loaded, rounds: [] };
  for (let i = 0; i <= rounds; i++) {
    for (const name of who) {
      const round = await running[name].round(plan);
      if (i > 0) results[name].rounds.push(round);
    }
  }
  for (const name of who) await running[name].stop();
  return results;
}
