// Other samplers, each in its own process with the limit measured beside it.

/** The size at which samplers are compared. */
export const comparedSize = 128_256;

/** The rows that others are measured on: the compared size, and the real ones. */
export const comparedRows = (rows) => rows.filter(({ shape, n }) => shape === "real" || n === comparedSize);
