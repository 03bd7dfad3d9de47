// What each entry point adds to the package: how it comes by the module, and what it says where it cannot.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import { afterAll, expect, test } from "vitest";
import { makeProject, root, run } from "./fresh-process";
import { inFreshThread, type Refusal } from "./fresh-thread";
import { seeded } from "./nucleus";

const project = makeProject();
afterAll(project.remove);

const drawn = [...seeded().sampleMany([0, 1, 2, 3], 16)];
const draw = `console.log(JSON.stringify([...new WasmSampler({ seed: 42 }).sampleMany([0, 1, 2, 3], 16)]))`;
const forbidden = `globalThis.fetch = () => { throw new Error("something was fetched"); };`;

test.each(["nucleus-sampler", "nucleus-sampler/node", "nucleus-sampler/inline"])(
  "init() of %s starts without a request",
  (entry) => {
    const program = `import init, { WasmSampler } from "${entry}"; await init(); ${draw};`;
    expect(JSON.parse(run(project.folder, program, forbidden))).toEqual(drawn);
  },
);

test.each(["new URL(place)", "place", "Promise.resolve(new URL(place))"])(
  "init(%s) in Node reads a file where place is the address of one",
  (source) => {
    const program = `
      import init, { simd, WasmSampler } from "nucleus-sampler";
      const place = import.meta.resolve("nucleus-sampler/nucleus_sampler_scalar_bg.wasm");
      await init(${source});
      if (simd()) throw new Error("another module was started");
      ${draw};`;
    expect(JSON.parse(run(project.folder, program, forbidden))).toEqual(drawn);
  },
);

test("init(source) accepts a promise of bytes, and of a module", async () => {
  const ofBytes = await inFreshThread(async ({ nucleus, bytes, draw: first }) => {
    await nucleus.default(Promise.resolve(bytes));
    return first();
  });
  const ofModule = await inFreshThread(async ({ nucleus, bytes, draw: first }) => {
    await nucleus.default(WebAssembly.compile(bytes));
    return first();
  });
  expect([ofBytes, ofModule]).toEqual([drawn, drawn]);
});

test("init() of a script that was moved away from its module names the entry that needs none", () => {
  const moved = join(project.folder, "moved");
  mkdirSync(moved);
  cpSync(join(root, "dist"), moved, { recursive: true });
  for (const name of ["nucleus_sampler_bg.wasm", "nucleus_sampler_scalar_bg.wasm"])
    rmSync(join(moved, "wasm", name));
  writeFileSync(join(moved, "package.json"), '{ "type": "module" }');
  const program = `
    import init from "./moved/node.js";
    await init().catch(({ code, message }) => console.log(code, message));`;
  expect(run(project.folder, program)).toMatch(
    /^not_initialized .*could not be read from beside its script \(ENOENT.*\): .*import "nucleus-sampler\/inline"/,
  );
});

test("init(source) where WebAssembly may not be compiled names the word that the policy lacks", async () => {
  const found = await inFreshThread<Refusal>(async ({ refusal, bytes }) => {
    const { compile } = WebAssembly;
    WebAssembly.compile = () => {
      WebAssembly.compile = compile;
      return Promise.reject(new WebAssembly.CompileError("disallowed by embedder"));
    };
    return refusal(bytes);
  });
  expect(found).toMatchObject({ code: "not_initialized", drawn });
  expect(found.message).toMatch(/may not be compiled here: allow 'wasm-unsafe-eval'.*disallowed by embedder/);
});

test("init() in an engine without WebAssembly says so", () => {
  const program = `
    import init from "nucleus-sampler";
    await init().catch(({ code, message }) => console.log(code, message));`;
  const without = "delete globalThis.WebAssembly;";
  expect(run(project.folder, program, without)).toMatch(/^not_initialized .*this engine has no WebAssembly/);
});

test.each([
  ["https://a.example/assets/x.wasm", "https://a.example/assets/x.wasm"],
  ["file:///project/node_modules/x/dist/x.wasm", "file:///project/node_modules/x/dist/x.wasm"],
  [
    "http://localhost:5173/node_modules/.vite/deps/wasm/x.wasm",
    "http://localhost:5173/node_modules/nucleus-sampler/dist/wasm/x.wasm",
  ],
])("a file beside a script at %s is at %s", async (given, found) => {
  const { beside } = await import("../../js/prebundled");
  expect(beside(new URL(given)).href).toBe(found);
});

test.each([
  ["https://a.example/assets/index.js", undefined],
  [
    "http://localhost:5173/node_modules/.vite/deps/nucleus-sampler_worker.js?v=1",
    "http://localhost:5173/node_modules/nucleus-sampler/dist/",
  ],
])("a script at %s was moved from %s", async (script, folder) => {
  const { folderBefore } = await import("../../js/prebundled");
  expect(folderBefore(script)).toBe(folder);
});

test("the address of a file that no site has stays the very object that a bundler made", async () => {
  const { beside } = await import("../../js/prebundled");
  const ofNoSite = { href: "/_next/static/media/x.wasm" } as URL;
  expect(beside(ofNoSite)).toBe(ofNoSite);
});

/** The text of a script of the package and of all that it imports, by name. */
function withImports(file: string, found = new Map<string, string>()): Map<string, string> {
  if (found.has(file)) return found;
  const text = readFileSync(join(root, "dist", file), "utf8");
  found.set(file, text);
  for (const [, name = ""] of text.matchAll(/from "(\.[^"]+\.js)"/g))
    withImports(posix.join(posix.dirname(file), name), found);
  return found;
}

test("the inline entry knows no address: Metro, which has none, takes it", () => {
  const scripts = withImports("inline.js");
  expect([...scripts.keys()]).toContain("wasm/nucleus_sampler_bg.base64.js");
  for (const [name, text] of scripts)
    expect(`${name}: ${text.includes("import.meta")}`).toBe(`${name}: false`);
});

test("no entry evaluates text or makes a script of a blob", () => {
  for (const entry of ["web.js", "node.js", "worker.js", "worker-thread.js", "inline.js", "workerd.js"])
    for (const [name, text] of withImports(entry))
      expect(`${name}: ${text.match(/\bnew Function\b|\beval\(|\bBlob\b|createObjectURL/)?.[0]}`).toBe(
        `${name}: undefined`,
      );
});
