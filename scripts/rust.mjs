// The Rust compiler that is in PATH: the one that builds and tests natively.
import { compareVersions, oldestRust } from "./crate.mjs";
import { capture } from "./processes.mjs";
import { StepFailure } from "./steps.mjs";

/** `{ release, host, text }` of a compiler, or undefined where it does not run. */
export async function compilerFacts(rustc, env) {
  const { code, stdout } = await capture(rustc, ["-vV"], { env });
  if (code !== 0) return undefined;
  const field = (name) => stdout.match(new RegExp(`^${name}: (.*)$`, "m"))?.[1] ?? "";
  return { release: field("release").replace(/-.*/, ""), host: field("host"), text: stdout.split("\n")[0] };
}

/** The folder that a compiler keeps its libraries in. */
export const sysroot = async (rustc, env) =>
  (await capture(rustc, ["--print", "sysroot"], { env })).stdout.trim();

/** Stops with a sentence where there is no Rust, or one too old for the crate. */
export async function checkRust() {
  const facts = await compilerFacts("rustc");
  if (!facts)
    throw new StepFailure(
      "No Rust compiler was found: install Rust (https://rustup.rs), open a new terminal and run this again.",
    );
  const oldest = oldestRust();
  if (compareVersions(facts.release, oldest) < 0)
    throw new StepFailure(
      `This is Rust ${facts.release} and the crate needs ${oldest} or later: run "rustup update stable", then run this again.`,
    );
}
