// The suites of the benchmarks, as data. Their Rust packages stand apart from the crate: other samplers and the limit are in
// no lock file of ours, and what needs other samplers is no suite.
import process from "node:process";
import { benchTarget } from "./paths.mjs";

const sources = [
  "yardstick/src/lib.rs",
  "native/src/main.rs",
  "peers/src/main.rs",
  "tokenizers/src/lib.rs",
  "tokenizers/src/main.rs",
].map((file) => `benches/${file}`);
const manifest = (name) => ["--manifest-path", `benches/${name}/Cargo.toml`];

export const benchSuites = [
  {
    name: "rust format, benchmarks",
    why: "the benchmarks' own packages are laid out alike",
    level: "check",
    uses: sources,
    needs: ["components"],
    command: ["rustfmt", "--check", "--edition", "2024", ...sources],
  },
  {
    name: "clippy, benchmarks",
    why: "what measures natively is linted too",
    level: "test",
    uses: ["benches/native"],
    needs: ["components"],
    command: [
      ...["cargo", "clippy", "--locked", "--all-targets", ...manifest("native")],
      ...["--", "-D", "warnings"],
    ],
    environment: () => ({ CARGO_TARGET_DIR: benchTarget("native") }),
  },
  {
    name: "rust tests, yardstick",
    why: "the two-pass limit natively gives the right maximum and sum",
    level: "test",
    uses: ["benches/yardstick"],
    reader: "cargo",
    command: ["cargo", "test", "--release", "--locked", "--lib", ...manifest("yardstick")],
    environment: () => ({ CARGO_TARGET_DIR: benchTarget("yardstick") }),
  },
  {
    name: "benchmarks",
    why: "rows, tables and yardstick are right, and every runner runs once; no time is asserted",
    level: "test",
    uses: ["benches/tests"],
    needs: ["packages", "toolchain", "package", "browser"],
    reader: "node",
    limitMinutes: 20,
    command: [process.execPath, "--test", "benches/tests/"],
  },
];
