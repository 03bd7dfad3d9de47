// What runs inside the page: fetches the rows and the limit, starts the package, measures.
import { measureOurs, takeYardstick } from "./ours.mjs";

const bytesOf = async (address) => (await fetch(address)).arrayBuffer();

/** Measures every row of a plan `{ rows, timing, draws, check }`; returns `{ records, passes }`. */
export async function measureHere({ rows, timing, draws, check }, see) {
  const { default: init, WasmSampler } = await import("./dist/web.js");
  await init();
  const bytes = await bytesOf("limit.wasm");
  const loaded = await Promise.all(
    rows.map(async (row, i) => ({ ...row, logits: new Float32Array(await bytesOf(`rows/${i}.f32`)) })),
  );
  if (!globalThis.crossOriginIsolated)
    throw new Error("The page is not isolated, so that its clock is coarse.");
  const now = () => performance.now();
  const take = () => takeYardstick(bytes, { now, groupMilliseconds: timing.groupMilliseconds });
  const limit = await take();
  const { passes } = limit;
  const records = [];
  // A row at a time, with a pause between: a page that never yields is taken for stuck.
  for (const row of loaded) {
    records.push(
      ...(await measureOurs({
        WasmSampler,
        limit,
        renew: check ? take : undefined,
        rows: [row],
        timing: { ...timing, now },
        draws,
        who: "page",
        see,
      })),
    );
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  return { records, passes };
}
