// Tokens a second of the tiny model, in this Node, on one thread.
import os from "node:os";
import process from "node:process";

const nTokens = 256;
const nRuns = 5;

const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

function timed(act) {
  const began = performance.now();
  act();
  return (nTokens * 1000) / (performance.now() - began);
}

/** Medians of five: 256 tokens as a prompt, and 256 more one after the other. */
export function measuredSpeed(model) {
  const ids = Uint32Array.from({ length: nTokens }, (_, i) => (i * 7919) % model.config.vocabSize);
  const session = model.session();
  const [prefill, decode] = [[], []];
  // One run more, in which the engine compiles.
  for (let run = 0; run <= nRuns; run++) {
    session.rewind(0);
    const speeds = [
      timed(() => session.prefill(ids)),
      timed(() => {
        for (const id of ids) session.step(id);
      }),
    ];
    if (run === 0) continue;
    prefill.push(speeds[0]);
    decode.push(speeds[1]);
  }
  session.free();
  return {
    prefill: Math.round(median(prefill)),
    decode: Math.round(median(decode)),
    engine: `Node ${process.versions.node}`,
    machine: `${os.cpus()[0]?.model.trim() ?? "an unknown processor"}, ${os.type()} on ${os.arch()}`,
    date: new Date().toISOString().slice(0, 10),
  };
}
