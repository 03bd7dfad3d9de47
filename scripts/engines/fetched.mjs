// Engines that the package registries carry, in an ignored folder: each is fetched when it is first asked for.
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { findProgram, toolsFolder } from "../paths.mjs";
import { capture } from "../processes.mjs";
import { follow, step } from "../steps.mjs";

const folder = path.join(toolsFolder, "engines");

/** npm's own packages of engines, and Node's own binaries by platform; the version that was compared last. */
const node = `node-${process.platform}-${process.arch}`;
const npmEngines = {
  bun: { package: "bun", version: "1.4.5" },
  deno: { package: "deno", version: "2.9.6" },
  "node-22": { package: node, program: "node", version: "22.22.0" },
  "node-24": { package: node, program: "node", version: "24.13.0" },
  "node-26": { package: node, program: "node", version: "26.3.0" },
};
const pythonPackages = { wasmtime: "wasmtime==50.0.1", numpy: "numpy>=2,<3" };

const lastLine = ({ stdout, stderr }) => `${stdout}\n${stderr}`.trim().split("\n").at(-1);

async function fetched({ title, there, fetch }) {
  let why;
  await step({
    title,
    why: "one of the engines that are compared; fetched once",
    done: async () => ((await there()) ? "here" : false),
    run: async () => {
      const result = await fetch();
      if (await there()) return undefined;
      why = `it could not be fetched: ${lastLine(result)}`;
      return why;
    },
  });
  return why;
}

/** An engine that npm carries: `{ program }`, or `{ why }` it is missing. */
export async function npmEngine(name) {
  const home = path.join(folder, name);
  const engine = npmEngines[name];
  const program = path.join(home, "node_modules", ".bin", engine.program ?? name);
  const why = await fetched({
    title: `${engine.package} ${engine.version}`,
    there: async () =>
      existsSync(program) && (await capture(program, ["--version"])).stdout.includes(engine.version),
    fetch: async () => {
      await mkdir(home, { recursive: true });
      await writeFile(path.join(home, "package.json"), '{ "private": true }\n');
      const args = [
        "install",
        "--prefix",
        home,
        "--save-exact",
        "--no-audit",
        "--no-fund",
        `${engine.package}@${engine.version}`,
      ];
      return follow("npm", args, { cwd: home, limitSeconds: 600 });
    },
  });
  return why ? { why } : { program };
}

/** A Python that has a package: `{ program }`, or `{ why }` it is missing. */
export async function pythonWith(name) {
  const home = path.join(folder, "python");
  const program = path.join(home, "bin", "python");
  const python = findProgram(["python3"]);
  if (!python) return { why: "there is no python3 in PATH" };
  const why = await fetched({
    title: `Python's ${name}`,
    there: async () => existsSync(program) && (await capture(program, ["-c", `import ${name}`])).code === 0,
    fetch: async () => {
      const made = await follow(python, ["-m", "venv", home], { limitSeconds: 120 });
      if (made.code !== 0) return made;
      return follow(program, ["-m", "pip", "install", "--quiet", pythonPackages[name]], {
        limitSeconds: 600,
      });
    },
  });
  return why ? { why } : { program };
}
