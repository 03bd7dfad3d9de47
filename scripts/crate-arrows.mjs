// Which module of the crate uses which, read from paths that start with `crate::` or `super::`.
import { crateIslands, crateTiers } from "./arrows.mjs";
import { enclosingModules, lineAt, pastClosing, productCode } from "./rust-source.mjs";

const tierOf = (module) => crateTiers.findIndex((tier) => tier.includes(module));

/** Why a module may not use another, or undefined where it may. */
export function forbiddenUse(from, to) {
  if (from === "lib" || from === to) return undefined;
  const [island, guarded] = [crateIslands[from], crateIslands[to]];
  if (island) return island.uses.includes(to) ? undefined : `${from} may use only ${island.uses.join(", ")}`;
  if (guarded)
    return guarded.usedBy.includes(from) ? undefined : `only ${guarded.usedBy.join(", ")} may use ${to}`;
  const unplaced = [from, to].find((module) => tierOf(module) < 0);
  if (unplaced) return `${unplaced} has no place in scripts/arrows.mjs`;
  return tierOf(to) <= tierOf(from) ? undefined : `${to} is above ${from}`;
}

/** `src/stage/top_p.rs` is `["stage", "top_p"]`; `src/lib.rs` is `[]`. */
function modulePath(file) {
  const parts = file
    .replace(/^src\//, "")
    .replace(/\.rs$/, "")
    .split("/");
  return parts.filter((part) => part !== "mod" && part !== "lib");
}

/** The first names of what follows `crate::`: one, or one for each branch of a group. */
export function firstNames(rest) {
  const single = rest.match(/^\s*(?:r#)?(\w+|\*)/);
  if (single) return [single[1]];
  const open = rest.indexOf("{");
  let group = rest.slice(open + 1, pastClosing(rest, open) - 1);
  while (group.includes("{")) group = group.replace(/\{[^{}]*\}/g, "");
  return group.split(",").flatMap((branch) => branch.match(/(?:r#)?(\w+|\*)/)?.[1] ?? []);
}

/** What `lib.rs` re-exports: a name to the module that it lives in. */
export function reexportedNames(libText) {
  const names = new Map();
  for (const [, module, rest] of productCode(libText).matchAll(
    /\bpub\s+use\s+(?:crate::|self::)?(\w+)::([^;]+);/g,
  ))
    for (const name of rest.match(/\w+/g) ?? []) names.set(name, module);
  return names;
}

/** Every use of a top-level module in one file: `{ from, to, line }`. */
export function usesIn(file, text, reexports) {
  const code = productCode(text);
  const here = modulePath(file);
  const from = here[0] ?? "lib";
  const uses = [];
  for (const match of code.matchAll(/(?<![\w:$])(crate|(?:super\s*::\s*)*super)\s*::/g)) {
    const up = match[1].match(/super/g)?.length ?? 0;
    const base = up === 0 ? [] : [...here, ...enclosingModules(code, match.index)].slice(0, -up);
    const names = base.length > 0 ? [base[0]] : firstNames(code.slice(match.index + match[0].length));
    for (const name of names)
      uses.push({ from, to: reexports.get(name) ?? name, line: lineAt(code, match.index) });
  }
  return uses;
}

/** Circles among modules, each as the list of modules from one back to itself. */
export function circles(uses) {
  const arrows = new Map();
  for (const { from, to } of uses)
    if (from !== to && from !== "lib") arrows.set(from, (arrows.get(from) ?? new Set()).add(to));
  const found = [];
  const done = new Set();
  const walk = (module, trail) => {
    if (trail.includes(module)) found.push([...trail.slice(trail.indexOf(module)), module]);
    if (trail.includes(module) || done.has(module)) return;
    for (const next of arrows.get(module) ?? []) walk(next, [...trail, module]);
    done.add(module);
  };
  for (const module of arrows.keys()) walk(module, []);
  return found;
}
