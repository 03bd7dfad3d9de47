// Runs what wrangler bundled in workerd, through miniflare, and prints what it says.
import { readdirSync } from "node:fs";
import process from "node:process";
import { Miniflare } from "miniflare";

const folder = `${process.cwd()}/dist`;
const files = readdirSync(folder);
const typeOf = (file) => (file.endsWith(".wasm") ? "CompiledWasm" : "ESModule");
const modules = ["worker.js", ...files.filter((file) => file.endsWith(".wasm"))];
const miniflare = new Miniflare({
  modulesRoot: folder,
  modules: modules.map((file) => ({ type: typeOf(file), path: `${folder}/${file}` })),
  compatibilityDate: "2026-03-01",
});
const response = await miniflare.dispatchFetch("http://localhost/", {
  method: "POST",
  body: process.argv[2],
});
console.log(await response.text());
await miniflare.dispose();
