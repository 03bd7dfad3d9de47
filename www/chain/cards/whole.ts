// What is set for the chain as a whole: what every cut keeps, how far penalties look back, the guard.

import { integer, number, type Settable } from "./card";
import { window } from "./repeating";

const usual = { shown: true, on: true, list: null } as const;

/** What every truncating stage keeps, however hard it cuts. */
export const leastKept: Settable = {
  key: "minKeep",
  title: "Keep at least",
  ...usual,
  numbers: [
    integer({
      option: "minKeep",
      title: "keep at least",
      min: 1,
      max: "vocabulary",
      off: 1,
      initial: 1,
      scale: { kind: "log" },
    }),
  ],
};

/** The part of the history that the three penalties see. */
export const penaltyWindow: Settable = {
  key: "penaltyLastN",
  title: "Penalties look back",
  ...usual,
  numbers: [window("penaltyLastN", "penalties look back")],
};

export const GUARD_POLICIES = [
  { value: 1, title: "relax", word: "relax" },
  { value: 2, title: "greedy", word: "greedy" },
  { value: 3, title: "error", word: "error" },
] as const;

/** The number of the guard that only the policy `relax` looks at. */
export const MAX_STEPS = 2;

export const guard: Settable = {
  key: "guard",
  title: "Guard",
  ...usual,
  on: false,
  numbers: [
    integer({
      option: "guard.policy",
      title: "when it trips",
      min: 1,
      max: 3,
      initial: 1,
      choices: GUARD_POLICIES,
    }),
    number({
      option: "guard.maxMaskedMass",
      title: "mass removed, at most",
      max: 1,
      initial: 0.999,
      step: 0.001,
      digits: 3,
    }),
    integer({ option: "guard.maxSteps", title: "steps, at most", min: 1, max: 32, initial: 3 }),
    integer({
      option: "guard.breaker.trips",
      title: "trips that open the breaker",
      min: 1,
      max: 1024,
      initial: 3,
      scale: { kind: "log" },
    }),
    integer({
      option: "guard.breaker.positions",
      title: "in a span of draws",
      min: 1,
      max: 4096,
      initial: 32,
      scale: { kind: "log" },
    }),
  ],
};

export const GUARD_EXPLANATION =
  "Watches over the stages that cut, top-k and top-p aside. Where they remove more of the mass than it allows, it trips: relax moves their thresholds halfway to off, again and again, until enough is left; greedy takes the most likely token; error draws none. After so many trips in a span of draws its breaker opens, and those stages are left out for as many draws.";

export const WHOLE: readonly Settable[] = [leastKept, penaltyWindow, guard];
