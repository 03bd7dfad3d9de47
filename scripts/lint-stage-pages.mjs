// The documentation as a reader of `cargo doc` sees it: every stage has a page, and on it the rule for every edge.
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { inRoot, isMain } from "./paths.mjs";
import { conclude } from "./sources.mjs";
import { must, runMain } from "./steps.mjs";

/** What stands on a stage's page, in this order. */
const headings = ["Definition", "Parameters", "Boundary and ties", "Draws", "Cost", "Threshold", "Reference"];

/** Why a page is not what a reader needs, or undefined. */
export function pageFault(html) {
  const found = [...html.matchAll(/<strong>([^<]+?)\.<\/strong>/g)].map(([, heading]) => heading);
  const places = headings.map((heading) => found.indexOf(heading));
  const missing = headings.filter((_, i) => places[i] < 0);
  if (missing.length > 0) return `shows no ${missing.join(", no ")}`;
  if (places.some((place, i) => place < places[i - 1])) return `has its headings in another order`;
  return /<pre class="[^"]*\brust\b/.test(html) ? undefined : "shows no example";
}

/** In the stages' folder: the list of them, and how a caller adds one. */
const notStages = ["mod.rs", "own.rs"];

/** Findings for the stages of a folder, among the pages of another. */
export async function pageFindings(stages, pages) {
  const findings = [];
  for (const file of (await readdir(stages))
    .filter((name) => name.endsWith(".rs") && !notStages.includes(name))
    .sort()) {
    const page = path.join(pages, path.basename(file, ".rs"), "index.html");
    const fault = existsSync(page) ? pageFault(await readFile(page, "utf8")) : "has no page";
    if (fault)
      findings.push({ file: `src/stage/${file}`, line: 1, sentence: `the stage ${fault} in cargo doc` });
  }
  return findings;
}

if (isMain(import.meta.url))
  await runMain(async () => {
    const args = ["doc", "--locked", "--no-deps", "--features", "wasm,serde,model"];
    const env = { ...process.env, RUSTDOCFLAGS: "-D warnings" };
    await must(
      "cargo",
      args,
      { env, limitSeconds: 600 },
      "The documentation does not build: read what rustdoc says above",
    );
    const target = path.resolve(inRoot(), process.env.CARGO_TARGET_DIR || "target");
    const findings = await pageFindings(inRoot("src/stage"), path.join(target, "doc/nucleus_sampler/stage"));
    return conclude("stage pages", findings, `${headings.length} headings a page`);
  });
