// The package's types, as a program that installed it sees them: what compiles, what does not, and their whole text.
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

const path = (place: string) => fileURLToPath(new URL(place, import.meta.url));
const compiler = path("../../node_modules/typescript/bin/tsc");

/** A project somewhere else, to which the checkout is linked as a package. */
let project: string;

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "nucleus-types-"));
  mkdirSync(join(project, "node_modules"));
  symlinkSync(path("../.."), join(project, "node_modules/nucleus-sampler"), "dir");
  symlinkSync(path("../../node_modules/@types"), join(project, "node_modules/@types"), "dir");
  writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module" }));
  for (const name of readdirSync(path("types"))) copyFileSync(path(`types/${name}`), join(project, name));
});

afterAll(() => rmSync(project, { recursive: true }));

/** What the compiler says of files under these settings; nothing when they compile. */
function complaints(files: string[], settings: object, ...flags: string[]): string {
  const compilerOptions = {
    noEmit: true,
    strict: true,
    types: [],
    target: "ES2022",
    skipLibCheck: false,
    ...settings,
  };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
  try {
    return execFileSync(process.execPath, [compiler, "-p", project, ...flags], {
      cwd: project,
      encoding: "utf8",
    });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

const bundled = { module: "ESNext", moduleResolution: "bundler" };
const libraries = { lib: ["ES2022", "DOM", "ESNext.Disposable"] };
const settings: [string, object][] = [
  ["a bundler's resolution", { module: "ESNext", moduleResolution: "bundler", ...libraries }],
  ["Node's resolution", { module: "NodeNext", moduleResolution: "NodeNext", ...libraries }],
  [
    "the strictest settings",
    {
      ...{ module: "NodeNext", exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
      ...{ verbatimModuleSyntax: true, noPropertyAccessFromIndexSignature: true, ...libraries },
    },
  ],
  ["a browser's types without Symbol.dispose", { ...bundled, lib: ["ES2022", "DOM"] }],
];

const both = ["accepted.ts", "accepted-platform.ts", "rejected.ts"];

test.each(settings)(
  "import ... from 'nucleus-sampler' compiles what is documented, and nothing else, under %s",
  (_, found) => {
    expect(complaints([...both, "accepted-dom.ts"], found)).toBe("");
  },
);

test("import ... from 'nucleus-sampler' compiles with Node's types alone", () => {
  const found = { module: "Node16", moduleResolution: "Node16", lib: ["ES2022"], types: ["node"] };
  expect(complaints(both, found)).toBe("");
});

test("import ... from 'nucleus-sampler' compiles with no platform's types at all", () => {
  expect(complaints(["accepted.ts"], { ...bundled, lib: ["ES2022"] })).toBe("");
});

const everyEntry = ["accepted.ts", "accepted-entries.ts", "accepted-model.ts"];

test("import ... from the other entries compiles with no platform's types at all", () => {
  expect(complaints(everyEntry, { ...bundled, lib: ["ES2022"] })).toBe("");
});

test("no entry brings a declaration of the modules' own glue into a program", () => {
  const listed = complaints(everyEntry, { ...bundled, lib: ["ES2022"] }, "--listFilesOnly").split("\n");
  const ours = listed.filter((file) => /[/\\]dist[/\\]/.test(file));
  expect(ours.length).toBeGreaterThan(15);
  expect(ours.filter((file) => /[/\\]wasm[/\\]\w+(?<!_bg\.wasm)\.d\.ts$/.test(file))).toEqual([]);
});

test("the expectations in rejected.ts are each about one line: without them every one is an error", () => {
  const text = readFileSync(path("types/rejected.ts"), "utf8");
  const expected = text.match(/@ts-expect-error/g)?.length ?? 0;
  writeFileSync(join(project, "bare.ts"), text.replaceAll("@ts-expect-error", ""));
  const found = complaints(["bare.ts"], settings[0]?.[1] ?? {});
  const lines = new Set([...found.matchAll(/bare\.ts\((\d+),/g)].map(([, line]) => line));
  expect(expected).toBeGreaterThan(40);
  expect(lines.size).toBe(expected);
});

/** What the compiler says of these lines, after the import. */
function complaintsAbout(lines: string): string {
  const text = `import { WasmSampler } from "nucleus-sampler";\n${lines}\n`;
  writeFileSync(join(project, "lines.ts"), text);
  return complaints(["lines.ts"], {
    module: "ESNext",
    moduleResolution: "bundler",
    ...libraries,
    target: "ESNext",
  });
}

test("using sampler = new WasmSampler() compiles", () => {
  expect(complaintsAbout("{ using sampler = new WasmSampler(); sampler.reset(); }")).toBe("");
});

test("sampler.sample(logits) does not compile for typed arrays that are wrong_type", () => {
  for (const name of ["Float64Array", "Int32Array", "Uint8Array"]) {
    expect(complaintsAbout(`new WasmSampler().sample(new ${name}(3));`)).toContain("lines.ts(2,");
  }
});

test("the public types are those of golden/api.d.ts, which `vitest -u` writes anew", async () => {
  const files = [
    "index",
    "web",
    "sampler",
    "disposal",
    "source",
    "simd",
    "statistics",
    "types",
    "options",
    "errors",
    "node",
    "inline",
    "workerd",
    "edge-light",
    "worker",
    "worker-node",
    "worker/index",
    "worker/sampler-worker",
    "worker/sampler",
    "worker/names",
    "worker/worker-like",
  ].map((name) => `${name}.d.ts`);
  const text = files
    .map((name) => `// ${name}\n${readFileSync(path(`../../dist/${name}`), "utf8")}`)
    .join("\n");
  expect(existsSync(path("golden/api.d.ts"))).toBe(true);
  await expect(text).toMatchFileSnapshot("golden/api.d.ts");
});
