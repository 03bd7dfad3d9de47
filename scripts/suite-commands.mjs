// The commands that suites are made of.
import process from "node:process";
import { nodeProgram } from "./paths.mjs";
import { wasmEnvironment } from "./toolchain.mjs";
import { withTools } from "./tools.mjs";

export const script = (name, ...args) => [process.execPath, `scripts/${name}.mjs`, ...args];
export const vitest = (project) => [...nodeProgram("vitest", "vitest.mjs"), "run", "--project", project];
export const clippy = (...args) => [
  "cargo",
  "clippy",
  "--locked",
  "--all-targets",
  ...args,
  "--",
  "-D",
  "warnings",
];
export const cargoTest = (...args) => [
  "cargo",
  "test",
  "--locked",
  "--no-fail-fast",
  "--features",
  "serde,model",
  ...args,
];

// Optimised because they are heavy, and because no optimisation may change a result; whole-program optimisation would only cost linking time.
export const optimised = { CARGO_PROFILE_RELEASE_LTO: "off", CARGO_PROFILE_RELEASE_CODEGEN_UNITS: "16" };

// The browser's tests are optimised too, in the dev profile: the release profile aborts on panic, which a test
// harness cannot, and a standard library built from source would then be built twice and clash with itself.
const optimisedDev = { CARGO_PROFILE_DEV_OPT_LEVEL: "2", CARGO_PROFILE_DEV_DEBUG: "line-tables-only" };

export const moduleInBrowser = (flagSet, level, why) => ({
  name: `module in a browser, ${flagSet}`,
  why,
  level,
  uses: ["tests/wasm.rs"],
  needs: ["toolchain", "wasm-pack", "browser"],
  reader: "cargo",
  limitMinutes: 20,
  command: ({ browser }) => [
    ...["wasm-pack", "test", "--headless", "--chrome", "--chromedriver", browser.driver],
    ...["--mode", "no-install", "--", "--locked", "--features", "wasm", "--test", "wasm"],
  ],
  environment: async ({ toolchain, tools }) => ({
    ...withTools(await wasmEnvironment(toolchain, flagSet), tools),
    ...optimisedDev,
  }),
});
