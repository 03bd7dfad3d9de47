// Child processes: started in a group of their own, so that a time limit or Ctrl-C ends the whole tree
// (cargo's compilers, a driver's browser) and leaves nothing running.
import { spawn } from "node:child_process";
import process from "node:process";
import { root } from "./paths.mjs";

const running = new Set();

function endGroup(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
}

function endEverything(signal, exitCode) {
  for (const child of running) endGroup(child, signal);
  process.exit(exitCode);
}

for (const [signal, exitCode] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
]) {
  process.on(signal, () => {
    if (running.size > 0) endEverything(signal, exitCode);
    else if (process.listenerCount(signal) === 1) process.exit(exitCode);
  });
}

/** What a finished process left: `code` is 127 when the program cannot be started, 124 past the time limit. */
function collect(child, { limitSeconds, onText, signal }) {
  const result = { code: 0, stdout: "", stderr: "", timedOut: false };
  signal?.addEventListener("abort", () => running.has(child) && endGroup(child, "SIGKILL"));
  for (const name of ["stdout", "stderr"]) {
    child[name].setEncoding("utf8");
    child[name].on("data", (text) => {
      result[name] += text;
      onText?.(text, name);
    });
  }
  return new Promise((resolve, reject) => {
    const limit =
      limitSeconds &&
      setTimeout(() => {
        result.timedOut = true;
        endGroup(child, "SIGKILL");
      }, limitSeconds * 1000);
    child.on("error", (error) => {
      clearTimeout(limit);
      running.delete(child);
      if (!["ENOENT", "EACCES"].includes(error.code)) return reject(error);
      resolve({ ...result, code: 127, stderr: `${child.spawnfile}: cannot be run (${error.code})\n` });
    });
    child.on("close", (code) => {
      clearTimeout(limit);
      running.delete(child);
      resolve({ ...result, code: result.timedOut ? 124 : (code ?? 1) });
    });
  });
}

/**
 * Runs a program to its end and returns `{ code, stdout, stderr, timedOut }`; it never throws because the
 * program failed. `env` replaces the environment, `onText(text, stream)` sees output as it comes, `signal` (of an
 * AbortController) ends the program and all that it started.
 */
export function capture(command, args, options = {}) {
  const child = spawn(command, args, {
    cwd: options.cwd ?? root,
    env: options.env ?? process.env,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  if (child.pid !== undefined) running.add(child);
  return collect(child, options);
}
