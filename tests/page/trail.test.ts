import { describe, expect, test } from "vitest";
import { INITIAL_STATE, NO_CONTROLLERS, type State } from "../../www/state";
import { Trail } from "../../www/trail";

const start: State = { ...INITIAL_STATE, source: "tiny" };
const at = (output: readonly number[], from: number): State => ({ ...start, output, from });

/** A trail that has followed these states. */
function trailOf(...states: State[]): Trail {
  const trail = new Trail();
  for (const [i, next] of states.entries()) trail.follow(states[i - 1] ?? next, next);
  return trail;
}

describe("trail.back(state, n)", () => {
  test("finds the place in the stream, the controllers and the edits that a text was left with", () => {
    const controllers = { ...NO_CONTROLLERS, mu: 4 };
    const edited: State = { ...at([7], 3), controllers, edits: [[1, 2]], draws: 2 };
    const trail = trailOf(start, edited, at([7, 8], 5));
    expect(trail.back(at([7, 8], 5), 1)).toEqual({ ...edited, draws: 0 });
    expect(trail.back(at([7, 8], 5), 0)).toEqual(start);
  });

  test("goes on in the stream, with fresh controllers, where nobody knows how the text has come", () => {
    const state = { ...at([7, 8], 5), controllers: { ...NO_CONTROLLERS, mu: 4 } };
    expect(new Trail().back(state, 1)).toEqual({ ...at([7], 5), controllers: NO_CONTROLLERS });
  });

  test("forgets a way that was left for another", () => {
    const trail = trailOf(start, at([7], 1), at([7, 8], 2), at([7, 8, 9], 3), at([7], 1), at([7, 5], 6));
    expect(trail.back(at([7, 5], 6), 1).from).toBe(1);
    // The third token came with another second one: how that text was left says nothing of this one.
    expect(trail.back(at([7, 5, 9], 6), 2).from).toBe(6);
  });

  test("still knows a way that was gone back and come again", () => {
    const trail = trailOf(start, at([7], 1), at([7, 8], 2), at([], 0), at([7, 8], 2));
    expect(trail.back(at([7, 8], 2), 1).from).toBe(1);
  });

  test("knows nothing of another prompt", () => {
    const trail = trailOf(start, at([7], 1), { ...start, prompt: "Else" });
    expect(trail.back({ ...at([7], 9), prompt: "Else" }, 0).from).toBe(9);
  });
});
