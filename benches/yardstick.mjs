// The two-pass limit as a WebAssembly module. Nothing of Node is used: the page measures with this file too.

/** A pure maximum must fit this often into the two passes, else something is wrong with how the limit was built. */
export const sane = { from: 8, to: 12, at: 128_256 };

/** Starts the module: `{ row(n), maxPass(n), twoPasses(n, r) }`. */
export async function startYardstick(bytes) {
  const { instance } = await WebAssembly.instantiate(bytes);
  const { memory, row_address, max_pass, two_passes } = instance.exports;
  return {
    row: (n) => new Float32Array(memory.buffer, row_address(), n),
    maxPass: max_pass,
    twoPasses: two_passes,
  };
}

/** Why the limit cannot be trusted, or undefined. `passes` is the two passes' time as a multiple of the maximum's. */
export function yardstickFault(passes) {
  if (passes >= sane.from && passes <= sane.to) return undefined;
  return `The two-pass limit takes ${passes.toFixed(1)} times a pure maximum and must take ${sane.from} to ${sane.to}: it is mis-built, and nothing may be measured against it.`;
}
