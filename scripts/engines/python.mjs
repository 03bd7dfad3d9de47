// What Python runs: wasmtime over the module without imports, and the contract's reference in NumPy.
import { inRoot } from "../paths.mjs";
import { capture } from "../processes.mjs";
import { pythonWith } from "./fetched.mjs";
import { plainModules } from "./modules.mjs";
import { judged, missing } from "./outcome.mjs";

const versionOf = async (program, name) =>
  (
    await capture(program, ["-c", `import importlib.metadata as m; print(m.version('${name}'))`])
  ).stdout.trim();

async function wasmtime() {
  const { program, why } = await pythonWith("wasmtime");
  if (why) return [missing("wasmtime", why)];
  const version = await versionOf(program, "wasmtime");
  const rows = [];
  for (const [build, module] of Object.entries(await plainModules())) {
    const ran = await capture(program, [inRoot("tests/engines/wasmtime_run.py"), module], {
      limitSeconds: 900,
    });
    rows.push(judged(`wasmtime, ${build}`, version, ran));
  }
  return rows;
}

async function reference() {
  const { program, why } = await pythonWith("numpy");
  if (why) return [missing("the reference in NumPy", why)];
  const version = await versionOf(program, "numpy");
  const ran = await capture(program, ["-W", "error", inRoot("tests/golden/reference.py")], {
    limitSeconds: 900,
  });
  return [judged("the reference in NumPy, no code of the crate", version, ran)];
}

export const pythonEngines = { wasmtime, reference };
