// Markdown tables of what was measured.
import { temperatures } from "./chains.mjs";
import { judgeGoals, temperatureAllowance } from "./goals.mjs";
import { quantities } from "./quantities.mjs";

/** "0.153", "2.21", "34.5", "512": three figures, as many as the measurement is worth. */
export function figure(value) {
  const size = Math.abs(value);
  return value.toFixed(size < 1 ? 3 : size < 10 ? 2 : size < 100 ? 1 : 0);
}

/** "128,256" */
export const grouped = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ",");

/** A Markdown table; the first column is text, the others numbers. */
export function markdownTable(header, lines) {
  const row = (cells) => `| ${cells.join(" | ")} |`;
  const rule = header.map((_, i) => (i === 0 ? "---" : "---:"));
  return [row(header), row(rule), ...lines.map(row)].join("\n");
}

const columns = ["real", "peaked", "medium", "flat", "32000", "1000"];
const columnTitles = ["real", "peaked", "medium", "flat", "32,000, worst shape", "1,000, worst shape"];

/** "2.10 of 2.2", bold where the goal was missed. */
export function goalCell({ reached, goal, aim, met }) {
  const goals = `${Number(goal.toFixed(3))}${aim === undefined ? "" : ` (${aim})`}`;
  const text = `${figure(reached)} of ${goals}`;
  return met ? text : `**${text}**`;
}

/** Cells of `judgeGoals` as a table: one line a quantity. */
export function goalTable(cells) {
  const names = [...new Set(cells.map(({ quantity }) => quantity))];
  const lines = names.map((name) => {
    const own = cells.filter(({ quantity }) => quantity === name);
    const at = (column) => own.find((cell) => cell.column === column);
    const title = own[0].unit ? `${name}, ${own[0].unit}` : name;
    return [title, ...columns.map((column) => (at(column) ? goalCell(at(column)) : ""))];
  });
  return markdownTable(["chain", ...columnTitles], lines);
}

/** "31 of 48 goals reached", and each that was missed with its figure. */
export function goalSummary(cells) {
  const missed = cells.filter(({ met }) => !met);
  const line = `${cells.length - missed.length} of ${cells.length} goals reached.`;
  const sentence = ({ quantity, column, reached, goal, unit, where }) =>
    `- ${quantity}, ${column}: ${figure(reached)} and not ${Number(goal.toFixed(3))}${unit && ` ${unit}`} (${where.row}, ${grouped(where.n)})`;
  return [line, ...(missed.length > 0 ? ["", "Missed:", "", ...missed.map(sentence)] : [])].join("\n");
}

/** The tables of goals of one runner, one a temperature. */
export function goalTables(records) {
  const all = quantities(records);
  return temperatures
    .map((temperature) => ({
      temperature,
      cells: judgeGoals(
        all.filter((item) => item.temperature === temperature),
        { allowance: temperature === temperatures[0] ? 0 : temperatureAllowance },
      ),
    }))
    .filter(({ cells }) => cells.length > 0);
}

/** Every row against every quantity, as multiples of the limit or in the quantity's unit. */
export function detailTable(records, temperature) {
  const all = quantities(records).filter((item) => item.temperature === temperature);
  const names = [...new Set(all.map(({ quantity }) => quantity))];
  const rows = [...new Map(all.map(({ row, n }) => [`${row}, ${grouped(n)}`, { row, n }]))];
  const limitOf = ({ row, n }) =>
    records.find(
      (record) =>
        record.chain === "limit" &&
        record.row === row &&
        record.n === n &&
        record.temperature === temperature,
    );
  const lines = rows.map(([title, place]) => {
    const value = (name) => {
      const found = all.filter(
        ({ quantity, row, n }) => quantity === name && row === place.row && n === place.n,
      );
      return found.map((item) => figure(item.value)).join(" / ");
    };
    return [title, figure(limitOf(place).milliseconds * 1000), ...names.map(value)];
  });
  return markdownTable(["row", "limit, us", ...names], lines);
}
