// The chart's canvas: bars before and after the chain, and the cumulative curve. All positions are pixels.

import { KEPT } from "../../engine/protocol";
import { N_TINTS, type Palette } from "../palette";
import type { Column, Heights } from "./columns";
import type { Riser } from "./curve";

export interface Frame {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface Painting {
  readonly frame: Frame;
  readonly columns: readonly Column[];
  readonly heights: Heights;
  readonly risers: readonly Riser[];
  /** Heights of the horizontal grid lines. */
  readonly grid: readonly number[];
  /** By index of a stage: which tint its cut tokens have. */
  readonly tintOf: ReadonlyMap<number, number>;
  y(p: number): number;
}

/** The ribbon under the bars: its height with the gap above it. */
export const RIBBON = 6;
const RIBBON_GAP = 2;

/** Bars at least this wide have a gap between them. */
const GAP_FROM = 4;

/** A column's left edge and width; narrow ones end on whole pixels, so that no seams show between them. */
function extentOf({ x0, x1 }: Column): { left: number; width: number } {
  const width = x1 - x0;
  if (width > GAP_FROM) return { left: x0, width: width - Math.min(2, width / 6) };
  const left = Math.round(x0);
  return { left, width: Math.max(1, Math.round(x1) - left) };
}

export function paint(context: CanvasRenderingContext2D, painting: Painting, palette: Palette): void {
  const { frame } = painting;
  context.save();
  context.translate(frame.left, frame.top);
  paintGrid(context, painting, palette);
  paintCut(context, painting, palette);
  paintKept(context, painting, palette);
  paintRibbon(context, painting, palette);
  paintOutline(context, painting, palette);
  paintCurve(context, painting, palette);
  context.restore();
}

function paintGrid(context: CanvasRenderingContext2D, { grid, frame }: Painting, palette: Palette): void {
  context.fillStyle = palette.hairline;
  for (const y of grid) context.fillRect(0, Math.round(y), frame.width, 1);
}

function paintCut(context: CanvasRenderingContext2D, painting: Painting, palette: Palette): void {
  const { columns, heights, frame, y } = painting;
  columns.forEach((column, i) => {
    const cut = heights.cut[i] ?? 0;
    if (cut <= 0) return;
    context.fillStyle = tintAt(i, painting, palette);
    const top = y(cut);
    const { left, width } = extentOf(column);
    context.fillRect(left, top, width, frame.height - top);
  });
}

/** The tint of what is cut in a column. */
function tintAt(i: number, { heights, tintOf }: Painting, palette: Palette): string {
  const tint = tintOf.get(heights.cutBy[i] ?? KEPT);
  return tint === undefined ? palette.cut : (palette.tints[tint % N_TINTS] ?? palette.cut);
}

/** Under the bars, what became of every rank: the tail's own bars are too low to show a colour. */
function paintRibbon(context: CanvasRenderingContext2D, painting: Painting, palette: Palette): void {
  const { columns, heights, frame } = painting;
  const colourAt = (i: number) => ((heights.after[i] ?? 0) > 0 ? palette.kept : tintAt(i, painting, palette));
  let start = 0;
  columns.forEach(({ x1 }, i) => {
    // Neighbours of one colour are painted together.
    if (i + 1 < columns.length && colourAt(i + 1) === colourAt(start)) return;
    const left = Math.round(columns[start]?.x0 ?? 0);
    context.fillStyle = colourAt(start);
    context.fillRect(left, frame.height + RIBBON_GAP, Math.round(x1) - left, RIBBON - RIBBON_GAP);
    start = i + 1;
  });
}

function paintKept(context: CanvasRenderingContext2D, painting: Painting, palette: Palette): void {
  const { columns, heights, frame, y } = painting;
  context.fillStyle = palette.kept;
  columns.forEach((column, i) => {
    const after = heights.after[i] ?? 0;
    if (after <= 0) return;
    const top = y(after);
    const { left, width } = extentOf(column);
    context.fillRect(left, top, width, frame.height - top);
  });
}

/** One line over the tops of all bars, as they were before the chain. */
function paintOutline(context: CanvasRenderingContext2D, painting: Painting, palette: Palette): void {
  const { columns, heights, frame, y } = painting;
  context.beginPath();
  columns.forEach((column, i) => {
    const top = Math.min(frame.height - 0.5, y(heights.before[i] ?? 0));
    const { left, width } = extentOf(column);
    const right = left + width;
    if (column.x1 - column.x0 > GAP_FROM) {
      context.moveTo(left + 0.5, frame.height);
      context.lineTo(left + 0.5, top);
      context.lineTo(right - 0.5, top);
      context.lineTo(right - 0.5, frame.height);
    } else {
      if (i === 0) context.moveTo(left, top);
      context.lineTo(left, top);
      context.lineTo(right, top);
    }
  });
  context.strokeStyle = palette.outline;
  context.lineWidth = 1.25;
  context.stroke();
}

function paintCurve(context: CanvasRenderingContext2D, painting: Painting, palette: Palette): void {
  const { risers, frame } = painting;
  const sumY = (sum: number) => (1 - sum) * frame.height;
  context.beginPath();
  context.moveTo(0, frame.height);
  for (const { x0, x1, high } of risers) {
    if (x1 - x0 > 1.5) context.lineTo(x0, sumY(high));
    context.lineTo(x1, sumY(high));
  }
  const end = risers.at(-1);
  if (end !== undefined) context.lineTo(frame.width, sumY(end.high));
  context.lineJoin = "round";
  // A seam of paper on both sides keeps the line apart from the bars and outlines that it crosses.
  for (const [colour, wide] of [[palette.paper, 5] as const, [palette.curve, 2] as const]) {
    context.strokeStyle = colour;
    context.lineWidth = wide;
    context.stroke();
  }
}
