// Runs the comparison in a page and sends the outcome to the server that it came from.
import init, { WasmSampler } from "../../dist/web.js";
import { compare, recordedNames } from "./compare.mjs";

const golden = new URL("../golden/", import.meta.url);

async function outcome() {
  const same = await (await fetch(new URL("same.json", golden))).json();
  const recorded = {};
  for (const name of recordedNames(same)) {
    const response = await fetch(new URL(`rows/${name}.f32`, golden));
    recorded[name] = new Float32Array(await response.arrayBuffer());
  }
  await init(await (await fetch("/module.wasm")).arrayBuffer());
  return { ...compare(WasmSampler, same, recorded), agent: navigator.userAgent };
}

const body = JSON.stringify(await outcome().catch((error) => ({ failed: String(error) })));
await fetch("/outcome", { method: "POST", body });
