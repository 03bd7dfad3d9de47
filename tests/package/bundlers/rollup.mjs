// Rollup with the plugin that follows `new URL("...", import.meta.url)` to files. It knows no workers: their scripts
// are entries of their own, and the page that names one is left as it is.
import resolve from "@rollup/plugin-node-resolve";
import { importMetaAssets } from "@web/rollup-plugin-import-meta-assets";
import { rollup } from "rollup";

const bundle = await rollup({
  input: { main: "main.mjs", "own-worker": "own-worker.mjs", thread: "nucleus-sampler/worker/thread" },
  plugins: [resolve({ browser: true }), importMetaAssets({ exclude: "**/main.mjs" })],
  onwarn: (warning) => {
    throw new Error(warning.message);
  },
});
await bundle.write({ dir: "dist", format: "esm", entryFileNames: "[name].mjs" });
