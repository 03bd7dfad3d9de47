// The sampler package in the shape that the page uses; it has to be initialised before.

import { countIntervals, goodnessOfFit, type SamplerState, WasmSampler } from "nucleus-sampler";
import type { BreakerState, Controllers } from "../state";
import type { Engine, Place, Sampler } from "./engine";

export const packageEngine: Engine = {
  intervals: countIntervals,
  fit: goodnessOfFit,
  create(options): Sampler {
    let sampler = new WasmSampler(options);
    return {
      prompt: (tokens) => sampler.prompt(tokens),
      accept: (token) => sampler.accept(token),
      distribution: (logits, call) => sampler.distribution(logits, call),
      report: (logits, call) => sampler.report(logits, call),
      tokenReport(logits, call) {
        const { removedBy, rank, ...chain } = sampler.report(logits, { ...call, tokens: true });
        if (removedBy === undefined || rank === undefined) throw new Error("The report has no tokens.");
        return { ...chain, removedBy, rank };
      },
      explain: (logits, token, call) => sampler.explain(logits, token, call),
      sampleDetailed: (logits, call) => sampler.sampleDetailed(logits, call),
      sampleMany: (logits, n, call) => sampler.sampleMany(logits, n, call),
      goOn(place) {
        const next = WasmSampler.fromState(stateAt(sampler.state(), place));
        sampler.free();
        sampler = next;
      },
      controllers: () => controllersOf(sampler.state()),
      breaker: () => sampler.breaker(),
      lastTrip: () => sampler.lastTrip,
      free: () => sampler.free(),
    };
  },
};

/** The parts of a sampler's state that concern its row 0. */
interface RowState {
  readonly controllers: {
    readonly mirostat: { readonly mu: number } | null;
    readonly adaptiveP: { readonly sum: number; readonly weight: number } | null;
  };
  readonly breaker: BreakerState;
}

const rowsOf = (state: SamplerState) => state.rows as readonly [RowState];

function stateAt(state: SamplerState, { position, controllers: moved }: Place): SamplerState {
  const [row] = rowsOf(state);
  const { mu, adaptiveP } = moved;
  const breaker = moved.breaker ?? row.breaker;
  const controllers = {
    ...row.controllers,
    mirostat: mu === null ? null : { mu },
    adaptiveP: adaptiveP === null ? null : { sum: adaptiveP[0], weight: adaptiveP[1] },
  };
  return { ...state, rows: [{ ...row, position, controllers, breaker }] };
}

function controllersOf(state: SamplerState): Controllers {
  const [{ breaker, controllers }] = rowsOf(state);
  const { mirostat, adaptiveP } = controllers;
  return {
    mu: mirostat?.mu ?? null,
    adaptiveP: adaptiveP === null ? null : [adaptiveP.sum, adaptiveP.weight],
    // One that never tripped has nothing to remember.
    breaker: breaker.trips === 0 ? null : breaker,
  };
}
