// Which files of the built page are kept for use without a network, and when.

/** The service worker's script, beside the page. */
export const SERVICE_WORKER = "service-worker.js";

/** Fetched when used, so kept when there is time: models and what runs them, and all rows but the first. */
const usedLater = /model|\.gguf$|\/(capital|code|list|seven)-/;
/** Not kept before it was used: engines that can run the page run the build with SIMD. */
const seldom = /_scalar_bg/;

/** The names of a build's files as addresses beside the page: `{ first, later }`. */
export function filesToKeep(names) {
  const files = names.filter(
    (name) => name !== SERVICE_WORKER && !seldom.test(name) && !name.endsWith(".map"),
  );
  const addresses = files.map((name) => (name === "index.html" ? "./" : name)).sort();
  return {
    first: addresses.filter((name) => !usedLater.test(name)),
    later: addresses.filter((name) => usedLater.test(name)),
  };
}
