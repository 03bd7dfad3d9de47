// Starting the module: from where it may come, once, and what is said before and after.
import { expect, test } from "vitest";
import { inFreshThread, type Scenario } from "./fresh-thread";
import { seeded } from "./nucleus";

const expected = [...seeded().sampleMany([0, 1, 2, 3], 16)];

test("new WasmSampler() before init is not_initialized and says what to call", async () => {
  const found = await inFreshThread(({ nucleus }) => {
    const attempts = [
      () => new nucleus.WasmSampler(),
      () => new nucleus.WasmSampler({ topP: 2 }),
      () => nucleus.WasmSampler.fromState({ version: 1 }),
    ];
    return attempts.map((attempt) => {
      try {
        attempt();
        return "made a sampler";
      } catch (error) {
        if (!(error instanceof nucleus.NucleusError)) return `threw ${error}`;
        return [error.name, error.code, error.message.includes("await init()")];
      }
    });
  });
  expect(found).toEqual(Array(3).fill(["NucleusError", "not_initialized", true]));
});

test("init() reads the module itself, and a sampler can be made when it resolves", async () => {
  const drawn = await inFreshThread(async ({ nucleus, draw }) => {
    const value: unknown = await nucleus.default();
    return value === undefined ? draw() : value;
  });
  expect(drawn).toEqual(expected);
});

test("init() is idempotent: every call returns the first one's promise, whatever its source", async () => {
  const found = await inFreshThread(async ({ nucleus, draw }) => {
    const first = nucleus.default();
    const second = nucleus.default();
    await first;
    const sampler = new nucleus.WasmSampler({ seed: 42 });
    const third = nucleus.default(Uint8Array.of(1, 2, 3));
    await third;
    return {
      same: first === second && first === third,
      lives: sampler.sample([0, 1, 2, 3]) === draw()[0],
    };
  });
  expect(found).toEqual({ same: true, lives: true });
});

const sources: Record<string, Scenario<number[]>> = {
  "bytes, a Uint8Array": async ({ nucleus, bytes, draw }) => {
    await nucleus.default(bytes);
    return draw();
  },
  "bytes inside a larger buffer": async ({ nucleus, bytes, draw }) => {
    const larger = new Uint8Array(bytes.length + 20);
    larger.set(bytes, 10);
    await nucleus.default(larger.subarray(10, 10 + bytes.length));
    return draw();
  },
  "bytes, an ArrayBuffer": async ({ nucleus, bytes, draw }) => {
    await nucleus.default(bytes.buffer);
    return draw();
  },
  "a WebAssembly.Module": async ({ nucleus, bytes, draw }) => {
    await nucleus.default(await WebAssembly.compile(bytes));
    return draw();
  },
  "a Response of type application/wasm": async ({ nucleus, bytes, draw }) => {
    await nucleus.default(new Response(bytes, { headers: { "content-type": "application/wasm" } }));
    return draw();
  },
  "a Response of another type": async ({ nucleus, bytes, draw }) => {
    await nucleus.default(new Response(bytes, { headers: { "content-type": "application/octet-stream" } }));
    return draw();
  },
  "a promise of a Response": async ({ nucleus, bytes, draw }) => {
    const response = new Response(bytes, { headers: { "content-type": "application/wasm" } });
    await nucleus.default(Promise.resolve(response));
    return draw();
  },
  "a URL": async ({ nucleus, url, draw }) => {
    await nucleus.default(new URL(url));
    return draw();
  },
  "the text of a URL": async ({ nucleus, url, draw }) => {
    await nucleus.default(url);
    return draw();
  },
  "a Request": async ({ nucleus, url, draw }) => {
    await nucleus.default(new Request(url));
    return draw();
  },
};

test.each(Object.entries(sources))("init(source) accepts %s", async (_, scenario) => {
  expect(await inFreshThread(scenario)).toEqual(expected);
});

test("init(source) that fails rejects with not_initialized and its cause, and can be tried again", async () => {
  const found = await inFreshThread(async ({ nucleus, bytes, draw }) => {
    const failures: unknown[] = [];
    const note = (error: unknown) => {
      if (!(error instanceof nucleus.NucleusError)) return failures.push(`threw ${error}`);
      return failures.push([error.code, error.cause !== undefined]);
    };
    await nucleus.default(Uint8Array.of(1, 2, 3)).catch(note);
    await nucleus.default(new Response("", { status: 404 })).catch(note);
    await nucleus.default("data:text/plain,nothing").catch(note);
    try {
      new nucleus.WasmSampler();
    } catch (error) {
      note(error);
    }
    await nucleus.default(bytes);
    return { failures, drawn: draw() };
  });
  const failed = ["not_initialized", true];
  expect(found).toEqual({
    failures: [failed, failed, failed, ["not_initialized", false]],
    drawn: expected,
  });
});
