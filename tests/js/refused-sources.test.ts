// Starting from what is not the module: said in words, nothing started half way, and the next init() is a fresh try.
import { expect, test } from "vitest";
import { inFreshThread, type Refusal, type Scenario } from "./fresh-thread";
import { seeded } from "./nucleus";

const drawn = [...seeded().sampleMany([0, 1, 2, 3], 16)];

type Case = [name: string, message: RegExp, scenario: Scenario<Refusal>];

const otherModules: Case[] = [
  [
    "the bytes of an empty module",
    /another WebAssembly module.*it has no "memory"/,
    ({ refusal }) => refusal(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)),
  ],
  [
    "a WebAssembly.Module that is another",
    /another WebAssembly module/,
    ({ refusal }) => refusal(new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0))),
  ],
  [
    "a Response with another module",
    /another WebAssembly module/,
    ({ refusal }) => {
      const headers = { "content-type": "application/wasm" };
      return refusal(new Response(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0), { headers }));
    },
  ],
  [
    "a URL of another module",
    /another WebAssembly module/,
    ({ refusal }) => refusal(new URL("data:application/wasm;base64,AGFzbQEAAAA=")),
  ],
  [
    "a module with a memory and a start of its own",
    /another WebAssembly module.*it has no "__stack_pointer"/,
    // It exports `memory` and `__wbindgen_start`, as every module made with wasm-bindgen does.
    ({ refusal }) =>
      refusal(
        "data:application/wasm;base64,AGFzbQEAAAABBAFgAAADAgEABQMBAAEHHQIGbWVtb3J5AgAQX193YmluZGdlbl9zdGFydAAACgQBAgAL",
      ),
  ],
];

const damaged: Case[] = [
  ["no bytes", /empty/, ({ refusal }) => refusal(new Uint8Array(0))],
  ["bytes cut short", /cut short/, ({ refusal, bytes }) => refusal(bytes.subarray(0, bytes.length >> 1))],
  ["bytes cut to the magic word", /cut short/, ({ refusal, bytes }) => refusal(bytes.slice(0, 4).buffer)],
  ["other bytes", /begins with 1 2 3/, ({ refusal }) => refusal(Uint8Array.of(1, 2, 3))],
  ["text in bytes", /begins with 104 101 108 108/, ({ refusal }) => refusal(Buffer.from("hello"))],
];

const answers: Case[] = [
  [
    "a page in place of the module",
    /HTML page.*single-page/,
    ({ refusal }) => {
      const headers = { "content-type": "text/html" };
      return refusal(new Response("\n<!doctype html><title>App</title>", { headers }));
    },
  ],
  [
    "a page that calls itself a module",
    /HTML page.*single-page/,
    ({ refusal }) => {
      const headers = { "content-type": "application/wasm" };
      return refusal(new Response("\ufeff<html></html>", { headers }));
    },
  ],
  [
    "the URL of a page",
    /HTML page.*single-page/,
    ({ refusal }) => refusal("data:text/html,%3C!doctype html%3E%3Ctitle%3EApp%3C/title%3E"),
  ],
  ["an empty answer", /empty/, ({ refusal }) => refusal(new Response(""))],
  [
    "an empty answer of the right type",
    /empty/,
    ({ refusal }) => refusal(new Response("", { headers: { "content-type": "application/wasm" } })),
  ],
  [
    "an answer cut short",
    /cut short/,
    ({ refusal, bytes }) => {
      const headers = { "content-type": "application/wasm" };
      return refusal(new Response(bytes.subarray(0, 5000), { headers }));
    },
  ],
  [
    "404",
    /answered 404 Not Found/,
    ({ refusal }) => refusal(new Response("<h1>no</h1>", { status: 404, statusText: "Not Found" })),
  ],
  [
    "a promise of 500",
    /answered 500/,
    ({ refusal }) => refusal(Promise.resolve(new Response("", { status: 500 }))),
  ],
  [
    "a Response that was read before",
    /could not be read/,
    async ({ refusal, bytes }) => {
      const response = new Response(bytes);
      await response.arrayBuffer();
      return refusal(response);
    },
  ],
  [
    "a URL that leads nowhere",
    /could not be fetched from .*127/,
    ({ refusal }) => refusal("http://127.0.0.1:9/x.wasm"),
  ],
  [
    "a promise that fails",
    /could not be started.*lost/,
    ({ refusal }) => refusal(Promise.reject(new Error("lost"))),
  ],
];

test.each([...otherModules, ...damaged, ...answers])(
  "init(source) is not_initialized for %s, says so, and can be tried again",
  async (_, message, scenario) => {
    const found = await inFreshThread(scenario);
    expect(found).toEqual({
      code: "not_initialized",
      message: expect.stringMatching(message),
      between: "not_initialized",
      drawn,
    });
    expect(found.message).toMatch(/^[^\n]{10,400}[^.\s]$/);
  },
);

const isWrongType = async (...[_, message, scenario]: Case) => {
  expect(await inFreshThread(scenario)).toEqual({
    code: "wrong_type",
    message: expect.stringMatching(message),
    between: "not_initialized",
    drawn,
  });
};

const noSources: Case[] = [
  ["null", /not null/, ({ refusal }) => refusal(null)],
  ["a number", /not a number/, ({ refusal }) => refusal(5)],
  ["a list", /not an array/, ({ refusal }) => refusal([0, 97, 115, 109])],
  ["a plain object", /not an object/, ({ refusal }) => refusal({ module_or_path: "x.wasm" })],
  ["a function", /not a function/, ({ refusal }) => refusal(() => new Uint8Array(8))],
  ["a promise of a number", /not a number/, ({ refusal }) => refusal(Promise.resolve(5))],
];

test.each(noSources)("init(source) is wrong_type for %s, and can be tried again", isWrongType);

const noChoices: Case[] = [
  ["a word", /^simd must be true or false, not a string/, ({ refusal }) => refusal({ simd: "yes" })],
  ["null", /^simd must be true or false, not null/, ({ refusal }) => refusal({ simd: null })],
  ["a number", /^simd must be true or false, not a number/, ({ refusal }) => refusal({ simd: 1 })],
];

test.each(noChoices)("init({ simd }) is wrong_type for %s, and can be tried again", isWrongType);

test("init({ simd, ... }) is unknown_option for anything beside it", async () => {
  const found = await inFreshThread<Refusal>(({ refusal }) => refusal({ simd: true, threads: 4 }));
  expect(found).toMatchObject({ code: "unknown_option", between: "not_initialized", drawn });
  expect(found.message).toBe('unknown option "threads": this call takes simd');
});

test("init(source) is not_initialized for a module with SIMD in an engine without, and names SIMD", async () => {
  const found = await inFreshThread<Refusal>(async ({ refusal, bytes }) => {
    // What such an engine says to bytes that it does not know, here to bytes that no engine knows.
    WebAssembly.validate = () => false;
    return refusal(bytes.subarray(0, bytes.length >> 1));
  });
  expect(found).toMatchObject({ code: "not_initialized", between: "not_initialized", drawn });
  expect(found.message).toMatch(/damaged or cut short, or for an engine with SIMD, which this one has not/);
});

test("init(source) is not_initialized for a module that has our names for something else", async () => {
  const { code, message } = await inFreshThread<Refusal>(async ({ refusal, bytes }) => {
    // The name of one export, changed by a letter: as in a module of another version.
    const other = bytes.slice();
    const name = Buffer.from("rawsampler_logprobs");
    other[Buffer.from(other.buffer).indexOf(name)] = "q".charCodeAt(0);
    return refusal(other);
  });
  expect(code).toBe("not_initialized");
  expect(message).toMatch(/another WebAssembly module.*"rawsampler_logprobs"/);
});

test("init() while another start is on its way shares its fate, and a later one starts afresh", async () => {
  const found = await inFreshThread(async ({ nucleus, bytes, draw }) => {
    const starts = [nucleus.default(Uint8Array.of(1)), nucleus.default(bytes), nucleus.default()];
    const fates = (await Promise.allSettled(starts)).map(({ status }) => status);
    await Promise.all([nucleus.default(bytes), nucleus.default(bytes), nucleus.default(Uint8Array.of(1))]);
    return { fates, same: starts[0] === starts[1], drawn: draw() };
  });
  expect(found).toEqual({ fates: ["rejected", "rejected", "rejected"], same: true, drawn });
});

test("init(source) after a start does nothing, whatever the source", async () => {
  const found = await inFreshThread(async ({ nucleus, bytes, draw }) => {
    await nucleus.default(bytes);
    const before = new nucleus.WasmSampler({ seed: 42 });
    for (const source of [
      null,
      5,
      "no URL",
      new Uint8Array(0),
      {},
      () => 1,
      new Response("<html>"),
      undefined,
    ])
      await nucleus.default(source as never);
    return { before: [...before.sampleMany([0, 1, 2, 3], 16)], drawn: draw() };
  });
  expect(found).toEqual({ before: drawn, drawn });
});
