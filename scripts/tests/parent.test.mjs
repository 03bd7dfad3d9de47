import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { inRoot } from "../paths.mjs";

const child = `
  import { endWithParent } from ${JSON.stringify(inRoot("scripts/parent.mjs"))};
  endWithParent();
  setInterval(() => {}, 1000);
  console.log(process.pid);
`;

/** Whether a child lives on for three seconds after the process between it and this one was ended. */
async function outlives(event) {
  const script = `require("node:child_process").spawn(process.execPath, ["--input-type=module", "-e", process.env.CHILD], { stdio: "inherit" })`;
  const env = { ...process.env, CHILD: child, npm_lifecycle_event: event };
  const parent = spawn(process.execPath, ["-e", script], { env, stdio: ["ignore", "pipe", "inherit"] });
  const [text] = await once(parent.stdout, "data");
  const pid = Number(text);
  parent.kill("SIGKILL");
  for (let look = 0; look < 30; look++) {
    await sleep(100);
    try {
      process.kill(pid, 0);
    } catch {
      return false;
    }
  }
  process.kill(pid, "SIGKILL");
  return true;
}

test("endWithParent() ends a script of npm's when npm is gone", async () => {
  assert.equal(await outlives("start"), false);
});

test("endWithParent() lets a script that was started by hand live on", async () => {
  assert.equal(await outlives(""), true);
});
