// Imports run one way: the crate's modules by tier, then js/, then www/ (arrows.mjs). Each finding names the file,
// the line and the forbidden arrow.
import { builtinModules } from "node:module";
import path from "node:path";
import { scriptFolders } from "./arrows.mjs";
import { circles, forbiddenUse, reexportedNames, usesIn } from "./crate-arrows.mjs";
import { isMain } from "./paths.mjs";
import { testFiles } from "./rust-source.mjs";
import { imports } from "./script-source.mjs";
import { conclude, readSources } from "./sources.mjs";
import { runMain } from "./steps.mjs";

/** Findings in the crate: forbidden arrows, then circles. */
export function crateFindings(sources) {
  const tests = testFiles(sources);
  const lib = sources.find(({ file }) => file === "src/lib.rs");
  const reexports = lib ? reexportedNames(lib.text) : new Map();
  const uses = sources
    .filter(({ file }) => !tests.has(file))
    .flatMap(({ file, text }) => usesIn(file, text, reexports).map((use) => ({ ...use, file })));
  const arrows = uses.flatMap(({ from, to, file, line }) => {
    const reason = forbiddenUse(from, to);
    return reason ? [{ file, line, sentence: `${from} -> ${to}: ${reason}` }] : [];
  });
  const rings = circles(uses).map((ring) => {
    const { file, line } = uses.find((use) => use.from === ring[0] && use.to === ring[1]);
    return { file, line, sentence: `a circle: ${ring.join(" -> ")}` };
  });
  return { count: uses.length, findings: [...arrows, ...rings] };
}

/** Why a script may not import this, or undefined where it may. */
function forbiddenImport(file, specifier) {
  const folder = file.split("/")[0];
  const { folders, packages } = scriptFolders[folder];
  if (/^[./]/.test(specifier)) {
    const target = path.posix.join(path.posix.dirname(file), specifier.replace(/\?.*$/, ""));
    const allowed = folders.some((other) => target === other || target.startsWith(`${other}/`));
    return allowed ? undefined : `${folder} -> ${target}: ${folder}/ imports only from ${folders.join(", ")}`;
  }
  const name = builtinModules.includes(specifier) ? `node:${specifier}` : specifier;
  return packages.some((pattern) => pattern.test(name))
    ? undefined
    : `${folder} -> ${name}: not among the packages of ${folder}/`;
}

/** Findings in js/, www/, scripts/ and benches/. */
export function scriptFindings(sources) {
  // What a bundler makes of an asset's address is an import; for a script it is a path like any other.
  const all = sources
    .flatMap(({ file, text }) => imports(file, text).map((found) => ({ file, ...found })))
    .filter(({ file, asset }) => !(asset && file.startsWith("scripts/")));
  const findings = all.flatMap(({ file, specifier, line }) => {
    const sentence = forbiddenImport(file, specifier);
    return sentence ? [{ file, line, sentence }] : [];
  });
  return { count: all.length, findings };
}

if (isMain(import.meta.url))
  await runMain(async () => {
    const crate = crateFindings(await readSources(/^src\/.*\.rs$/));
    const scripts = scriptFindings(await readSources(/^(js|www|scripts|benches)\/.*\.(m?js|tsx?)$/));
    return conclude(
      "import direction",
      [...crate.findings, ...scripts.findings],
      `${crate.count} arrows in the crate, ${scripts.count} in scripts`,
    );
  });
