// Every suite of `npm run check`, `npm test` and `npm run test:long`, as data. A suite that is listed runs: one whose
// files are missing fails, and none is skipped in silence.
import process from "node:process";
import { benchSuites } from "./bench-suites.mjs";
import { crateSuites } from "./crate-suites.mjs";
import { installSuites } from "./install-suites.mjs";
import { modelSuites } from "./model-suites.mjs";
import { nodeProgram } from "./paths.mjs";
import { wasmClippy } from "./rust-components.mjs";
import { cargoTest, clippy, moduleInBrowser, optimised, script, vitest } from "./suite-commands.mjs";
import { tokenizerSuites } from "./tokenizer-suites.mjs";
import { targetFolder, wasmEnvironment, wasmTarget } from "./toolchain.mjs";

/**
 * Fields: `level` is the smallest command that runs it (check, test; `long` ones run in test:long alone);
 * `uses` are paths that must be there; `needs` are set-up parts (see test.mjs); `reader` says how the output ends
 * (summaries.mjs); `environment(parts)` adds to or replaces the environment.
 */
export const suites = [
  {
    name: "rust format",
    why: "one way of laying out code",
    level: "check",
    uses: ["src"],
    needs: ["components"],
    command: ["cargo", "fmt", "--all", "--", "--check"],
  },
  {
    name: "trainer format",
    why: "the same for the trainer, which is a package of its own",
    level: "check",
    uses: ["trainer"],
    needs: ["components"],
    command: ["cargo", "fmt", "--manifest-path", "trainer/Cargo.toml", "--", "--check"],
  },
  {
    name: "biome",
    why: "format and lint of scripts, tests, page and data files",
    level: "check",
    uses: ["biome.json"],
    needs: ["packages"],
    command: [
      ...nodeProgram("@biomejs", "biome", "bin", "biome"),
      "ci",
      `--colors=${process.stdout.isTTY ? "force" : "off"}`,
    ],
  },
  {
    name: "import direction",
    why: "arrows between modules run one way",
    level: "check",
    uses: ["src"],
    needs: ["packages"],
    command: script("lint-arrows"),
  },
  {
    name: "lengths",
    why: "a file holds one concept, a function one thought",
    level: "check",
    uses: ["src", "trainer"],
    needs: ["packages"],
    command: script("lint-lengths"),
  },
  {
    name: "words",
    why: "nothing of one machine, nothing unfinished, no platform-dependent mathematics",
    level: "check",
    command: script("lint-words"),
  },
  {
    name: "scripts",
    why: "the set-up, the server and the checks themselves",
    level: "check",
    uses: ["scripts/tests"],
    needs: ["packages"],
    reader: "node",
    command: [process.execPath, "--test", "scripts/tests/"],
  },
  {
    name: "clippy",
    why: "the crate as a Rust user compiles it",
    level: "check",
    uses: ["src"],
    needs: ["components"],
    command: clippy(),
  },
  {
    name: "clippy, boundary",
    why: "the code that knows JavaScript compiles natively too, and is held to the same rules",
    level: "check",
    uses: ["src/wasm"],
    needs: ["components"],
    command: clippy("--features", "wasm,serde,model,wasm-model"),
  },
  {
    name: "clippy, wasm32",
    why: "code that only the module has, linted by the compiler that builds it",
    level: "test",
    uses: ["src"],
    needs: ["toolchain", "wasm-clippy"],
    command: ({ toolchain }) => [
      ...[wasmClippy(toolchain), "clippy", "--locked", "--target", wasmTarget],
      ...["--features", "wasm", "--", "-D", "warnings"],
    ],
    // A folder of its own: what is only checked and what is built do not mix.
    environment: async ({ toolchain }) => ({
      ...(await wasmEnvironment(toolchain, "simd")),
      CARGO_TARGET_DIR: `${targetFolder("simd")}-lint`,
    }),
  },
  {
    name: "rust unit tests",
    why: "each module's own tests, with debug assertions and overflow checks",
    level: "check",
    uses: ["src"],
    reader: "cargo",
    command: cargoTest("--lib"),
  },
  {
    name: "tsc",
    why: "types of package, page and tests, strict",
    level: "check",
    uses: ["tsconfig.json"],
    needs: ["packages", "package"],
    command: [...nodeProgram("typescript", "bin", "tsc"), "--noEmit", "-p", "tsconfig.json"],
  },
  {
    name: "package tests",
    why: "the npm package in Node",
    level: "check",
    uses: ["tests/js"],
    needs: ["packages", "package"],
    reader: "vitest",
    command: vitest("js"),
  },
  {
    name: "page unit tests",
    why: "the page's parts that need no browser",
    level: "check",
    uses: ["tests/page"],
    needs: ["packages", "package"],
    reader: "vitest",
    command: vitest("page"),
  },
  {
    name: "rustdoc",
    why: "the documentation builds, every link in it leads somewhere, every stage's page has its headings",
    level: "test",
    uses: ["src"],
    command: script("lint-stage-pages"),
  },
  {
    name: "rust doc tests",
    why: "every example in the documentation compiles and holds",
    level: "test",
    uses: ["src"],
    reader: "cargo",
    command: cargoTest("--doc"),
  },
  {
    name: "rust tests, optimised",
    why: "the same unit tests, and the crate from outside against vectors and oracles, at release's optimisation",
    level: "test",
    uses: ["tests"],
    reader: "cargo",
    limitMinutes: 20,
    command: cargoTest("--release", "--tests"),
    environment: () => optimised,
  },
  {
    name: "same tokens, unoptimised",
    why: "the golden file of draws with debug assertions and overflow checks: no optimisation changes a token",
    level: "test",
    uses: ["tests/same", "tests/golden/same.json"],
    reader: "cargo",
    limitMinutes: 15,
    command: cargoTest("--test", "same"),
  },
  ...crateSuites,
  moduleInBrowser("simd", "test", "the crate's tests inside WebAssembly, with SIMD"),
  ...benchSuites,
  ...installSuites,
  {
    name: "same tokens, Node and Chromium",
    why: "the golden file of draws in the built package, with SIMD and without",
    level: "test",
    uses: ["tests/engines", "tests/golden/same.json"],
    needs: ["packages", "package", "browser"],
    limitMinutes: 20,
    command: script("test-engines", "node", "chromium"),
  },
  {
    name: "page in a browser",
    why: "the built page, served with its policy headers",
    level: "test",
    uses: ["tests/browser"],
    needs: ["packages", "site", "browser"],
    reader: "vitest",
    limitMinutes: 15,
    command: vitest("browser"),
  },
  {
    name: "sizes",
    why: "what is downloaded stays within its budget",
    level: "test",
    needs: ["packages", "site"],
    command: script("size"),
  },
  {
    name: "same tokens, every engine",
    why: "the golden file of draws wherever the crate runs, and the reference that confirms it",
    level: "long",
    uses: ["tests/engines", "tests/golden/same.json"],
    needs: ["packages", "package"],
    limitMinutes: 60,
    command: script("test-engines"),
  },
  {
    name: "millions of draws and points",
    why: "two hundred pairs of a row and a chain by the million draws, the f64 functions on a hundred million points",
    level: "long",
    uses: ["tests/statistics.rs", "tests/functions.rs"],
    reader: "cargo",
    limitMinutes: 60,
    command: cargoTest(
      "--release",
      "--test",
      "statistics",
      "--test",
      "functions",
      "--",
      "--ignored",
      "--nocapture",
    ),
    environment: () => optimised,
  },
  ...tokenizerSuites,
  ...modelSuites,
  moduleInBrowser("scalar", "long", "the crate's tests inside WebAssembly without SIMD: the same bits"),
  {
    name: "rust tests, unoptimised",
    why: "the crate from outside with debug assertions and overflow checks",
    level: "long",
    uses: ["tests"],
    reader: "cargo",
    limitMinutes: 60,
    command: cargoTest("--tests"),
    // Random plans are built by deeply nested calls, whose frames are many times as large without optimisation.
    environment: () => ({ RUST_MIN_STACK: String(2 ** 24) }),
  },
];
