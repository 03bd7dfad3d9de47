// The suites that take the package as somebody else gets it: packed, installed, run, and built anew.
import { breakSuites } from "./break-suites.mjs";
import { script } from "./suite-commands.mjs";

export const installSuites = [
  ...breakSuites,
  {
    name: "installs",
    why: "the packed tarball in fresh projects: Node, Vite, plain pages and workers under a strict policy, types",
    level: "test",
    uses: ["tests/package", "tests/golden/same.json"],
    needs: ["packages", "package", "browser"],
    command: script("test-installs", ...["node", "rendering", "plain", "forbidden", "vite build", "types"]),
  },
  {
    name: "installs, every one",
    why: "the same in every bundler and engine that is here or can be fetched, and the checkers of packages",
    level: "long",
    uses: ["tests/package", "tests/golden/same.json"],
    needs: ["packages", "package", "browser"],
    limitMinutes: 60,
    command: script("test-installs"),
  },
  {
    name: "provenance",
    why: "the package's modules, built anew in another folder: every byte the same",
    level: "long",
    needs: ["packages", "package"],
    limitMinutes: 60,
    command: script("verify-wasm"),
  },
];
