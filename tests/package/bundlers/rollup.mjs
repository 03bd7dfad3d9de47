// Rollup with the plugins that follow `new URL("...", import.meta.url)` to files and to workers.
import resolve from "@rollup/plugin-node-resolve";
import workers from "@surma/rollup-plugin-off-main-thread";
import { importMetaAssets } from "@web/rollup-plugin-import-meta-assets";
import { rollup } from "rollup";

const bundle = await rollup({
  input: "main.mjs",
  plugins: [resolve({ browser: true }), workers({ silenceESMWorkerWarning: true }), importMetaAssets()],
  onwarn: (warning) => {
    throw new Error(warning.message);
  },
});
await bundle.write({ dir: "dist", format: "esm" });
