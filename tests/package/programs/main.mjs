// A page that asks the package three times: in its own thread, through the package's worker, and in a worker of its own.
import { check, checkWorker, told } from "./check.mjs";
import * as nucleus from "./sampler.mjs";
import * as threads from "./threads.mjs";

const asked = new URLSearchParams(location.search).get("simd");
const choice = asked === null ? undefined : { simd: asked === "true" };

function inOwnWorker() {
  const worker = new Worker(new URL("./own-worker.mjs", import.meta.url), { type: "module" });
  worker.postMessage(choice);
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message || "the page's own worker was not loaded"));
  });
}

globalThis.outcome = Promise.all([
  told(check(nucleus, choice)),
  told(checkWorker(threads, choice)),
  inOwnWorker().catch((error) => JSON.stringify({ failed: String(error) })),
]);
