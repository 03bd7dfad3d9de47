// The theme's colours for canvases, read from the style sheet's custom properties.

export interface Palette {
  readonly paper: string;
  readonly ink: string;
  readonly hairline: string;
  readonly kept: string;
  readonly cut: string;
  readonly outline: string;
  readonly curve: string;
  readonly drawn: string;
  /** Tints for tokens cut by the first, second, … stage that cuts. */
  readonly tints: readonly string[];
}

export const N_TINTS = 4;

/** The colours in force inside an element, each resolved to one that a canvas can paint. */
export function readPalette(element: Element): Palette {
  // A custom property reads as it is written, both themes' colours; only a colour in use is one of them.
  const probe = element.appendChild(document.createElement("span"));
  const style = getComputedStyle(probe);
  const colour = (name: string) => {
    probe.style.color = `var(--${name})`;
    return style.color;
  };
  const palette = {
    paper: colour("paper"),
    ink: colour("ink"),
    hairline: colour("hairline"),
    kept: colour("kept"),
    cut: colour("cut"),
    outline: colour("outline"),
    curve: colour("curve"),
    drawn: colour("drawn"),
    tints: Array.from({ length: N_TINTS }, (_, i) => colour(`cut-${i + 1}`)),
  };
  probe.remove();
  return palette;
}
