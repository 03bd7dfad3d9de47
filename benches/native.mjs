// The native runner: the crate as a Rust program uses it.
import path from "node:path";
import { compilerFacts } from "../scripts/rust.mjs";
import { buildNative } from "./build.mjs";
import { runProgram, sortObjects } from "./programs.mjs";

/** Measures the crate natively: `{ records, versions }`. */
export async function runNative({ rows, timing, check, see }) {
  see?.("native: compiling, then every row");
  const program = path.join(await buildNative("native"), "native-bench");
  const { records } = sortObjects(await runProgram(program, [], { rows, timing, check }));
  return { records, versions: { rustc: (await compilerFacts("rustc")).release } };
}
