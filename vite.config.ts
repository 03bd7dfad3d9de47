// Builds the page: index.html and www/ into site/, on top of the built package in dist/.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin, runnerImport } from "vite";
import { contentSecurityPolicy } from "./scripts/policy.mjs";

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Another build of the package can be tried by naming its entry file. */
const engine = process.env.NUCLEUS_ENGINE ?? path("./dist/web.js");

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

export default defineConfig({
  base: "./",
  publicDir: "www/public",
  resolve: { alias: { "nucleus-sampler": engine } },
  plugins: [staticFirstPaint(), policyElement()],
  worker: { format: "es" },
  build: {
    outDir: "site",
    target: "es2022",
    // Those that have light-dark(): style sheets are shipped as they are written.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
