// Browsers: started without a window on a page that compares and sends its outcome; no driver is needed.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { aptInstall, aptUsable } from "../apt.mjs";
import { ensureBrowser } from "../browser.mjs";
import { findProgram, inRoot } from "../paths.mjs";
import { capture } from "../processes.mjs";
import { packageModules } from "./modules.mjs";
import { judged, missing } from "./outcome.mjs";
import { servePage } from "./page-server.mjs";

const limitSeconds = 300;

/** Opens the page in a fresh profile and waits for what it sends, or for the browser's end. */
async function compareInPage(program, argsFor, module) {
  const profile = await mkdtemp(path.join(os.tmpdir(), "nucleus-engine-"));
  const server = await servePage(module);
  const ending = new AbortController();
  const args = await argsFor(profile, server.url);
  const ended = capture(program, args, { limitSeconds, signal: ending.signal });
  const outcome = await Promise.race([server.outcome, ended]);
  ending.abort();
  await ended;
  server.close();
  // A browser's last children may still be writing.
  await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  return outcome;
}

async function compareEach(title, program, argsFor) {
  const version = (await capture(program, ["--version"], { limitSeconds: 30 })).stdout.trim();
  const rows = [];
  for (const [build, module] of Object.entries(await packageModules()))
    rows.push(judged(`${title}, ${build}`, version, await compareInPage(program, argsFor, module)));
  return rows;
}

async function chromium() {
  const { chrome } = await ensureBrowser();
  const options = JSON.parse(await readFile(inRoot("webdriver.json"), "utf8"))["goog:chromeOptions"];
  return compareEach("Chromium (V8)", chrome, (profile, url) => [
    ...options.args.map((flag) => (flag.startsWith("--") ? flag : `--${flag}`)),
    ...[`--user-data-dir=${profile}`, "--remote-debugging-port=0", url],
  ]);
}

const preferences = {
  "browser.shell.checkDefaultBrowser": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "toolkit.telemetry.reportingpolicy.firstRun": false,
  "browser.aboutwelcome.enabled": false,
  "app.update.auto": false,
};

async function firefox() {
  const find = () => findProgram(["firefox", "firefox-esr"]);
  if (!find() && (await aptUsable())) await aptInstall(["firefox-esr"]);
  const program = find();
  if (!program)
    return [missing("Firefox (SpiderMonkey)", "it is not installed and apt could not install it")];
  return compareEach("Firefox (SpiderMonkey)", program, async (profile, url) => {
    const lines = Object.entries(preferences).map(
      ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
    );
    await writeFile(path.join(profile, "user.js"), `${lines.join("\n")}\n`);
    return ["--headless", "--no-remote", "--profile", profile, url];
  });
}

export const browserEngines = { chromium, firefox };
