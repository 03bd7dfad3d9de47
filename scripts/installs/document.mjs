// docs/install.md: how the package is taken into a program, and the matrix of installs that were run.
import os from "node:os";

const recipes = `# Installing it

\`\`\`js
import init, { WasmSampler } from "nucleus-sampler";
await init();
\`\`\`

Nothing else is needed in Node, Deno (\`--allow-read\`), Bun, Vite, webpack and on Cloudflare's workers; importing alone
touches nothing, so that a server may render what imports it. The entries:

| entry | what it does |
|---|---|
| \`nucleus-sampler\` | the one of the following that the platform asks for |
| \`nucleus-sampler/web\` | fetches the module from beside its script |
| \`nucleus-sampler/node\` | reads the module from beside its script |
| \`nucleus-sampler/inline\` | has both builds as text: nothing is fetched or read. For single files, extensions, and bundlers that follow no addresses |
| \`nucleus-sampler/worker\` | \`SamplerWorker\`: the same sampler in a thread of its own, every call a promise |
| \`nucleus-sampler/worker/thread\` | the script of that thread, for a worker that you start yourself |
| \`nucleus-sampler/nucleus_sampler_bg.wasm\`, \`nucleus-sampler/nucleus_sampler_scalar_bg.wasm\` | the module with SIMD, and without |
| \`nucleus-sampler/model\` | models from GGUF files and their tokenizers, in a module of their own |
| \`nucleus-sampler/tiny.gguf\` | a model of 2.4 MB, the raw file |
| \`nucleus-sampler/provenance.json\` | what the modules were made with, and their hashes |

\`\`\`js
import { SamplerWorker } from "nucleus-sampler/worker";
const worker = new SamplerWorker(); // a module worker (in Node, a thread); its script and its module lie in the package
const sampler = await worker.sampler({ temperature: 0.8, topP: 0.95, seed: 42 });
const token = await sampler.sample(logits); // the methods of WasmSampler, each with a promise of its answer
await sampler.accept(token);
worker.terminate(); // what is not answered yet is rejected with the code "freed"
\`\`\`

- **A page without a bundler** imports \`./node_modules/nucleus-sampler/dist/web.js\` (or the folder, wherever it is copied).
- **A content security policy** needs \`'wasm-unsafe-eval'\` in \`script-src\`, and \`worker-src 'self'\` for workers; nothing is
  evaluated and no blob is made.
- **Vite** needs no setting. Where its cache of installed packages lies elsewhere than \`node_modules/.vite\` beside the package,
  versions before 8 need \`optimizeDeps: { exclude: ["nucleus-sampler"] }\`; the error says so.
- **Next** needs no setting with either of its bundlers: pages, routes in Node and at the edge.
- **Rollup** needs a plugin that follows \`new URL("...", import.meta.url)\`, or the inline entry.
- **esbuild** follows no such address: use the inline entry, or its loader \`file\` for \`.wasm\`:
  \`import file from "nucleus-sampler/nucleus_sampler_bg.wasm"; await init(file);\`. For the worker make
  \`nucleus-sampler/worker/thread\` an entry of its own, and hand both over:
  \`new SamplerWorker({ source: file, worker: new Worker("./thread.js", { type: "module" }) })\`.
- **A bundle for Node** that moves scripts away from their files: use the inline entry; the error says so.
- **\`require("nucleus-sampler")\`** works where Node loads modules so: from 20.19, 22.12 and all later ones.
- **Deno** asks for permission to read the module; the inline entry needs none.
`;

const result = ({ missing, problem }) => (missing ? `missing: ${missing}` : problem ? "**fails**" : "works");

/** The rows as a Markdown table. */
export function table(rows) {
  const cells = rows.map((row) => [row.name, row.version, row.checked, result(row)]);
  const lines = [
    ["install", "version", "what was checked", "result"],
    ["---", "---", "---", "---"],
    ...cells,
  ];
  return lines.map((line) => `| ${line.join(" | ")} |`).join("\n");
}

const kilobytes = (bytes) => (bytes / 1000).toFixed(1);

/** Sizes as a Markdown table. */
export function sizes(rows) {
  const cells = rows.map(({ name, raw, gzip, brotli, budget }) =>
    [name, ...[raw, gzip, brotli, budget.brotli].map(kilobytes)].join(" | "),
  );
  return [
    "| kB | raw | gzip | brotli | budget |",
    "|---|---:|---:|---:|---:|",
    ...cells.map((it) => `| ${it} |`),
  ].join("\n");
}

/** The whole document. */
export const document = (rows, sized) => `${recipes}
## What was run

The packed tarball, installed by npm into a fresh project outside of the checkout, and run there. *Draws* are those of
\`tests/golden/same.json\` over rows up to 4,096 tokens: tokens, kept sets, probabilities and entropies were compared bit
for bit, once with the build that \`init()\` chooses by itself and once with each build by name. Use before \`init\` had to
be \`not_initialized\`, and two starts one. Pages ran in Chromium: the plain one and what Vite, webpack, Rollup and esbuild had
built were served with a policy of \`default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self';
worker-src 'self'\`; development servers and Next serve by themselves.

Written by \`npm run test:installs -- --write\` on ${new Date().toISOString().slice(0, 10)}: ${os.type()} on ${os.arch()}.

${table(rows)}

## What it weighs

Scripts as they are shipped, with comments and whole names; a bundler makes less of them. One of the two modules is
fetched beside the scripts, but for the inline entry, which has both as text. Budgets are those after brotli, in
\`scripts/entry-sizes.mjs\` and \`scripts/size.mjs\`.

${sizes(sized)}

## Where the modules come from

\`provenance.json\` beside them names the compiler, its flags, wasm-bindgen, wasm-opt, and the hashes of sources and modules.
\`npm run verify:wasm\`, with a tarball or the folder of an installed package behind it, builds them anew from a checkout of
the same sources in another folder, with the standard library where that is built from source, and compares every byte.
`;
