// The suites about the crate as Rust people get it.
import { script } from "./suite-commands.mjs";

export const crateSuites = [
  {
    name: "crate as published",
    why: "what is in it, every feature alone, and nothing for JavaScript in a Rust user's build",
    level: "test",
    uses: ["Cargo.toml", "src"],
    limitMinutes: 15,
    command: script("check-crate"),
  },
  {
    name: "oldest Rust",
    why: "the minimum supported version is one that was tried",
    level: "long",
    uses: ["Cargo.toml", "src"],
    limitMinutes: 30,
    command: script("check-oldest-rust"),
  },
  {
    name: "crate beside candle",
    why: "the example compiles, and draws from a candle tensor",
    level: "long",
    uses: ["examples/candle"],
    reader: "cargo",
    limitMinutes: 30,
    command: [
      ...["cargo", "test", "--locked", "--release"],
      ...["--manifest-path", "examples/candle/Cargo.toml", "--target-dir", "target/examples/candle"],
    ],
  },
];
