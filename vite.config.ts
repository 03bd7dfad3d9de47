// Builds the page: index.html and www/ into site/, on top of the built package in dist/.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin, runnerImport } from "vite";
import { filesToKeep, SERVICE_WORKER } from "./scripts/kept-files.mjs";
import { contentSecurityPolicy } from "./scripts/policy.mjs";

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Another build of the package can be tried by naming its entry file. */
const engine = process.env.NUCLEUS_ENGINE ?? path("./dist/web.js");
const packages = [
  { find: /^nucleus-sampler\/model$/, replacement: path("./dist/model.js") },
  { find: /^nucleus-sampler\/tiny\.gguf(?=$|\?)/, replacement: path("./models/tiny.gguf") },
  { find: /^nucleus-sampler$/, replacement: engine },
];

/** Writes the default row's first numbers into the page, so that the first paint needs no script. */
function staticFirstPaint(): Plugin {
  return {
    name: "first-paint",
    async transformIndexHtml(html) {
      const { module } = await runnerImport<typeof import("./www/first-paint")>(path("./www/first-paint.ts"));
      const first = JSON.parse(readFileSync(path("./www/data/first-fifty.json"), "utf8"));
      return html.replace("<!-- first paint -->", () => module.firstPaint(first));
    },
  };
}

/** Puts the policy into the built page, for hosts that cannot send headers; the development server needs more freedom. */
function policyElement(): Plugin {
  return {
    name: "content-security-policy",
    apply: "build",
    transformIndexHtml: () => [
      {
        tag: "meta",
        attrs: { "http-equiv": "Content-Security-Policy", content: contentSecurityPolicy },
        injectTo: "head-prepend",
      },
    ],
  };
}

/** Gives the service worker the names of all files of the build. */
function keptFiles(): Plugin {
  const publicFiles = readdirSync(path("./www/public"));
  return {
    name: "kept-files",
    apply: "build",
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        const script = bundle[SERVICE_WORKER];
        if (script?.type !== "asset") throw new Error(`${SERVICE_WORKER} is missing from the build.`);
        const files = filesToKeep([...Object.keys(bundle), ...publicFiles]);
        const hash = createHash("sha256").update(JSON.stringify(files));
        // Their names do not tell their content.
        for (const name of publicFiles) hash.update(readFileSync(path(`./www/public/${name}`)));
        const html = bundle["index.html"];
        if (html?.type === "asset") hash.update(html.source);
        const kept = { version: hash.digest("hex").slice(0, 12), ...files };
        script.source = `self.KEPT_FILES=${JSON.stringify(kept)};${script.source}`;
      },
    },
  };
}

export default defineConfig({
  base: "./",
  publicDir: "www/public",
  resolve: { alias: packages },
  plugins: [staticFirstPaint(), policyElement(), keptFiles()],
  worker: {
    format: "es",
    rollupOptions: {
      output: {
        // A service worker keeps its address from build to build.
        entryFileNames: ({ name }) =>
          name === "service-worker" ? SERVICE_WORKER : "assets/[name]-[hash].js",
      },
    },
  },
  build: {
    outDir: "site",
    target: "es2022",
    // Those that have light-dark(): style sheets are shipped as they are written.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
