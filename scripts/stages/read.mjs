// Every stage with what holds it, as the sources say: its page, its tests, its oracle, its golden draws, its mutation.
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { inRoot } from "../paths.mjs";

/** Stages that another file than one of their own is about, and the test file that is theirs. */
const ELSEWHERE = { greedy: { source: "src/chain.rs", tests: "tests/stages/temperature_zero.rs" } };
/** The draw ends every plan of the oracle, which has no name for it. */
const ORACLE_OF_DRAW = "tests/oracle/exact.rs";
/** What the golden file calls the lists that come with its rows. */
const LISTS = { logit_bias: "bias", allowed_tokens: "allowed", bad_words: "words", mask: "mask" };
/** Files of the oracle, the one that computes a stage before those that only call it. */
const ORACLE = ["writes", "exact_rules", "control", "steps", "walk"];

const text = (file) => readFile(inRoot(file), "utf8");
const camel = (name) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());

/** The engine's names of stages, in its order. */
export const stageNames = (source) =>
  [...source.matchAll(/^ {4}(\w+) = "([a-z_]+)",$/gm)].map(([, variant, name]) => ({ name, variant }));

/** What a stage is, from the first sentence of its page: what comes after its name. */
export const purpose = (source) =>
  /^\/\/! [^:\n]+: ((?:[^\n]+)(?:\n\/\/! [^\n*]+)*)/.exec(source)?.[1]?.replaceAll("\n//! ", " ");

/** The names of the tests in a Rust file. */
export const testNames = (source) =>
  [...source.matchAll(/#\[test\]\n(?:#\[[^\]]*\]\n)*fn (\w+)\(/g)].map(([, name]) => name);

/** Rows of the table of mutations: what was changed, and a test that fails, by stage. */
export function mutations(source) {
  const rows = [...source.matchAll(/^\| `(\w+)`[^|]*\| (.+?) \| `(\w+)` \|$/gm)];
  return rows.map(([, stage, change, test]) => ({ stage, change, test }));
}

/** How many cases of the golden file have a chain that names each stage. */
function goldenCounts({ chains, cases }, names) {
  const isIn = ({ options, uses }, name) =>
    name === "draw" ||
    options.order?.includes(name) === true ||
    Object.keys(options).some((key) => key.replace("Size", "") === camel(name)) ||
    uses.includes(LISTS[name]);
  return Object.fromEntries(
    names.map(({ name }) => [name, cases.filter(([, chain]) => isIn(chains[chain], name)).length]),
  );
}

async function filesOf(folder, pattern) {
  const entries = await readdir(inRoot(folder), { recursive: true });
  const files = entries.filter((file) => pattern.test(file)).sort();
  return Promise.all(files.map(async (file) => ({ file, source: await text(`${folder}/${file}`) })));
}

/** The file of the oracle in which a stage is computed a second time. */
async function oracleOf(variant) {
  if (variant === "Draw") return ORACLE_OF_DRAW;
  for (const file of ORACLE) {
    const source = await text(`tests/oracle/${file}.rs`);
    if (new RegExp(`(?:StageName|Rule)::${variant}\\b`).test(source)) return `tests/oracle/${file}.rs`;
  }
  return null;
}

/** Tests of the package in which an option is set: by name, so that a longer one does not count. */
function packageFiles(files, name) {
  const option =
    name === "draw" ? /sample(?:Many)?\(/ : new RegExp(`\\b(?:${camel(name)}(?:Size)?|${name})\\b`);
  return files.filter(({ source }) => option.test(source)).length;
}

export async function readStages() {
  const names = stageNames(await text("src/names.rs"));
  const golden = goldenCounts(JSON.parse(await text("tests/golden/same.json")), names);
  const moved = mutations(await text("docs/mutations.md"));
  const inPackage = await filesOf("tests/js", /\.test\.ts$/);
  const stages = names.map(async ({ name, variant }) => {
    const usual = { source: `src/stage/${name}.rs`, tests: `tests/stages/${name}.rs` };
    const { source, tests } = ELSEWHERE[name] ?? usual;
    return {
      ...{ name, source, tests },
      purpose: name in ELSEWHERE ? "temperature 0 at the end of the chain." : purpose(await text(source)),
      own: existsSync(inRoot(tests)) ? testNames(await text(tests)) : [],
      oracle: await oracleOf(variant),
      golden: golden[name],
      inPackage: packageFiles(inPackage, name),
      mutation: moved.find(({ stage }) => stage === name) ?? null,
    };
  });
  const properties = await filesOf("tests/properties", /\.rs$/);
  return {
    stages: await Promise.all(stages),
    properties: properties.map(({ file, source }) => ({
      file: `tests/properties/${file}`,
      names: testNames(source),
    })),
  };
}
