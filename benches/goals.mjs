// The goals, as data: what each quantity may be at most, and where. Multiples of the two-pass limit unless a unit is given.

/** Sizes at which a shape's own goal holds; the real rows have their own size. */
export const largeSizes = [128_256, 262_144];

/** How much a chain may cost more at the second temperature. */
export const temperatureAllowance = 0.2;

const everywhere = (value) => ({ peaked: value, medium: value, flat: value });
const large = (real, peaked, medium, flat) => ({ real, peaked, medium, flat });
const times = (shapes, factor) =>
  Object.fromEntries(Object.entries(shapes).map(([shape, value]) => [shape, value * factor]));

const topP = large(2.2, 2.2, 3.2, 4);

/**
 * `large`: by shape, at the large sizes and on the real rows; `small`: by size, then by shape. `aim`, where there is one,
 * is what would be better still. `atLeast` turns the comparison around.
 */
export const goals = [
  {
    quantity: "greedy",
    large: large(0.15, 0.15, 0.15, 0.15),
    small: { 32000: everywhere(0.15), 1000: everywhere(0.3) },
  },
  {
    quantity: "no truncation",
    large: large(2, 2, 2, 2),
    small: { 32000: everywhere(2.1), 1000: everywhere(2.5) },
  },
  {
    quantity: "top-p",
    large: topP,
    aim: large(1.5, 1.7, 2.3, 2.8),
    small: { 32000: times(topP, 1.15), 1000: everywhere(5) },
  },
  {
    quantity: "top-k + top-p",
    large: large(0.35, 0.3, 0.3, 0.3),
    aim: { real: 0.2 },
    small: { 32000: everywhere(0.55), 1000: everywhere(2.5) },
  },
  {
    quantity: "top-p + min-p",
    large: large(0.5, 0.5, 0.5, 1.5),
    aim: { real: 0.25 },
    small: { 32000: { peaked: 0.65, medium: 0.65, flat: 2.8 }, 1000: everywhere(4) },
  },
  { quantity: "penalties, beyond their tokens", large: large(0.1, 0.1, 0.1, 0.1) },
  { quantity: "penalties, a distinct token", unit: "ns", large: large(3, 3, 3, 3) },
  { quantity: "distribution, inside wasm", large: large(20, 20, 20, 20) },
  { quantity: "distribution of a nucleus, inside wasm", large: large(6, 6, 6, 20) },
  { quantity: "sampleMany, a draw", unit: "ns", large: large(10, 10, 10, 25) },
  // What is left of measuring is allowed beside the copy itself.
  { quantity: "from an array, beyond the copy", large: large(0.03, 0.03, 0.03, 0.03) },
];

/** The goal of the native batch: how many times one core two must be. */
export const batchGoal = { rows: 64, cores: 2, atLeast: 1.7 };

/** One cell of the table: the worst of some values against what each may be. */
function judge(values, goal) {
  if (values.length === 0) return undefined;
  const worst = values.reduce((a, b) => (b.value / goal[b.shape] > a.value / goal[a.shape] ? b : a));
  return {
    goal: goal[worst.shape],
    reached: worst.value,
    where: worst,
    met: worst.value <= goal[worst.shape],
  };
}

/** A goal with the temperature's allowance, which only chains in multiples of the limit have. */
const relaxed = (shapes, allowance) =>
  Object.fromEntries(Object.entries(shapes).map(([shape, value]) => [shape, value + allowance]));

/**
 * Every goal against quantities `{ quantity, shape, row, n, temperature, value }` of one runner at one temperature. Returns
 * `[{ quantity, unit, column, goal, aim?, reached, where, met }]`; a cell without a measurement is left out.
 */
export function judgeGoals(quantities, { allowance = 0 } = {}) {
  return goals.flatMap(({ quantity, unit = "", large: shapes, aim = {}, small = {} }) => {
    const own = quantities.filter((item) => item.quantity === quantity);
    const cells = Object.keys(shapes).map((shape) => {
      const here = ({ shape: of, n }) => of === shape && (shape === "real" || largeSizes.includes(n));
      return [shape, judge(own.filter(here), relaxed(shapes, allowance)), aim[shape]];
    });
    for (const [size, limits] of Object.entries(small)) {
      const here = ({ shape, n }) => shape !== "real" && n === Number(size);
      cells.push([size, judge(own.filter(here), relaxed(limits, allowance))]);
    }
    return cells
      .filter(([, cell]) => cell)
      .map(([column, cell, wish]) => ({ quantity, unit, column, ...cell, ...(wish && { aim: wish }) }));
  });
}
