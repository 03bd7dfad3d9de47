// A Chrome or Chromium with a chromedriver of its version: the ones that are there first, then a driver for the
// browser that is there, and apt's pair only where there is no browser at all.
import { existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { aptInstall, aptUsable } from "./apt.mjs";
import { findProgram, inRoot, isMain, toolsFolder } from "./paths.mjs";
import { capture } from "./processes.mjs";
import { follow, runMain, StepFailure, showTail, step } from "./steps.mjs";

const browserNames = ["google-chrome-stable", "google-chrome", "chromium", "chromium-browser", "chrome"];
const macApplications = ["Google Chrome", "Chromium"].flatMap((name) =>
  ["/Applications", path.join(os.homedir(), "Applications")].map((folder) =>
    path.join(folder, `${name}.app/Contents/MacOS/${name}`),
  ),
);
const driverPlaces = ["/usr/lib/chromium", "/usr/lib/chromium-browser", "/opt/google/chrome"];
const downloadedDrivers = path.join(toolsFolder, "browsers");
const driverInstaller = "@puppeteer/browsers@2.9.0";

async function versionOf(program) {
  const { code, stdout } = await capture(program, ["--version"], { limitSeconds: 20 });
  return code === 0 ? stdout.match(/\d+\.\d+\.\d+\.\d+/)?.[0] : undefined;
}

// A browser and its driver are built together: the first three numbers name the build, the fourth a patch.
const buildOf = (version) => version.split(".").slice(0, 3).join(".");

const each = (names) => names.map((name) => findProgram([name])).filter(Boolean);

function browserCandidates() {
  const named = process.env.NUCLEUS_CHROME;
  if (!named) return [...each(browserNames), ...macApplications.filter(existsSync)];
  if (!existsSync(named))
    throw new StepFailure(
      `NUCLEUS_CHROME names ${named}, which is not there: set it to a Chrome or Chromium, or unset it.`,
    );
  return [named];
}

function driverCandidates(browser) {
  const named = process.env.NUCLEUS_CHROMEDRIVER;
  if (named) return [named];
  const beside = [path.dirname(browser), path.dirname(realpathSync(browser)), ...driverPlaces];
  const downloaded = existsSync(downloadedDrivers)
    ? readdirSync(downloadedDrivers, { recursive: true }).map((file) => path.join(downloadedDrivers, file))
    : [];
  return [
    ...each(["chromedriver", "chromium.chromedriver"]),
    ...beside.map((folder) => path.join(folder, "chromedriver")).filter(existsSync),
    ...downloaded.filter((file) => path.basename(file) === "chromedriver" && statSync(file).isFile()),
  ];
}

async function findDriver(browser, version) {
  for (const driver of driverCandidates(browser)) {
    const found = await versionOf(driver);
    if (found && buildOf(found) === buildOf(version)) return driver;
  }
  return undefined;
}

/** Every browser here that runs, with its driver where there is one: `{ chrome, version, driver }`. */
async function browsersHere() {
  const found = [];
  for (const chrome of browserCandidates()) {
    const version = await versionOf(chrome);
    if (version) found.push({ chrome, version, driver: await findDriver(chrome, version) });
  }
  return found;
}

async function findPair() {
  return (await browsersHere()).find(({ driver }) => driver);
}

// Debian's driver package fits Debian's browser; every other browser's driver comes from where Chrome's come from.
async function installDriver({ chrome, version }) {
  const fromDebian =
    findProgram(["dpkg"]) && /^chromium:/.test((await capture("dpkg", ["-S", chrome])).stdout);
  if (fromDebian && (await aptUsable())) await aptInstall(["chromium", "chromium-driver"]);
  else {
    const args = [
      "exec",
      "--yes",
      "--",
      driverInstaller,
      "install",
      `chromedriver@${buildOf(version)}`,
      "--path",
      downloadedDrivers,
    ];
    const result = await follow("npm", args, { limitSeconds: 300 });
    if (result.code !== 0) showTail(result);
  }
}

async function install() {
  const [browser] = await browsersHere();
  if (browser) await installDriver(browser);
  else if (process.env.NUCLEUS_CHROME)
    throw new StepFailure(
      "The browser that NUCLEUS_CHROME names does not tell its version: set it to a Chrome or Chromium that runs here.",
    );
  else if (await aptUsable()) await aptInstall(["chromium", "chromium-driver"]);
  const pair = await findPair();
  if (pair) return pair;
  throw new StepFailure(
    browser
      ? `${browser.chrome} is version ${browser.version} and no chromedriver of that version was found, nor could one be fetched: install it and put it in PATH, or set NUCLEUS_CHROMEDRIVER to it.`
      : "No Chrome or Chromium was found and apt could not install one: install one, or set NUCLEUS_CHROME to its path, then run this again.",
  );
}

/** What wasm-pack's runner hands to the driver: the committed flags, and which browser to start. */
async function writeWebdriverFile(chrome) {
  const options = JSON.parse(await readFile(inRoot("webdriver.json"), "utf8"));
  options["goog:chromeOptions"].binary = chrome;
  const file = path.join(toolsFolder, "webdriver.json");
  await mkdir(toolsFolder, { recursive: true });
  await writeFile(file, `${JSON.stringify(options, null, 2)}\n`);
  return file;
}

/** The step that finds or brings a browser; returns `{ chrome, version, driver, webdriverFile }`. */
export async function ensureBrowser() {
  const phrase = ({ chrome, version }) => `${chrome}, ${version}, with its driver`;
  let pair;
  await step({
    title: "browser",
    why: "the tests of the module and of the page run in a real one",
    done: async () => {
      pair = await findPair();
      return pair && phrase(pair);
    },
    run: async () => {
      pair = await install();
      return phrase(pair);
    },
  });
  return { ...pair, webdriverFile: await writeWebdriverFile(pair.chrome) };
}

/** Variables by which tests find the browser: playwright-core's own and wasm-pack's runner. */
export const browserEnvironment = ({ chrome, driver, webdriverFile }) => ({
  NUCLEUS_CHROME: chrome,
  NUCLEUS_CHROMEDRIVER: driver,
  WASM_BINDGEN_TEST_WEBDRIVER_JSON: webdriverFile,
});

if (isMain(import.meta.url)) await runMain(async () => void (await ensureBrowser()));
