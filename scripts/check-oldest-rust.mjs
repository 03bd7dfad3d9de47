// The oldest Rust that the crate promises to build with, held to its word.
//
// Where rustup has that very compiler it is asked. Elsewhere, on Debian 12, an older one stands in: 1.85, with just those
// features switched on that Rust made stable between it and the promised version. What compiles so uses nothing newer:
// the older compiler knows nothing newer, and of each of the features it is known since when it is stable.
import { existsSync } from "node:fs";
import { mkdir, readdir, rm } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { compareVersions, oldestRust } from "./crate.mjs";
import { findProgram, isMain, toolsFolder } from "./paths.mjs";
import { capture } from "./processes.mjs";
import { must, runMain, StepFailure, say, step } from "./steps.mjs";

/** Of the stand-in: its version, and the packages that make it up (Debian 12, unpacked and not installed). */
const standIn = {
  release: "1.85.0",
  packages: [
    ...["rustc-web", "cargo-web", "libstd-rust-web-1.85", "libstd-rust-web-dev"].map(
      (name) => `${name}=1.85.0+dfsg3-1~deb12u3`,
    ),
    ...["libllvm19", "libz3-4", "libgit2-1.5", "libssh2-1", "libhttp-parser2.9", "libpcre3"],
    ...["libmbedcrypto7", "libmbedtls14", "libmbedx509-1"],
  ],
};

/** What the crate uses that the stand-in has only as an unstable feature, and the version in which it became stable. */
export const stableSince = {
  float_next_up_down: "1.86",
  unsigned_is_multiple_of: "1.87",
  slice_as_chunks: "1.88",
  let_chains: "1.88",
};

const featureSets = ["", "serde", "model", "half"];

/** The features that the promised version does not have: none, or the promise is broken. */
export const tooNew = (since, promised) =>
  Object.entries(since).filter(([, version]) => compareVersions(version, promised) > 0);

async function checkWithRustup(version) {
  for (const features of featureSets)
    await must(
      "cargo",
      [`+${version}`, "check", "--locked", "--lib", "--features", features],
      { limitSeconds: 600 },
      `Rust ${version} does not compile the crate with "${features}"`,
    );
  return `compiled with Rust ${version}`;
}

async function unpackStandIn(folder) {
  const packages = path.join(folder, "packages");
  await rm(folder, { recursive: true, force: true });
  await mkdir(packages, { recursive: true });
  await must(
    "apt-get",
    ["download", "-q", ...standIn.packages],
    { cwd: packages, limitSeconds: 600 },
    "Debian's Rust 1.85 cannot be downloaded: this check needs Debian 12, or rustup with the promised version",
  );
  for (const file of await readdir(packages))
    await must(
      "dpkg",
      ["-x", path.join(packages, file), path.join(folder, "root")],
      {},
      `${file} cannot be unpacked`,
    );
}

function refuseTooNew() {
  const broken = tooNew(stableSince, oldestRust());
  if (broken.length > 0)
    throw new StepFailure(
      `Cargo.toml promises Rust ${oldestRust()}, and ${broken.map(([name, since]) => `${name} needs ${since}`).join(", ")}.`,
    );
}

async function checkWithStandIn() {
  refuseTooNew();
  const folder = path.join(toolsFolder, "rust-1.85");
  const root = path.join(folder, "root");
  const rustc = path.join(root, "usr/bin/rustc");
  await step({
    title: "Rust 1.85",
    why: "unpacking Debian's packages into an ignored folder",
    done: () => existsSync(rustc) && "there already",
    run: () => unpackStandIn(folder),
  });
  const env = {
    ...process.env,
    RUSTC: rustc,
    RUSTC_BOOTSTRAP: "1",
    LD_LIBRARY_PATH: ["usr/lib/x86_64-linux-gnu", "lib/x86_64-linux-gnu"]
      .map((part) => path.join(root, part))
      .join(":"),
    CARGO_TARGET_DIR: path.join(folder, "target"),
  };
  const attribute = `-Zcrate-attr=feature(${Object.keys(stableSince).join(",")})`;
  for (const features of featureSets) {
    say(
      `      cargo rustc --features "${features}", with ${standIn.release} and what came until ${oldestRust()}`,
    );
    await must(
      path.join(root, "usr/bin/cargo"),
      [
        ...["rustc", "--lib", "--crate-type", "rlib", "--profile", "check", "--ignore-rust-version"],
        ...["--locked", "--features", features, "--", attribute],
      ],
      { env, limitSeconds: 900 },
      `The crate uses something newer than Rust ${oldestRust()}: read above what`,
    );
  }
  return `compiled with ${standIn.release} and ${Object.keys(stableSince).length} features stable by ${oldestRust()}`;
}

if (isMain(import.meta.url))
  await runMain(async () => {
    const version = oldestRust();
    const installed = findProgram(["rustup"]) && (await capture("rustup", ["toolchain", "list"])).stdout;
    const has = installed
      ?.split("\n")
      .some((line) => line.startsWith(`${version}.`) || line.startsWith(`${version}-`));
    const outcome = has ? await checkWithRustup(version) : await checkWithStandIn();
    say(`oldest Rust: ${outcome}, ${featureSets.length} feature sets`);
  });
