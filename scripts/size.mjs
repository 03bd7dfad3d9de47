// Sizes of what a visitor or a user of the package downloads, against budgets. Size is a feature: a build that
// outgrows its budget fails.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import zlib from "node:zlib";
import { entryRows } from "./entry-sizes.mjs";
import { inRoot, isMain } from "./paths.mjs";
import { filesUnder } from "./stamps.mjs";
import { runMain, StepFailure } from "./steps.mjs";

/** Budgets in bytes after brotli, a little above what there is. To come down: each sampler module to 60 kB, the page to 150. `files` picks among the files under `folder`; what it picks is added up. */
export const budgets = [
  { name: "sampler module, SIMD", folder: "dist", files: /\/nucleus_sampler_bg\.wasm$/, brotli: 116_000 },
  {
    name: "sampler module, scalar",
    folder: "dist",
    files: /\/nucleus_sampler_scalar_bg\.wasm$/,
    brotli: 122_000,
  },
  { name: "model module, SIMD", folder: "dist", files: /\/nucleus_model_bg\.wasm$/, brotli: 100_000 },
  {
    name: "model module, scalar",
    folder: "dist",
    files: /\/nucleus_model_scalar_bg\.wasm$/,
    brotli: 100_000,
  },
  { name: "tiny model", folder: "models", files: /\/tiny\.gguf$/, brotli: 2_500_000 },
  { name: "model glue", folder: "dist", files: /\/nucleus_model\.js$/, brotli: 9_000 },
  { name: "sampler glue", folder: "dist", files: /\/nucleus_sampler\.js$/, brotli: 12_000 },
  {
    name: "page, its code and the sampler",
    folder: "site",
    // One of the two modules is fetched: the scalar one stands above. Models have a part of their own.
    files: /^(?!.*(_scalar_bg|model)).*\.(html|css|js|wasm|svg|webmanifest)$/,
    brotli: 194_000,
  },
  {
    name: "page, the part for models",
    folder: "site",
    // Fetched when a model is used.
    files: /^(?!.*_scalar_bg).*model.*\.(css|js|wasm)$/,
    brotli: 115_000,
  },
  {
    name: "default row and vocabulary",
    folder: "site",
    files: /(once|vocab)[^/]*\.(bin|f32|gz|json|txt)$/,
    brotli: 340_000,
  },
];

const brotliSize = (bytes) => zlib.brotliCompressSync(bytes).length;
// Data files are packed already: a server sends them as they are, so they count as they are.
const sentSize = (file, bytes) => (/\.(bin|gz|f32|gguf)$/.test(file) ? bytes.length : brotliSize(bytes));

/** `{ name, files, raw, gzip, brotli, budget }` of some files together. */
export async function measured({ name, files, budget }) {
  const total = { name, files: files.length, raw: 0, gzip: 0, brotli: 0, budget };
  for (const file of files) {
    const bytes = await readFile(inRoot(file));
    total.raw += bytes.length;
    total.gzip += zlib.gzipSync(bytes, { level: 9 }).length;
    total.brotli += sentSize(file, bytes);
  }
  return total;
}

/** The files that a budget picks. */
async function picked({ name, folder, files, brotli }) {
  const found = existsSync(inRoot(folder))
    ? (await filesUnder(folder)).filter((file) => files.test(file))
    : [];
  if (found.length === 0)
    throw new StepFailure(
      `Nothing in ${folder}/ is "${name}": run npm run build:site, or mend the pattern in scripts/size.mjs.`,
    );
  return { name, files: found, budget: { brotli } };
}

const isOfPackage = ({ folder }) => folder !== "site";

/** What the package is made of, measured: its entries, its modules and its model. */
export async function packageSizes() {
  const ofPackage = budgets.filter(isOfPackage);
  return Promise.all([...(await entryRows()), ...(await Promise.all(ofPackage.map(picked)))].map(measured));
}

/** Everything that has a budget, measured. */
export async function allSizes() {
  const others = await Promise.all(budgets.filter((budget) => !isOfPackage(budget)).map(picked));
  return [...(await packageSizes()), ...(await Promise.all(others.map(measured)))];
}

const isOver = (row) => Object.entries(row.budget).some(([form, limit]) => row[form] > limit);
const kilobytes = (bytes) => (bytes / 1000).toFixed(1).padStart(8);

/** The rows as a table of text, sizes in kB of a thousand bytes; the budget is that after brotli. */
export function sizeTable(rows) {
  const width = Math.max(...rows.map(({ name }) => name.length));
  const line = (row) =>
    `${row.name.padEnd(width)} ${String(row.files).padStart(5)} ${[row.raw, row.gzip, row.brotli, row.budget.brotli].map(kilobytes).join(" ")}${isOver(row) ? "  OVER" : ""}`;
  return [`${"kB".padEnd(width)} files      raw     gzip   brotli   budget`, ...rows.map(line)].join("\n");
}

if (isMain(import.meta.url))
  await runMain(async () => {
    const rows = await allSizes();
    console.log(sizeTable(rows));
    const over = rows.filter(isOver);
    console.log(
      `sizes: ${rows.length} measured, ${over.length === 0 ? "all within budget" : `over budget: ${over.map(({ name }) => name).join(", ")}`}`,
    );
    return over.length === 0 ? 0 : 1;
  });
