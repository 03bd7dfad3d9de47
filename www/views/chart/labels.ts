// Names on bars, placed so that none touches another, the curve or anything else already there.

export interface Box {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

/** A bar that wants its name, in pixels. */
export interface NamedBar {
  readonly name: string;
  readonly x0: number;
  readonly x1: number;
  readonly top: number;
}

export interface PlacedLabel {
  readonly name: string;
  readonly kind: "above" | "inside" | "upright" | "upright inside";
  /** The middle of the baseline of flat text; where upright text starts, to run upwards. */
  readonly x: number;
  readonly y: number;
}

export interface Surroundings {
  readonly plot: Box;
  readonly taken: readonly Box[];
  /** Whether the cumulative curve passes through a box. */
  crossesCurve(box: Box): boolean;
  widthOf(text: string): number;
}

const LINE = 14;
/** The room beside upright text, which has no descenders to spare for. */
const UPRIGHT = 12;
const GAP = 4;
/** From the baseline down to the lowest part of a letter. */
const DESCENT = 3;

/** Places what fits, in the order given: earlier bars first. After the first upright name none lies flat. */
export function placeLabels(bars: readonly NamedBar[], around: Surroundings): PlacedLabel[] {
  const taken = [...around.taken];
  const placed: PlacedLabel[] = [];
  for (const bar of bars) {
    const isUpright = ({ kind }: PlacedLabel) => kind.startsWith("upright");
    const uprightOnly = placed.some(isUpright);
    const found = candidates(bar, around).find(
      ({ label, box }) => (!uprightOnly || isUpright(label)) && isFree(box, taken, around),
    );
    if (found === undefined) continue;
    taken.push(found.box);
    placed.push(found.label);
  }
  return placed;
}

interface Candidate {
  readonly label: PlacedLabel;
  readonly box: Box;
}

function candidates({ name, x0, x1, top }: NamedBar, { plot, widthOf }: Surroundings): Candidate[] {
  const wide = widthOf(name);
  const middle = (x0 + x1) / 2;
  const barWidth = x1 - x0;
  const found: Candidate[] = [];
  if (wide <= barWidth + 2) {
    const y = top - GAP - DESCENT;
    found.push(flat("above", name, middle, y, wide));
    const inside = top + LINE + 1;
    if (wide <= barWidth - 6 && plot.y1 - top > LINE + 10)
      found.push(flat("inside", name, middle, inside, wide));
  }
  found.push(upright("upright", name, middle, top - GAP, wide));
  const foot = top + GAP + 2 + wide;
  if (barWidth >= UPRIGHT + 2 && foot < plot.y1)
    found.push(upright("upright inside", name, middle, foot, wide));
  return found;
}

function upright(
  kind: PlacedLabel["kind"],
  name: string,
  middle: number,
  y: number,
  wide: number,
): Candidate {
  const box = { x0: middle - UPRIGHT / 2, x1: middle + UPRIGHT / 2, y0: y - wide, y1: y };
  return { label: { name, kind, x: middle + UPRIGHT / 2 - DESCENT + 1, y }, box };
}

function flat(kind: PlacedLabel["kind"], name: string, x: number, y: number, wide: number): Candidate {
  const box = { x0: x - wide / 2 - 1, x1: x + wide / 2 + 1, y0: y + DESCENT - LINE, y1: y + DESCENT };
  return { label: { name, kind, x, y }, box };
}

function isFree(box: Box, taken: readonly Box[], { plot, crossesCurve }: Surroundings): boolean {
  const isInside = box.x0 >= plot.x0 - 2 && box.x1 <= plot.x1 + 2 && box.y0 >= plot.y0 && box.y1 <= plot.y1;
  return isInside && !taken.some((other) => overlaps(box, other)) && !crossesCurve(box);
}

export function overlaps(a: Box, b: Box): boolean {
  return a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1;
}
