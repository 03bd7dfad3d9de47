import { describe, expect, test } from "vitest";
import { Latest } from "../../www/engine/latest";

/** A sender whose answers come when the test says so. */
function controlled() {
  const sent: number[] = [];
  const answers: (() => void)[] = [];
  const latest = new Latest<number>((wanted) => {
    sent.push(wanted);
    return new Promise((resolve) => answers.push(resolve));
  });
  const answer = async () => {
    answers.shift()?.();
    await Promise.resolve();
    await Promise.resolve();
  };
  return { latest, sent, answer };
}

describe("latest.request(wanted)", () => {
  test("sends at once when nothing is in flight", () => {
    const { latest, sent } = controlled();
    latest.request(1);
    expect(sent).toEqual([1]);
  });

  test("has one request in flight, and sends only the newest of those that waited", async () => {
    const { latest, sent, answer } = controlled();
    for (const wanted of [1, 2, 3, 4]) latest.request(wanted);
    expect(sent).toEqual([1]);
    await answer();
    expect(sent).toEqual([1, 4]);
    await answer();
    expect(sent).toEqual([1, 4]);
    expect(latest.busy).toBe(false);
  });

  test("sends again after everything has been answered", async () => {
    const { latest, sent, answer } = controlled();
    latest.request(1);
    await answer();
    latest.request(2);
    expect(sent).toEqual([1, 2]);
  });
});
