import * as threads from "nucleus-sampler/worker";

export const { NucleusError } = threads;

export class SamplerWorker extends threads.SamplerWorker {
  constructor({ source } = {}) {
    super({ source, worker: new Worker("./thread.mjs", { type: "module" }) });
  }
}
