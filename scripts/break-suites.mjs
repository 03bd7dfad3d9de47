// The suite of modules that are made to break.
import { vitest } from "./suite-commands.mjs";

export const breakSuites = [
  {
    name: "after a break",
    why: "a module that is made to break is replaced, and samplers go on from their last state",
    level: "test",
    uses: ["tests/trap"],
    needs: ["packages", "package", "trap", "browser"],
    reader: "vitest",
    limitMinutes: 15,
    command: vitest("trap"),
  },
];
