// Long-running commands end with whoever started them: npm passes a signal on to the shell between it and the script
// only, and ends, which would leave a server running that nobody sees.
import process from "node:process";

const looksEverySeconds = 0.5;

/** Ends this process as SIGTERM does, once the process that started it is gone. Only npm's are followed. */
export function endWithParent() {
  // Started by hand, and perhaps meant to outlive the terminal.
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const look = () => {
    if (process.ppid !== parent) process.kill(process.pid, "SIGTERM");
  };
  setInterval(look, looksEverySeconds * 1000).unref();
}
