import assert from "node:assert/strict";
import { test } from "node:test";
import { capture } from "../processes.mjs";

test("capture(command) returns exit code and both streams, and does not throw for a failure", async () => {
  const result = await capture("/bin/sh", ["-c", "echo out; echo err >&2; exit 3"]);
  assert.deepEqual(result, { code: 3, stdout: "out\n", stderr: "err\n", timedOut: false });
});

test("capture(command) gives 127 for a program that is not there", async () => {
  assert.equal((await capture("/none/such", [])).code, 127);
});

test("capture(command, { limitSeconds }) ends the process and what it started", async () => {
  const began = performance.now();
  const result = await capture("/bin/sh", ["-c", "sleep 30 & wait"], { limitSeconds: 0.3 });
  assert.equal(result.code, 124);
  assert.equal(result.timedOut, true);
  // The grandchild holds the pipe: output ends only when it has ended too.
  assert.ok(performance.now() - began < 10_000, "the grandchild lived on");
});
