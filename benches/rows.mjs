// The rows that everything is measured on: five of a real model, and three shapes at four sizes from a fixed seed.
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { inRoot } from "../scripts/paths.mjs";

export const sizes = [262_144, 128_256, 32_000, 1000];

/** The size at which samplers are compared. */
export const comparedSize = 128_256;
export const shapes = ["peaked", "medium", "flat"];

const seed = 20_261_130;
const realFolder = inRoot("tests/golden/rows");

/** The temperature at which the shapes are what they are said to be. */
const shapeTemperature = 0.8;
const peaks = { count: 48, exponent: 1.1, mass: 0.98, base: 2.5 };
const medium = { nucleus: 1000, p: 0.95 };

/** Uniform in (0, 1): a Weyl sequence through a 32-bit mix, a word at a time. */
function uniforms(start) {
  let state = start >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let word = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    word = Math.imul(word ^ (word >>> 15), 0x735a2d97);
    return (((word ^ (word >>> 15)) >>> 0) + 0.5) / 2 ** 32;
  };
}

/** n values of N(0, 1), by Box and Muller's method. */
function gaussian(n, uniform) {
  return Float64Array.from({ length: n }, () => {
    const radius = Math.sqrt(-2 * Math.log(uniform()));
    return radius * Math.cos(2 * Math.PI * uniform());
  });
}

/** Zipf's peaks that together hold `peaks.mass` of the row, on a broad floor. */
function peaked(n, uniform) {
  const row = gaussian(n, uniform).map((value) => value * peaks.base);
  const places = new Set();
  while (places.size < peaks.count) places.add(Math.floor(uniform() * n));
  const weights = Array.from(places, (_, rank) => (rank + 1) ** -peaks.exponent);
  const floor = row.reduce(
    (sum, logit, id) => sum + (places.has(id) ? 0 : Math.exp(logit / shapeTemperature)),
    0,
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const scale = ((peaks.mass / (1 - peaks.mass)) * floor) / total;
  for (const [rank, id] of [...places].entries())
    row[id] = shapeTemperature * Math.log(weights[rank] * scale);
  return row;
}

/** How many of the highest values hold p of the mass of e^(value * factor); `sorted` is highest first. */
function nucleusSize(sorted, factor, p) {
  const weights = sorted.map((value) => Math.exp((value - sorted[0]) * factor));
  const target = p * weights.reduce((sum, weight) => sum + weight, 0);
  let mass = 0;
  for (const [rank, weight] of weights.entries()) {
    mass += weight;
    if (mass >= target) return rank + 1;
  }
  return sorted.length;
}

/** A gaussian, stretched until its nucleus has `medium.nucleus` tokens; a tenth of the row where it is shorter. */
function mediumRow(n, uniform) {
  const row = gaussian(n, uniform);
  const sorted = row.toSorted().reverse();
  const wanted = Math.min(medium.nucleus, n / 10);
  let [low, high] = [0.5, 8];
  for (let i = 0; i < 40; i++) {
    const middle = (low + high) / 2;
    if (nucleusSize(sorted, middle / shapeTemperature, medium.p) > wanted) low = middle;
    else high = middle;
  }
  return row.map((value) => value * high);
}

const generators = { peaked, medium: mediumRow, flat: gaussian };

/** One synthetic row as f32. The same arguments give the same bits. */
export function syntheticRow(shape, n) {
  const uniform = uniforms(seed + 31 * n + shapes.indexOf(shape));
  return Float32Array.from(generators[shape](n, uniform));
}

/** The five rows of a real model. */
async function realRows() {
  const files = (await readdir(realFolder)).filter((file) => file.endsWith(".f32")).sort();
  return Promise.all(
    files.map(async (file) => {
      const bytes = await readFile(path.join(realFolder, file));
      const logits = new Float32Array(new Uint8Array(bytes).buffer);
      return { shape: "real", name: `real ${path.basename(file, ".f32")}`, n: logits.length, logits };
    }),
  );
}

/** Every row, largest first: `{ shape, name, n, logits }`. */
export async function allRows() {
  const synthetic = sizes.flatMap((n) =>
    shapes.map((shape) => ({ shape, name: shape, n, logits: syntheticRow(shape, n) })),
  );
  return [...synthetic, ...(await realRows())].sort((a, b) => b.n - a.n);
}
