// docs/stages.md: every stage and what holds it, as a table, then the names of its tests.

const INTRODUCTION = `# The stages and their tests

Every stage has a page in \`cargo doc\` (its definition, its ranges, what happens at every edge) and a file of tests of its own:
hand-computed tables, thresholds just below, at and just above, ties, one candidate, equal logits, logits of minus infinity,
extreme ones, the least that is kept, its report. Beside these:

- **oracle**: the file that computes the stage a second time, in exact arithmetic and without code of the crate; random plans
  compare kept sets, weights, masses and draws with it, bit for bit, and reach every stage;
- **golden**: cases of \`tests/golden/same.json\` with the stage in their chain, whose tokens are the same in every build and
  engine, and which a reference in NumPy confirms (\`docs/engines.md\`);
- **package**: test files of the npm package that set it;
- **moved boundary**: a test that fails when the stage's boundary is moved (\`docs/mutations.md\` says how).

On the page every stage is a card; \`tests/page/why.test.ts\` has, for each, the sentence on a token that it removed or whose
probability it changed, and \`tests/browser/stages.test.ts\` adds each in a browser. Written by \`node scripts/stage-table.mjs --write\`.
`;

const code = (name) => `\`${name}\``;
const base = (file) => file.split("/").at(-1);
/** A link from docs/ to a file of the repository. */
const link = (label, file) => `[${label}](../${file})`;

function row({ name, source, purpose, own, tests, oracle, golden, inPackage, mutation }) {
  const cells = [
    link(code(name), source),
    purpose,
    own.length === 0 ? "none" : link(own.length, tests),
    oracle === null ? "" : link(base(oracle), oracle),
    golden.toLocaleString("en"),
    inPackage,
    mutation === null ? "" : code(mutation.test),
  ];
  return `| ${cells.join(" | ")} |`;
}

const list = (names) => names.map((name) => `- ${name.replaceAll("_", " ")}`).join("\n");

/** The page for what `readStages()` gives. */
export function document({ stages, properties }) {
  const head = ["stage", "what it does", "own tests", "oracle", "golden", "package", "moved boundary"];
  const rule = ["---", "---", "---:", "---", "---:", "---:", "---"];
  const total = stages.reduce((sum, { own }) => sum + own.length, 0);
  const ofAll = properties
    .filter(({ names }) => names.length > 0)
    .map(({ file, names }) => `**${link(base(file), file)}**\n\n${list(names)}`);
  const ofEach = stages
    .filter(({ own }) => own.length > 0)
    .map(({ name, own, tests }) => `### ${code(name)}\n\n${link(base(tests), tests)}\n\n${list(own)}`);
  return [
    INTRODUCTION,
    [head, rule].map((cells) => `| ${cells.join(" | ")} |`).join("\n"),
    `${stages.map(row).join("\n")}\n`,
    `${stages.length} stages, ${total} tests of their own.\n`,
    "## Of all stages together\n",
    `${ofAll.join("\n\n")}\n`,
    "## Of each\n",
    `${ofEach.join("\n\n")}\n`,
  ]
    .join("\n")
    .replace("---: | ---: | --- |\n\n", "---: | ---: | --- |\n");
}
