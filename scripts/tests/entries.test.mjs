// The package's entry points, the forms of its modules, and where those come from.
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { entries, packageFields, staleFields } from "../entries.mjs";
import { wrongIn } from "../installs/outcome.mjs";
import { wrongTokens } from "../installs/tiny.mjs";
import { inRoot } from "../paths.mjs";
import { differences, differingFiles } from "../verify-wasm.mjs";
import { formsOf } from "../wasm-forms.mjs";

const packageJson = async () => JSON.parse(await readFile(inRoot("package.json"), "utf8"));

test("package.json says what the entries are", async () => {
  assert.deepEqual(staleFields(await packageJson()), []);
});

test("staleFields(package) names the field that says something else, the order of conditions too", async () => {
  const found = await packageJson();
  assert.deepEqual(staleFields({ ...found, sideEffects: false }), ["sideEffects"]);
  const { types, ...conditions } = found.exports["."];
  const exports = { ...found.exports, ".": { ...conditions, types } };
  assert.deepEqual(staleFields({ ...found, exports }), ["exports"]);
});

test("every entry begins with its types and ends with what holds everywhere", () => {
  for (const { name } of entries) {
    const conditions = Object.keys(packageFields().exports[name]);
    assert.equal(conditions[0], "types");
    assert.equal(conditions.at(-1), "default");
  }
});

test("every script of an entry has a source in js/", async () => {
  for (const { types, runs } of entries)
    for (const file of [types, ...Object.values(runs)]) await readFile(inRoot(`js/${file}.ts`));
});

test("formsOf(bytes) gives the same bytes as a file and as text", () => {
  const bytes = Buffer.from([0, 97, 115, 109, 255]);
  const forms = formsOf(bytes);
  assert.equal(forms[".wasm"], bytes);
  const [, text] = forms[".base64.js"].match(/^export default "(.*)";\n$/);
  assert.deepEqual(Buffer.from(text, "base64"), bytes);
});

test("differences(wanted, found) names what differs by its path", () => {
  const wanted = { programs: { rustc: ["1.95.0"], cargo: "1.95.0" }, target: "wasm32" };
  assert.deepEqual(differences(wanted, structuredClone(wanted)), []);
  assert.deepEqual(differences(wanted, { ...wanted, programs: { ...wanted.programs, rustc: ["1.96.0"] } }), [
    'programs, rustc is ["1.96.0"] here and was ["1.95.0"]',
  ]);
  assert.deepEqual(differences(wanted, { programs: wanted.programs }), [
    'target is undefined here and was "wasm32"',
  ]);
});

test("differingFiles(one, other) names files that differ in a byte, and those that one folder lacks", async () => {
  const home = await mkdtemp(path.join(os.tmpdir(), "nucleus-files-"));
  const [one, other] = [path.join(home, "one"), path.join(home, "other")];
  for (const folder of [one, other]) {
    await mkdir(folder);
    await writeFile(path.join(folder, "same"), "text");
    await writeFile(path.join(folder, "byte"), folder);
  }
  await writeFile(path.join(one, "alone"), "text");
  assert.deepEqual(await differingFiles(one, other), {
    names: ["alone", "byte", "same"],
    differing: ["alone", "byte"],
  });
  await rm(home, { recursive: true });
});

test("wrongIn(outcome, simd) finds nothing in a right outcome, and each fault in a wrong one", () => {
  const right = { draws: 1000, differing: 0, before: "not_initialized", once: true, simd: true };
  assert.equal(wrongIn(right, true), undefined);
  for (const [fault, said] of [
    [{ failed: "exit 1" }, /exit 1/],
    [{ differing: 3 }, /3 cases differ/],
    [{ draws: 10 }, /only 10 draws/],
    [{ simd: false }, /simd\(\) is false/],
    [{ before: "no error" }, /before init/],
    [{ once: false }, /started twice/],
    [{ after: false }, /after terminate/],
  ])
    assert.match(wrongIn({ ...right, ...fault }, true), said);
  assert.match(wrongIn({}, true), /differ/);
});

test("wrongTokens(outcome, golden) accepts the golden text's beginning alone", () => {
  const golden = Array.from({ length: 30 }, (_, i) => i);
  assert.equal(wrongTokens({ tokens: golden.slice(0, 24) }, golden), undefined);
  assert.match(wrongTokens({ failed: "exit 1" }, golden), /exit 1/);
  assert.match(wrongTokens({ tokens: golden.slice(0, 23) }, golden), /only 23/);
  assert.match(wrongTokens({ tokens: [...golden.slice(0, 23), 0] }, golden), /token 23 is 0 and not 23/);
  assert.match(wrongTokens({}, golden), /only 0/);
});
