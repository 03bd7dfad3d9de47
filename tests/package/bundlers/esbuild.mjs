// esbuild, which follows no address of a file: the modules are imported with its own loader for files, and the
// package's worker is an entry of its own.
import { build } from "esbuild";

await build({
  entryPoints: {
    main: "main.mjs",
    "own-worker": "own-worker.mjs",
    thread: "nucleus-sampler/worker/thread",
  },
  bundle: true,
  format: "esm",
  outdir: "dist",
  outExtension: { ".js": ".mjs" },
  loader: { ".wasm": "file" },
  logLevel: "warning",
});
