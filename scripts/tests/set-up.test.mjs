// Every failing branch of set-up ends with exit code 1 and one sentence that says what to do.
import assert from "node:assert/strict";
import { test } from "node:test";
import { addTargetTo, fakeCompiler, fakePrograms, runScript } from "./fakes.mjs";

const rustupWay = { NUCLEUS_WASM_TOOLCHAIN: "rustup" };

function failsWith(result, sentence) {
  assert.match(result.stderr, sentence);
  assert.equal(result.stderr.trim().split("\n").length, 1);
  assert.equal(result.code, 1);
}

test("toolchain without Rust asks for it", async () => {
  failsWith(await runScript("toolchain", await fakePrograms({})), /No Rust compiler was found: install Rust/);
});

test("toolchain with an old Rust names both versions", async () => {
  const { body } = await fakeCompiler("1.60.0");
  const result = await runScript("toolchain", await fakePrograms({ rustc: body }));
  failsWith(result, /This is Rust 1\.60\.0 and the crate needs 1\.\d+ or later: run "rustup update stable"/);
});

test("toolchain with an unknown choice lists the known ones", async () => {
  const { body } = await fakeCompiler("1.999.0");
  const programs = await fakePrograms({ rustc: body });
  const result = await runScript("toolchain", programs, { NUCLEUS_WASM_TOOLCHAIN: "gnu" });
  failsWith(result, /NUCLEUS_WASM_TOOLCHAIN is "gnu" and must be one of rustup, debian, auto/);
});

test("toolchain says what to do when rustup cannot add the target, and shows why", async () => {
  const { body } = await fakeCompiler("1.999.0");
  const rustup = 'echo "error: connection refused" >&2; exit 1';
  const result = await runScript("toolchain", await fakePrograms({ rustc: body, rustup }), rustupWay);
  failsWith(result, /rustup could not add it: .*rustup target add wasm32-unknown-unknown/);
  assert.match(result.stdout, /\| error: connection refused/);
});

test("toolchain adds the target with rustup where it is missing", async () => {
  const { body, sysroot } = await fakeCompiler("1.999.0");
  const library = `${sysroot}/lib/rustlib/wasm32-unknown-unknown/lib`;
  const rustup = `/bin/mkdir -p ${library} && : > ${library}/libcore-0.rlib`;
  const result = await runScript("toolchain", await fakePrograms({ rustc: body, rustup }), rustupWay);
  assert.match(result.stdout, /ok {2}wasm target: rustup, rustc 1\.999\.0, \d/);
  assert.equal(result.code, 0);
});

test("toolchain takes the target that is there without asking rustup", async () => {
  const { body, sysroot } = await fakeCompiler("1.999.0");
  await addTargetTo(sysroot);
  const result = await runScript("toolchain", await fakePrograms({ rustc: body, rustup: "exit 1" }));
  assert.match(result.stdout, /^ {2}ok {2}wasm target: rustup, rustc 1\.999\.0$/m);
  assert.equal(result.code, 0);
});

test("tools replaces a CLI of another version, without its lock file where that no longer resolves", async () => {
  const cargo = `
    for word in "$@"; do [ "$word" = --locked ] && { echo "error: no matching package" >&2; exit 101; }; done
    echo "error: the registry is out of reach" >&2; exit 101`;
  const programs = await fakePrograms({
    cargo,
    "wasm-bindgen": 'echo "wasm-bindgen 0.1.0"',
    "wasm-bindgen-test-runner": "",
  });
  const result = await runScript("tools", programs);
  assert.match(result.stdout, /once more, with the newest versions that fit/);
  failsWith(
    result,
    /cargo could not install wasm-bindgen-cli [\d.]+: check that the crates registry can be reached/,
  );
});

test("browser finds a browser whose driver is of the same build", async () => {
  const programs = await fakePrograms({
    chromium: 'echo "Chromium 7.0.1.9"',
    chromedriver: 'echo "ChromeDriver 7.0.1.2 (x)"',
  });
  const result = await runScript("browser", programs, { NUCLEUS_CHROME: `${programs}/chromium` });
  assert.match(result.stdout, /ok {2}browser: .*chromium, 7\.0\.1\.9, with its driver/);
  assert.equal(result.code, 0);
});

test("browser refuses a driver of another build", async () => {
  const programs = await fakePrograms({
    chromium: 'echo "Chromium 7.0.1.9"',
    chromedriver: 'echo "ChromeDriver 7.0.2.9 (x)"',
  });
  const variables = {
    NUCLEUS_CHROME: `${programs}/chromium`,
    NUCLEUS_CHROMEDRIVER: `${programs}/chromedriver`,
  };
  failsWith(
    await runScript("browser", programs, variables),
    /is version 7\.0\.1\.9 and no chromedriver of that version was found/,
  );
});

test("browser names a path that NUCLEUS_CHROME got wrong", async () => {
  const programs = await fakePrograms({});
  const result = await runScript("browser", programs, { NUCLEUS_CHROME: `${programs}/none` });
  failsWith(result, /NUCLEUS_CHROME names .*none, which is not there/);
});

test("start refuses a port that is none before it does anything", async () => {
  const result = await runScript("start", await fakePrograms({}), { PORT: "many" });
  failsWith(result, /PORT is "many" and must be a whole number from 0 to 65535/);
  assert.equal(result.stdout, "");
});
