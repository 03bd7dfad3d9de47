import assert from "node:assert/strict";
import { test } from "node:test";
import { misfit, modules, publishedFile } from "../build-wasm.mjs";

/** Reads files of builds as a map by "build ending" gives them; those that it does not name are empty. */
const reading = (files) => async (build, ending) => Buffer.from(files[`${build} ${ending}`] ?? "");
const builds = ["simd", "scalar"];
const modulesDiffer = { "simd _bg.wasm": "v128", "scalar _bg.wasm": "f32" };

test("misfit(builds, name, read) finds nothing where the modules differ and everything else is the same", async () => {
  assert.equal(await misfit(builds, "sampler", reading(modulesDiffer)), undefined);
});

test("misfit(builds, name, read) names the file of the glue that differs, the list of exports among them", async () => {
  for (const ending of [".js", ".d.ts", "_exports.js", "_exports.d.ts"]) {
    const found = await misfit(
      builds,
      "sampler",
      reading({ ...modulesDiffer, [`scalar ${ending}`]: "other" }),
    );
    assert.match(
      found,
      new RegExp(`different files sampler${ending.replace(".", "\\.")} for .* simd and scalar`),
    );
  }
});

test("misfit(builds, name, read) refuses one module under two names", async () => {
  assert.match(
    await misfit(builds, "sampler", reading({})),
    /simd and scalar of sampler are the same module/,
  );
});

test("every build of a module has a file of its own in the package", () => {
  const files = modules.flatMap((module) =>
    Object.keys(module.builds).map((build) => publishedFile(module, build)),
  );
  assert.equal(new Set(files).size, files.length);
});
