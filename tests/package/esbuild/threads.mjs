import * as threads from "nucleus-sampler/worker";
import { fileOf } from "./files.mjs";

export const { NucleusError } = threads;

export class SamplerWorker extends threads.SamplerWorker {
  constructor({ source } = {}) {
    super({ source: fileOf(source), worker: new Worker("./thread.mjs", { type: "module" }) });
  }
}
