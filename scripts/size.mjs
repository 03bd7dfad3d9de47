// Sizes of what a visitor or a user of the package downloads, against budgets. Size is a feature: a build that
// outgrows its budget fails.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import zlib from "node:zlib";
import { inRoot, isMain } from "./paths.mjs";
import { filesUnder } from "./stamps.mjs";
import { runMain, StepFailure } from "./steps.mjs";

/** Budgets in bytes after brotli; each sampler module is to come down to 60 kB. `files` picks among the files under `folder`; what it picks is added up. */
export const budgets = [
  { name: "sampler module, SIMD", folder: "dist", files: /\/nucleus_sampler_bg\.wasm$/, brotli: 84_000 },
  {
    name: "sampler module, scalar",
    folder: "dist",
    files: /\/nucleus_sampler_scalar_bg\.wasm$/,
    brotli: 90_000,
  },
  { name: "sampler glue", folder: "dist", files: /\/nucleus_sampler\.js$/, brotli: 12_000 },
  {
    name: "page, its code and the sampler",
    folder: "site",
    // One of the two modules is fetched: the scalar one stands above.
    files: /^(?!.*_scalar_bg).*\.(html|css|js|wasm|svg|webmanifest)$/,
    brotli: 150_000,
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

/** `{ name, files, raw, gzip, brotli, budget }` for one budget. */
export async function measureSize({ name, folder, files, brotli: budget }) {
  const picked = existsSync(inRoot(folder))
    ? (await filesUnder(folder)).filter((file) => files.test(file))
    : [];
  if (picked.length === 0)
    throw new StepFailure(
      `Nothing in ${folder}/ is "${name}": run npm run build:site, or mend the pattern in scripts/size.mjs.`,
    );
  const total = { name, files: picked.length, raw: 0, gzip: 0, brotli: 0, budget };
  for (const file of picked) {
    const bytes = await readFile(inRoot(file));
    total.raw += bytes.length;
    total.gzip += zlib.gzipSync(bytes, { level: 9 }).length;
    total.brotli += sentSize(file, bytes);
  }
  return total;
}

/** The rows as a table of text, sizes in kB of a thousand bytes. */
export function sizeTable(rows) {
  const kilobytes = (bytes) => (bytes / 1000).toFixed(1).padStart(8);
  const width = Math.max(...rows.map(({ name }) => name.length));
  const line = ({ name, files, raw, gzip, brotli, budget }) =>
    `${name.padEnd(width)} ${String(files).padStart(5)} ${[raw, gzip, brotli, budget].map(kilobytes).join(" ")}${brotli > budget ? "  OVER" : ""}`;
  return [`${"kB".padEnd(width)} files      raw     gzip   brotli   budget`, ...rows.map(line)].join("\n");
}

if (isMain(import.meta.url))
  await runMain(async () => {
    const rows = [];
    for (const budget of budgets) rows.push(await measureSize(budget));
    console.log(sizeTable(rows));
    const over = rows.filter(({ brotli, budget }) => brotli > budget);
    console.log(
      `sizes: ${rows.length} measured, ${over.length === 0 ? "all within budget" : `over budget: ${over.map(({ name }) => name).join(", ")}`}`,
    );
    return over.length === 0 ? 0 : 1;
  });
