// The crate as crates.io would have it: what is in it, that each feature compiles alone, and that a Rust user compiles
// nothing for JavaScript.
import process from "node:process";
import { isMain } from "./paths.mjs";
import { capture } from "./processes.mjs";
import { conclude } from "./sources.mjs";
import { must, runMain, say } from "./steps.mjs";

/** What may be in the crate: its sources and what crates.io and lawyers read. */
const belongs = [
  /^src\/.*\.rs$/,
  /^Cargo\.(toml|toml\.orig|lock)$/,
  /^(README|CHANGELOG)\.md$/,
  /^LICENSE-(MIT|APACHE)$/,
  /^\.cargo_vcs_info\.json$/,
];

/** Feature sets that must compile, each alone. */
const featureSets = ["", "serde", "half", "model", "wasm", "serde,half,model,wasm", "wasm,wasm-model,trap"];

/** What only the JavaScript face may bring. */
const forJavaScript = /^(wasm-bindgen|js-sys|web-sys|serde-wasm-bindgen)\b/;

/** Files of a package list that do not belong there. */
export const strangers = (files) => files.filter((file) => !belongs.some((pattern) => pattern.test(file)));

/** Dependencies of a tree that exist for JavaScript alone. */
export const javascriptDependencies = (tree) =>
  tree.map((line) => line.trim()).filter((line) => forJavaScript.test(line));

const lines = (text) => text.split("\n").filter((line) => line !== "");

async function cargo(...args) {
  const result = await capture("cargo", args);
  if (result.code !== 0)
    throw new Error(`cargo ${args.join(" ")} failed (exit ${result.code}): ${result.stderr.trim()}`);
  return result.stdout;
}

if (isMain(import.meta.url))
  await runMain(async () => {
    // What is not committed yet is looked at too.
    const files = lines(await cargo("package", "--list", "--allow-dirty"));
    const findings = strangers(files).map((file) => ({
      file,
      line: 1,
      sentence: "has no place in the published crate",
    }));
    const rust = lines(
      await cargo(
        "tree",
        "--locked",
        "--edges",
        "normal",
        "--prefix",
        "none",
        "--features",
        "serde,half,model",
      ),
    );
    for (const name of javascriptDependencies(rust))
      findings.push({ file: "Cargo.toml", line: 1, sentence: `${name} is compiled for Rust users too` });
    for (const features of featureSets) {
      say(`      cargo check --features "${features}"`);
      const args = ["check", "--locked", "--lib", "--features", features];
      const env = { ...process.env, RUSTFLAGS: "-D warnings" };
      await must("cargo", args, { env, limitSeconds: 600 }, `The crate does not compile with "${features}"`);
    }
    return conclude(
      "crate",
      findings,
      `${files.length} files, ${featureSets.length} feature sets, ${new Set(rust).size - 1} dependencies at most`,
    );
  });
