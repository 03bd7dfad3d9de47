// Who may use whom, as data: the picture in the crate's documentation, made checkable.

/**
 * The crate's modules in tiers. A module may use those of lower tiers, and of its own tier where that makes no
 * circle. `lib.rs` may use all: it is the map.
 */
export const crateTiers = [
  ["error", "math", "rng", "options", "names", "parameter", "value", "rank", "repeats"],
  ["kernel"],
  ["candidates", "history", "controllers"],
  ["stage"],
  ["chain"],
  [
    "report",
    "state",
    "guard",
    "batch",
    "preset",
    "explain",
    "sampler",
    "row",
    "distribution",
    "logprobs",
    "input",
    "setup",
    "sample",
    "threads",
  ],
  ["translate"],
  ["wasm"],
];

/** Modules beside the tiers: each uses only what is named, and only the named (and `lib.rs`) use it. */
export const crateIslands = {
  half: { uses: [], usedBy: [] },
  stats: { uses: ["error", "math", "rng"], usedBy: ["wasm"] },
  model: { uses: ["error", "math"], usedBy: ["wasm"] },
  tokenizer: { uses: ["error", "math"], usedBy: ["wasm"] },
  import: { uses: ["error", "math"], usedBy: ["wasm"] },
};

/** Folders of JavaScript: which folders (or built files) each may import, and which packages. */
export const scriptFolders = {
  js: { folders: ["js", "dist/wasm"], packages: [/^node:/] },
  www: {
    folders: ["www", "js"],
    packages: [/^preact(\/|$)/, /^@preact\/signals$/, /^d3-scale$/, /^nucleus-sampler(\/|$)/],
  },
  scripts: { folders: ["scripts"], packages: [/^node:/, /^vite$/, /^playwright-core$/] },
  benches: {
    folders: ["benches", "scripts"],
    packages: [/^node:/, /^playwright-core$/, /^@huggingface\/transformers$/, /^@tensorflow\/tfjs$/],
  },
};
