import assert from "node:assert/strict";
import { test } from "node:test";
import { measure, median, quantile } from "../measure.mjs";

/** A clock that only tasks move, and tasks that take what they are told. */
function fakes() {
  let time = 0;
  const task = (name, milliseconds) => ({
    name,
    calls: 0,
    run(count) {
      this.calls += count;
      for (let i = 0; i < count; i++) time += milliseconds();
    },
  });
  return { now: () => time, task };
}

test("median(values) and quantile(values, share) take a value that is there", () => {
  assert.equal(median([3, 1, 2]), 2);
  assert.equal(median([4, 1, 3, 2]), 3);
  assert.equal(quantile([5, 4, 3, 2, 1], 0), 1);
});

test("measure(limit, tasks) gives the time of a call and its multiple of the limit", async () => {
  const { now, task } = fakes();
  const results = await measure(
    task("limit", () => 0.01),
    [task("a", () => 0.025)],
    {
      rounds: 8,
      warmMilliseconds: 5,
      groupMilliseconds: 1,
      now,
    },
  );
  assert.ok(Math.abs(results.get("a").milliseconds - 0.025) < 1e-9);
  assert.ok(Math.abs(results.get("a").limits - 2.5) < 1e-9);
  assert.equal(results.get("limit").limits, 1);
  assert.equal(results.get("a").rounds, 8);
});

test("measure(limit, tasks) sets a task against the limit of the same moment: a machine that slows down cancels out", async () => {
  const { now, task } = fakes();
  const slowing = (cost) => () => cost * (1 + Math.floor(now() / 100));
  const results = await measure(task("limit", slowing(0.1)), [task("a", slowing(0.3))], {
    rounds: 50,
    warmMilliseconds: 5,
    groupMilliseconds: 1,
    now,
  });
  assert.ok(Math.abs(results.get("a").limits - 3) < 0.3, String(results.get("a").limits));
});

test("measure(limit, tasks) lets a slow task take part in each fourth round", async () => {
  const { now, task } = fakes();
  const results = await measure(
    task("limit", () => 0.1),
    [task("slow", () => 50), task("fast", () => 1)],
    {
      rounds: 8,
      warmMilliseconds: 5,
      groupMilliseconds: 1,
      now,
    },
  );
  assert.equal(results.get("slow").rounds, 2);
  assert.equal(results.get("fast").rounds, 8);
});

test("measure(limit, tasks) waits for asynchronous tasks", async () => {
  const { now, task } = fakes();
  const inner = task("later", () => 0.5);
  const later = {
    name: "later",
    async run(count) {
      await null;
      inner.run(count);
    },
  };
  const timing = { rounds: 4, warmMilliseconds: 2, groupMilliseconds: 1, now };
  const results = await measure(
    task("limit", () => 0.1),
    [later],
    timing,
  );
  assert.ok(Math.abs(results.get("later").limits - 5) < 1e-9);
});
