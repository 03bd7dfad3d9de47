// The Node runner: the built package in this process.
import path from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { checkYardstick, measureOurs, takeYardstick } from "./ours.mjs";

/** Node's clock, as measuring takes it. */
export const clock = { now: () => performance.now() };

/** The package's Node entry in a `dist` folder, started. */
export async function loadPackage(dist) {
  const package_ = await import(pathToFileURL(path.resolve(dist, "node.js")).href);
  await package_.default();
  return package_;
}

/** Measures the package in Node: `{ records, versions, passes }`. */
export async function runNode({ dist, yardstickBytes, rows, timing, draws, check, see }) {
  const { WasmSampler } = await loadPackage(dist);
  const take = () => (check ? checkYardstick : takeYardstick)(yardstickBytes, clock);
  const limit = await take();
  const { passes } = limit;
  const timed = { ...timing, ...clock };
  const how = { timing: timed, draws, limit, renew: check ? take : undefined };
  const records = await measureOurs({ WasmSampler, rows, who: "node", see, ...how });
  return { records, versions: { Node: process.versions.node, V8: process.versions.v8 }, passes };
}
