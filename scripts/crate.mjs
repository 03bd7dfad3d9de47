// What the scripts need to know of Cargo.toml: read there, written nowhere else.
import { readFileSync } from "node:fs";
import { inRoot } from "./paths.mjs";
import { StepFailure } from "./steps.mjs";

function fromCargoToml(pattern, what) {
  const found = readFileSync(inRoot("Cargo.toml"), "utf8").match(pattern);
  if (!found)
    throw new StepFailure(
      `Cargo.toml no longer names ${what} where scripts/crate.mjs looks for it: mend the pattern there.`,
    );
  return found[1];
}

/** The oldest Rust that builds the crate. */
export const oldestRust = () => fromCargoToml(/^rust-version\s*=\s*"([\d.]+)"/m, "rust-version");

/** The exact wasm-bindgen version of the crate, which its CLI must equal. */
export const wasmBindgenVersion = () =>
  fromCargoToml(/^wasm-bindgen\s*=\s*\{[^}]*version\s*=\s*"=([\d.]+)"/m, "an exact wasm-bindgen version");

/** Compares dotted versions: negative when `a` is older than `b`. */
export function compareVersions(a, b) {
  const parts = (version) => version.split(".").map(Number);
  const [left, right] = [parts(a), parts(b)];
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
