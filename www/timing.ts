// Times from an input event to the end of drawing, as performance measures that tests and browsers' tools read.

export const INPUT_TO_DRAWN = "nucleus:input-to-drawn";
export const INPUT_TO_PRESENTED = "nucleus:input-to-presented";

const channel = typeof MessageChannel === "undefined" ? null : new MessageChannel();
const waiting: (() => void)[] = [];
channel?.port1.addEventListener("message", () => waiting.shift()?.());
channel?.port1.start();

/** Calls back in a new task, after every microtask in which components still write to the document. */
function afterMicrotasks(callback: () => void): void {
  waiting.push(callback);
  channel?.port2.postMessage(null);
}

/** Measures that are kept: enough to read a distribution from, without growing for as long as the page is open. */
const MOST_KEPT = 1000;
let kept = 0;

/** Notes that all that an input at `start` (ms) changes has been drawn. */
export function noteDrawn(start: number): void {
  afterMicrotasks(() => {
    if (++kept > MOST_KEPT) {
      performance.clearMeasures();
      kept = 1;
    }
    performance.measure(INPUT_TO_DRAWN, { start, end: performance.now() });
    requestAnimationFrame(() =>
      afterMicrotasks(() => performance.measure(INPUT_TO_PRESENTED, { start, end: performance.now() })),
    );
  });
}
