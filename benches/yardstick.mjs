// The two-pass limit as a WebAssembly module. Nothing of Node is used: the page measures with this file too.

/** A pure maximum must fit this often into the two passes, else something is wrong with how the limit was built. */
export const sane = { from: 8, to: 12, at: 128_256 };

/** How many have been started. */
let started = 0;

/** The module with a custom section that no other has: an engine that knows the others compiles it anew. */
function unlikeOthers(bytes) {
  started += 1;
  const name = [...`limit ${started}`].map((letter) => letter.charCodeAt(0));
  return Uint8Array.of(...bytes, 0, name.length + 1, name.length, ...name);
}

/** Starts the module, compiled anew: `{ row(n), maxPass(n), twoPasses(n, r) }`. */
export async function startYardstick(bytes) {
  const { instance } = await WebAssembly.instantiate(unlikeOthers(new Uint8Array(bytes)));
  const { memory, row_address, max_pass, two_passes } = instance.exports;
  return {
    row: (n) => new Float32Array(memory.buffer, row_address(), n),
    maxPass: max_pass,
    twoPasses: two_passes,
  };
}

/** How much longer it may take beside the maximum, on any row, than when it was judged. */
const drift = 1.15;

/** Whether it is still as it was: engines have been seen to make one slower in the midst of a run. */
export const isSteady = (passes, judged) => passes <= judged * drift;

/** Why the limit cannot be trusted, or undefined. `passes` is the two passes' time as a multiple of the maximum's. */
export function yardstickFault(passes) {
  if (passes >= sane.from && passes <= sane.to) return undefined;
  return `The two-pass limit takes ${passes.toFixed(1)} times a pure maximum and must take ${sane.from} to ${sane.to}: it is mis-built, and nothing may be measured against it.`;
}
