// The way that a model's text has come: how each beginning of it was left, so that a step back finds it again.

import { NO_CONTROLLERS, type State } from "./state";

/** What a text's place in the stream was, what its controllers had come to, and what was edited in its row. */
type Left = Pick<State, "edits" | "controllers" | "from">;

export class Trail {
  /** By the number of output tokens. */
  #left: (Left | undefined)[] = [];

  /** Follows the page from one state to the next; a token that joins the output is a step. */
  follow(state: State, next: State): void {
    if (next.output === state.output && next.prompt === state.prompt && next.source === state.source) return;
    const nKept = next.prompt === state.prompt && next.source === state.source ? nAlike(state, next) : -1;
    const [n, nNext] = [state.output.length, next.output.length];
    const isStep = nKept === n && nNext === n + 1;
    // Going back and coming again is no other way; whatever else is, begins where the two part.
    if (isStep || nKept < Math.min(n, nNext)) this.#left.length = Math.min(this.#left.length, nKept + 1);
    if (!isStep) return;
    const { edits, controllers, from } = state;
    this.#left[n] = { edits, controllers, from };
  }

  /**
   * The state with no more than the first tokens of its output, as it was left there. An output that came with an
   * address has no way behind it: draws go on where they are, with fresh controllers.
   */
  back(state: State, nOutput: number): State {
    const fresh = { edits: [], controllers: NO_CONTROLLERS, from: state.from };
    const output = state.output.slice(0, nOutput);
    return { ...state, ...(this.#left[nOutput] ?? fresh), output, draws: 0 };
  }
}

/** How many tokens two outputs have in common at their beginning. */
function nAlike({ output: a }: State, { output: b }: State): number {
  const end = Math.min(a.length, b.length);
  let n = 0;
  while (n < end && a[n] === b[n]) n++;
  return n;
}
