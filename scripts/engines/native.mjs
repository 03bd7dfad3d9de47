// The crate natively, as compilers build it: without optimisation, with it, and for this very processor.
import process from "node:process";
import { inRoot } from "../paths.mjs";
import { capture } from "../processes.mjs";
import { compilerFacts } from "../rust.mjs";
import { must } from "../steps.mjs";
import { judged } from "./outcome.mjs";

// Linked as the suites of tests are, so that cargo builds the crate's dependencies once for both.
const optimised = { CARGO_PROFILE_RELEASE_LTO: "off", CARGO_PROFILE_RELEASE_CODEGEN_UNITS: "16" };

const builds = {
  debug: { args: [], env: {} },
  release: { args: ["--release"], env: optimised },
  "target-cpu=native": {
    args: ["--release"],
    env: { ...optimised, RUSTFLAGS: "-C target-cpu=native", CARGO_TARGET_DIR: inRoot("target-native-cpu") },
  },
};

/** Compares one native build. */
async function compareNative(build) {
  const { args, env } = builds[build];
  const cargo = ["--locked", "--features", "serde", ...args, "--example", "same"];
  const options = { env: { ...process.env, ...env }, limitSeconds: 1800 };
  await must(
    "cargo",
    ["build", ...cargo],
    options,
    "the example same does not compile: mend what the compiler says above",
  );
  const { text, host } = await compilerFacts("rustc");
  const ran = await capture("cargo", ["run", "--quiet", ...cargo, "--", "compare"], options);
  return [judged(`native, ${build}`, `${text}, ${host}`, ran)];
}

/** Every native build as an engine. */
export const nativeEngines = Object.fromEntries(
  Object.keys(builds).map((build) => [`native ${build}`, () => compareNative(build)]),
);
