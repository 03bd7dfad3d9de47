// How numbers are written on the page: counts, probabilities, entropies, logits, and the typed ones read back.

const NATS_PER_BIT = Math.LN2;
const MINUS = "−";
const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const counts = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

/** A count with thousands grouped: 49,152. */
export function formatCount(n: number): string {
  return counts.format(n);
}

/** Bytes in megabytes of a million: a tenth where there are few. */
export function formatMegabytes(bytes: number): string {
  const megabytes = bytes / 1e6;
  return megabytes.toFixed(megabytes < 10 ? 1 : 0);
}

/** A count with its noun, singular for one: "1 token", "96 tokens". */
export function formatTokens(n: number): string {
  return formatNumbered(n, "token");
}

/** A count with a noun whose plural ends in s, singular for one: "1 draw", "100 draws". */
export function formatNumbered(n: number, noun: string): string {
  return `${formatCount(n)} ${noun}${n === 1 ? "" : "s"}`;
}

/**
 * A probability in [0, 1] as a percentage. Small ones stay honest: below 0.01% two significant digits,
 * below 0.0001% a power of ten; 0% and 100% are written only for exactly 0 and 1.
 */
export function formatPercent(p: number): string {
  if (p === 0) return "0%";
  if (p === 1) return "100%";
  if (p < 1e-6) return formatScientific(p);
  if (p < 1e-4) return `${(p * 100).toPrecision(2)}%`;
  const percent = (p * 100).toFixed(2);
  return percent === "100.00" ? ">99.99%" : `${percent}%`;
}

/** Two different probabilities with as many decimals as it takes to tell them apart: 0.0996% and 0.1000%. */
export function formatApart(a: number, b: number): readonly [string, string] {
  const [first, second] = [formatPercent(a), formatPercent(b)];
  if (first !== second || a === b) return [first, second];
  for (let decimals = 3; decimals < 15; decimals++) {
    const [more, other] = [a, b].map((p) => `${(p * 100).toFixed(decimals)}%`);
    if (more !== undefined && other !== undefined && more !== other) return [more, other];
  }
  return [first, second];
}

/** A percentage without needless zeros, for thresholds that a person chose: 0.9 is 90%, 0.955 is 95.5%. */
export function formatThreshold(p: number): string {
  return `${Number((p * 100).toPrecision(12))}%`;
}

/** Two significant digits and a power of ten: 3.2·10⁻⁹. */
export function formatScientific(value: number): string {
  const [digits = "0", exponent = "0"] = value.toExponential(1).split("e");
  const power = Math.abs(Number(exponent));
  const raised = [...String(power)].map((digit) => SUPERSCRIPTS[Number(digit)]).join("");
  return `${digits}·10${Number(exponent) < 0 ? "⁻" : ""}${raised}`;
}

/** An entropy given in nats, in bits. */
export function formatBits(nats: number): string {
  return (nats / NATS_PER_BIT).toFixed(2);
}

/** A logit with three decimals and a true minus sign. */
export function formatLogit(logit: number): string {
  if (logit === -Infinity) return `${MINUS}∞`;
  const text = logit.toFixed(3);
  return text.startsWith("-") ? `${MINUS}${text.slice(1)}` : text;
}

/** A setting's value as it stands in a text field: "all" for Infinity; else at most `digits` decimals, no needless zeros cut below two. */
export function formatSetting(value: number, digits: number): string {
  if (value === Infinity) return "all";
  if (digits === 0) return String(value);
  const shortest = String(Number(value.toFixed(10)));
  const decimals = shortest.includes("e") ? 0 : (shortest.split(".")[1]?.length ?? 0);
  return decimals >= digits || shortest.includes("e") ? shortest : value.toFixed(digits);
}

/**
 * Reads a number as people type it: a point or one comma as decimal sign, a true minus sign, an infinity.
 * Returns null for anything else, thousands separators included, since their meaning is not certain.
 */
export function parseNumber(text: string): number | null {
  const plain = text.trim().replaceAll(MINUS, "-").replace("∞", "inf");
  if (/^[+-]?inf(inity)?$/i.test(plain)) return plain.startsWith("-") ? -Infinity : Infinity;
  if (!/^[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d+)?$/i.test(plain)) return null;
  return Number(plain.replace(",", "."));
}
