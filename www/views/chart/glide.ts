// Bars on their way to new heights: 120 ms, unless a handle is held or motion is not wanted.

import type { Heights } from "./columns";

const DURATION_MS = 120;

export class Glide {
  readonly #paint: (heights: Heights) => void;
  readonly #still = window.matchMedia("(prefers-reduced-motion: reduce)");
  #shown: Heights | null = null;
  #frame = 0;

  constructor(paint: (heights: Heights) => void) {
    this.#paint = paint;
  }

  /** Paints the heights now, or glides to them where that is wanted and the columns are the same. */
  to(target: Heights, glides: boolean): void {
    cancelAnimationFrame(this.#frame);
    const start = this.#shown;
    if (!glides || start === null || this.#still.matches || start.before.length !== target.before.length) {
      this.#show(target);
      return;
    }
    const startedAt = performance.now();
    const step = () => {
      const share = Math.min(1, (performance.now() - startedAt) / DURATION_MS);
      this.#show(share === 1 ? target : between(start, target, 1 - (1 - share) ** 2));
      if (share < 1) this.#frame = requestAnimationFrame(step);
    };
    step();
  }

  #show(heights: Heights): void {
    this.#shown = heights;
    this.#paint(heights);
  }
}

function between(start: Heights, target: Heights, share: number): Heights {
  const mix = (a: Float64Array, b: Float64Array) =>
    b.map((end, i) => (a[i] ?? 0) + (end - (a[i] ?? 0)) * share);
  return {
    before: mix(start.before, target.before),
    after: mix(start.after, target.after),
    cut: mix(start.cut, target.cut),
    cutBy: target.cutBy,
  };
}
