// Installs that only a compiler or a checker of packages looks at.
import { cp, writeFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { inRoot, root } from "../paths.mjs";
import { capture } from "../processes.mjs";
import { stated } from "./outcome.mjs";
import { makeProject, packedPackage } from "./project.mjs";
import { ensureTools, toolHome, versionOf } from "./tools.mjs";

const strict = {
  noEmit: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  skipLibCheck: false,
  target: "ES2022",
  lib: ["ES2022", "DOM"],
  types: [],
};

const resolutions = {
  node16: { module: "node16", moduleResolution: "node16" },
  nodenext: { module: "nodenext", moduleResolution: "nodenext" },
  bundler: { module: "esnext", moduleResolution: "bundler" },
};

/** A strict program that uses every entry, under each way of finding packages. */
async function typed(tool, home) {
  const folder = await makeProject("types", { tools: { [tool]: home } });
  await cp(inRoot("tests/package/types"), folder, { recursive: true });
  const rows = [];
  for (const [resolution, found] of Object.entries(resolutions)) {
    const settings = { compilerOptions: { ...strict, ...found }, files: ["program.ts"] };
    await writeFile(path.join(folder, "tsconfig.json"), JSON.stringify(settings));
    const compiler = path.join(folder, "node_modules", tool, "bin/tsc");
    const { code, stdout } = await capture(process.execPath, [compiler, "-p", folder], { cwd: folder });
    const name = `TypeScript strict, moduleResolution ${resolution}`;
    rows.push(
      stated(
        name,
        await versionOf(tool, home),
        "a program that uses every entry",
        code === 0 ? undefined : stdout.trim(),
      ),
    );
  }
  return rows;
}

async function olderTypes() {
  await ensureTools();
  return typed("typescript-5", toolHome);
}

async function checked(name, tool, program, args) {
  await ensureTools();
  const command = [path.join(toolHome, "node_modules", program), ...args];
  const { code, stdout, stderr } = await capture(process.execPath, command, { cwd: toolHome });
  const problem = code === 0 ? undefined : `${stdout}\n${stderr}`.trim();
  return [stated(name, await versionOf(tool), "the tarball, nothing found", problem)];
}

async function publint() {
  const { tarball } = await packedPackage();
  return checked("publint, strict", "publint", "publint/src/cli.js", ["run", tarball, "--strict"]);
}

/** The package is ESM alone, which is the profile: `require` of it is Node's, and is run. */
async function typesWrong() {
  const { tarball } = await packedPackage();
  const program = "@arethetypeswrong/cli/dist/index.js";
  const args = [tarball, "--profile", "esm-only", "--format", "ascii", "--no-emoji"];
  return checked("arethetypeswrong, profile esm-only", "@arethetypeswrong/cli", program, args);
}

export const checkerInstalls = {
  types: () => typed("typescript", root),
  "types, older": olderTypes,
  publint,
  attw: typesWrong,
};
