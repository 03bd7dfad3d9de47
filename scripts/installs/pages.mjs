import { contentSecurityPolicy } from "../policy.mjs";
import { serve } from "../serve.mjs";
import { pageOutcomes, theBrowser } from "./browser.mjs";
import { choices, judged, stated } from "./outcome.mjs";
import { makeProject } from "./project.mjs";

const places = ["page", "nucleus-sampler/worker", "the page's own module worker"];

/** The rows of a page that is served at `url`: one for each of the first `n` places. */
export async function rowsOf(title, version, url, n = places.length) {
  const outcomes = [];
  for (const { choice } of choices) outcomes.push(await pageOutcomes(url, choice));
  return places.slice(0, n).map((place, i) =>
    judged(
      `${title}, ${place}`,
      version,
      outcomes.map((all) => all[i] ?? all[0]),
    ),
  );
}

/** Serves a folder, with the strictest policy that lets WebAssembly run, while something is done. */
export async function served(folder, act) {
  const server = await serve({ root: folder });
  try {
    return await act(server.url);
  } finally {
    await server.close();
  }
}

// Without a bundler nothing knows where a package is: a page names its files.
const byPath = {
  "sampler.mjs": `export * from "./node_modules/nucleus-sampler/dist/web.js";
export { default } from "./node_modules/nucleus-sampler/dist/web.js";\n`,
  "threads.mjs": `export * from "./node_modules/nucleus-sampler/dist/worker.js";\n`,
};

async function plain() {
  const folder = await makeProject("plain", { files: byPath });
  const { version } = await theBrowser();
  return served(folder, (url) => rowsOf("plain page, no bundler, strict policy", `Chromium ${version}`, url));
}

const forbidding = contentSecurityPolicy.replace(" 'wasm-unsafe-eval'", "");

/** Where a page's policy does not let WebAssembly run, the error says which word is missing. */
async function forbidden() {
  const folder = await makeProject("forbidden", { files: byPath });
  const { version } = await theBrowser();
  return served(folder, async (url) => {
    const outcomes = await pageOutcomes(url, undefined, { policy: forbidding });
    const unsaid = outcomes.find(
      ({ failed }) => !/NucleusError.*'wasm-unsafe-eval' in the script-src/.test(failed),
    );
    const problem = unsaid && `it says ${unsaid.failed ?? "nothing: it ran"}`;
    const checked = "an error that names 'wasm-unsafe-eval', in page and workers";
    return [stated("policy without 'wasm-unsafe-eval'", `Chromium ${version}`, checked, problem)];
  });
}

export const pageInstalls = { plain, forbidden };
