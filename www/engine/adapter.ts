// The sampler package in the shape that the page uses; it has to be initialised before.

import { countIntervals, goodnessOfFit, WasmSampler } from "nucleus-sampler";
import type { Engine, Sampler } from "./engine";

export const packageEngine: Engine = {
  intervals: countIntervals,
  fit: goodnessOfFit,
  create(options): Sampler {
    const sampler = new WasmSampler(options);
    return {
      prompt: (tokens) => sampler.prompt(tokens),
      accept: (token) => sampler.accept(token),
      distribution: (logits) => sampler.distribution(logits),
      report: (logits) => sampler.report(logits),
      tokenReport(logits) {
        const { removedBy, rank, ...chain } = sampler.report(logits, { tokens: true });
        if (removedBy === undefined || rank === undefined) throw new Error("The report has no tokens.");
        return { ...chain, removedBy, rank };
      },
      sampleDetailed: (logits) => sampler.sampleDetailed(logits),
      sampleMany: (logits, n) => sampler.sampleMany(logits, n),
      free: () => sampler.free(),
    };
  },
};
