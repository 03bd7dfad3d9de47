// The checks can fail: each is shown what it is there to find.
import assert from "node:assert/strict";
import { test } from "node:test";
import { circles, firstNames, forbiddenUse, usesIn } from "../crate-arrows.mjs";
import { crateFindings, scriptFindings } from "../lint-arrows.mjs";
import { lengthFindings, measureRust, rustFiles, scriptFiles } from "../lint-lengths.mjs";
import { pageFault } from "../lint-stage-pages.mjs";
import { wordFindings } from "../lint-words.mjs";
import { imports } from "../script-source.mjs";

const sentences = ({ findings }) => findings.map(({ file, line, sentence }) => `${file}:${line} ${sentence}`);

test("forbiddenUse(from, to) lets arrows run down the tiers only", () => {
  assert.equal(forbiddenUse("chain", "stage"), undefined);
  assert.equal(forbiddenUse("stage", "stage"), undefined);
  assert.equal(forbiddenUse("lib", "wasm"), undefined);
  assert.match(forbiddenUse("stage", "chain"), /chain is above stage/);
  assert.match(forbiddenUse("chain", "report"), /report is above chain/);
  assert.match(forbiddenUse("model", "stage"), /model may use only error, math/);
  assert.match(forbiddenUse("chain", "tokenizer"), /only wasm may use tokenizer/);
  assert.match(forbiddenUse("chain", "helpers"), /helpers has no place/);
});

test("firstNames(rest) reads single paths, groups, nested groups and globs", () => {
  assert.deepEqual(firstNames("math::exp;"), ["math"]);
  assert.deepEqual(firstNames("{error::Error, math::{self, exp}, rng};"), ["error", "math", "rng"]);
  assert.deepEqual(firstNames("*;"), ["*"]);
});

test("usesIn(file) resolves crate, super, inline modules and re-exports, and ignores tests, comments and strings", () => {
  const text = `
    use crate::{error::Error, math};
    use super::super::chain::Chain;
    use super::top_k;
    // use crate::wasm::x;
    const TEXT: &str = "crate::report";
    mod inner { use super::super::super::history::History; }
    fn f() { crate::Sampler::new(); }
    #[cfg(test)]
    mod tests { use crate::batch::Batch; }
  `;
  const reexports = new Map([["Sampler", "sampler"]]);
  const uses = usesIn("src/stage/top_p.rs", text, reexports).map(({ to }) => to);
  assert.deepEqual(uses, ["error", "math", "chain", "stage", "history", "sampler"]);
});

test("the crate's check names file, line and arrow, and finds circles", () => {
  const found = crateFindings([
    { file: "src/lib.rs", text: "pub use chain::Chain;\nmod math;" },
    { file: "src/math.rs", text: "\nuse crate::Chain;" },
    { file: "src/report.rs", text: "use crate::state::State;" },
    { file: "src/state.rs", text: "use crate::report::Report;\n#[cfg(test)]\nmod tests;" },
    { file: "src/state/tests.rs", text: "use crate::wasm::anything;" },
  ]);
  assert.deepEqual(sentences(found), [
    "src/math.rs:2 math -> chain: chain is above math",
    "src/report.rs:1 a circle: report -> state -> report",
  ]);
});

test("circles(uses) finds none where arrows only join", () => {
  const uses = [
    ["a", "b"],
    ["a", "c"],
    ["b", "d"],
    ["c", "d"],
  ].map(([from, to]) => ({ from, to }));
  assert.deepEqual(circles(uses), []);
});

test("imports(file, text) sees static, type, dynamic, re-exported and worker imports", () => {
  const text = `import a from "./a"; import type { B } from "./b"; export * from "./c"; export { d } from "./d";
    const e = await import("./e"); const f = new Worker(new URL("./f.ts", import.meta.url)); type G = import("./g").G;`;
  const found = imports("x.ts", text).map(({ specifier }) => specifier);
  assert.deepEqual(found.sort(), ["./a", "./b", "./c", "./d", "./e", "./f.ts", "./g"]);
});

test("the scripts' check keeps js/ from www/, www/ from the module's glue, and both from strangers", () => {
  const found = scriptFindings([
    {
      file: "js/index.ts",
      text: 'import "../www/main";\nimport "lodash";\nimport "../dist/wasm/nucleus_sampler.js";',
    },
    {
      file: "www/main.ts",
      text: 'import "../dist/wasm/nucleus_sampler.js";\nimport "../js/web";\nimport "preact";',
    },
  ]);
  assert.deepEqual(sentences(found), [
    "js/index.ts:1 js -> www/main: js/ imports only from js, dist/wasm",
    "js/index.ts:2 js -> lodash: not among the packages of js/",
    "www/main.ts:1 www -> dist/wasm/nucleus_sampler.js: www/ imports only from www, js",
  ]);
});

const body = (lines) => "let x = 1;\n".repeat(lines - 2);

test("lengths count a function from its fn to its brace, and a file without its tests", () => {
  const text = `fn long() -> [u8; 3] {\n${body(41)}}\n#[cfg(test)]\nmod tests {\n${"fn t() {}\n".repeat(300)}}\n`;
  const { lines, functions } = measureRust(text);
  assert.deepEqual(functions, [{ name: "long", line: 1, lines: 41 }]);
  assert.equal(lines, 41);
});

test("lengths are not misled by braces in strings, characters, lifetimes and comments", () => {
  const text =
    "fn a<'x>(s: &'x str) -> char {\n  let _ = (\"}\", r#\"}\"#, '}', '\\'', b'}'); // }\n  /* } */ '{'\n}\nfn b() {}\n";
  assert.deepEqual(
    measureRust(text).functions.map(({ name, lines }) => [name, lines]),
    [
      ["a", 4],
      ["b", 1],
    ],
  );
});

test("lengths find long files and functions, honour the table to sixty, and find allowances that are not needed", () => {
  const measured = [
    {
      file: "a.rs",
      lines: 251,
      functions: [
        { name: "f", line: 3, lines: 41 },
        { name: "parse", line: 9, lines: 60 },
      ],
    },
    {
      file: "b.rs",
      lines: 250,
      functions: [
        { name: "g", line: 1, lines: 40 },
        { name: "parse", line: 9, lines: 61 },
      ],
    },
  ];
  const allowed = { "a.rs: parse": "a parser", "b.rs: parse": "a parser", "b.rs: g": "none" };
  assert.deepEqual(sentences({ findings: lengthFindings(measured, allowed) }), [
    "a.rs:1 251 lines, and a file may have 250",
    "a.rs:3 f has 41 lines, and may have 40",
    "b.rs:9 parse has 61 lines, and may have 60",
    'scripts/lint-lengths.mjs:1 "b.rs: g" needs no allowance any more',
  ]);
});

test("lengths look at the crate, the trainer and the scripts, and not at tests", () => {
  const looksAt = (file) => rustFiles.test(file) || scriptFiles.test(file);
  const looked = ["src/a.rs", "src/a/b.rs", "trainer/src/a/b.rs", "js/a.ts", "www/a.tsx", "benches/a.mjs"];
  assert.deepEqual(looked.filter(looksAt), looked);
  assert.deepEqual(["tests/a.rs", "scripts/tests/a.test.mjs", "trainer/README.md"].filter(looksAt), []);
});

test("words finds a machine's paths, registry hosts, unfinished code and the platform's mathematics", () => {
  const [slash, dot] = ["/", "."];
  const findings = [
    ["docs/a.md", `see ${slash}root${slash}x`],
    ["docs/a.md", `see ${slash}home${slash}ada${slash}x`],
    ["a.json", `https:${slash}${slash}registry${dot}npmjs${dot}org${slash}x`],
    ["src/a.rs", `fn f() { ${"to"}${"do!"}() }`],
    ["tests/js/a.ts", `test${dot}skip("x", () => {});`],
    ["trainer/src/a.rs", `fn f() { ${"to"}${"do!"}() }`],
    ["src/a.rs", "fn f(x: f64) -> f64 { x.exp() }"],
    ["src/a.rs", "fn f(x: f32) -> f32 { f32::powi(x, 2) }"],
  ];
  for (const [file, text] of findings) assert.equal(wordFindings(file, text).length, 1, text);
});

test("words leaves alone what only looks like it", () => {
  const fine = [
    ["docs/a.md", `https://example.test/${"work"}/x and ./root/x and paperwork/x`],
    ["src/a.rs", "fn f(x: f64) -> f64 { math::exp(x) + x.sqrt() } // x.exp()"],
    ["src/a.rs", "#[cfg(test)]\nmod tests { fn f(x: f64) -> f64 { x.exp() } }"],
    ["README.md", "https://crates.io/crates/x"],
  ];
  for (const [file, text] of fine) assert.deepEqual(wordFindings(file, text), [], text);
});

test("pageFault(html) names what a stage's page lacks", () => {
  const headings = [
    "Definition",
    "Parameters",
    "Boundary and ties",
    "Draws",
    "Cost",
    "Threshold",
    "Reference",
  ];
  const page = (names) => names.map((name) => `<p><strong>${name}.</strong> Text.</p>`).join("");
  const example = '<pre class="rust rust-example-rendered"><code></code></pre>';
  assert.equal(pageFault(page(headings) + example), undefined);
  assert.match(pageFault(""), /shows no Definition, no Parameters, no Boundary and ties/);
  assert.match(pageFault(page(headings.slice(1)) + example), /shows no Definition$/);
  assert.match(pageFault(page(headings.toReversed()) + example), /in another order/);
  assert.match(pageFault(page(headings)), /no example/);
});
