// Breaks in a sampling thread, in a model's module and in a browser.
import { copyFileSync } from "node:fs";
import { chromium } from "playwright-core";
import { beforeAll, expect, test, vi } from "vitest";
import { serve } from "../../scripts/serve.mjs";
import { browserProgram } from "../browser/page";
import { smallModel } from "../js/model/gguf";
import { folder, lit, modelEntry, scattered, thrown, Whole, workerEntry } from "./trap";

beforeAll(() => void vi.spyOn(console, "error").mockImplementation(() => {}));

const logits = scattered(100);
const options = { topP: 0.9, seed: 3 };
const caught = (asked: Promise<unknown>): Promise<unknown> => asked.then(String, (error: unknown) => error);

test("a sampling thread's error has its code and its cause, and its samplers go on", async () => {
  const { SamplerWorker } = await workerEntry();
  const worker = new SamplerWorker();
  const [sampler, other] = [await worker.sampler(options), await worker.sampler(options)];
  const twin = new Whole(options);
  expect(await sampler.sample(logits)).toBe(twin.sample(logits));
  expect(await caught(sampler.sample(lit(logits)))).toMatchObject({
    name: "NucleusError",
    code: "internal",
    message: /^the sampler broke/,
    cause: { message: "RuntimeError: unreachable" },
  });
  expect(await sampler.sampleMany(logits, 20)).toEqual(twin.sampleMany(logits, 20));
  expect(await other.sampleMany(logits, 20)).toEqual(new Whole(options).sampleMany(logits, 20));
  worker.terminate();
});

const ways = ["panic", "calls", "frames", "memory"] as const;

test.each(ways)("models and sessions of a module that broke by %s say so; a new one works", async (way) => {
  const { default: init, Model } = await modelEntry();
  await init();
  const file = smallModel();
  const [model, stays] = [Model.load(file), Model.load(file)];
  const session = model.session();
  const ids = model.tokenizer.encode("to be");
  const expected = session.prefill(ids);
  expect(thrown(() => model.tokenizer.encode(`break by ${way}`))).toMatchObject({
    code: "internal",
    message: expect.stringMatching(
      /^the model broke \(.*\) and its module was replaced: load the model again$/,
    ),
  });
  const uses: [string, () => unknown][] = [
    ["model", () => model.config],
    ["model", () => model.session()],
    ["model", () => stays.tokenizer.encode("to")],
    ["session", () => session.step(1)],
    ["session", () => session.length],
  ];
  for (const [what, use] of uses)
    expect(thrown(use)).toMatchObject({
      code: "internal",
      message: `this ${what} was lost when its module broke: load the model again`,
    });
  const again = Model.load(file);
  for (const lost of [session, model, stays]) lost.free();
  expect(again.session().prefill(ids)).toEqual(expected);
  expect(thrown(() => model.config)).toMatchObject({ code: "freed" });
});

test("Model.stream(source) whose module breaks on the way says so, and harms nothing", async () => {
  const { default: init, Model } = await modelEntry();
  await init();
  const file = smallModel();
  const model = Model.load(file);
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(file.slice(0, 5000));
    },
    pull(controller) {
      thrown(() => model.tokenizer.encode("break by panic"));
      controller.enqueue(file.slice(5000));
      controller.close();
    },
  });
  const again = Model.load(file);
  expect(await caught(Model.stream(stream, { size: file.length }))).toMatchObject({
    code: "internal",
    message: "this loader was lost when its module broke: load the model again",
  });
  expect(thrown(() => again.config)).toMatchObject({ code: "internal" });
  expect(Model.load(file).config.vocabSize).toBeGreaterThan(0);
});

test("a page under a strict policy, and a worker of it, go on in Chromium", async () => {
  for (const file of ["index.html", "page.mjs"])
    copyFileSync(new URL(file, import.meta.url), `${folder}${file}`);
  const server = await serve({ root: folder });
  const browser = await chromium.launch({
    executablePath: browserProgram(),
    args: ["--no-sandbox", "--disable-gpu"],
  });
  const page = await browser.newPage();
  await page.goto(server.url);
  const found = await page.evaluate(run, { given: [...logits], fused: fusedLogits(), options });
  await browser.close();
  await server.close();
  const twin = new Whole(options);
  const tokens = [...twin.sampleMany(logits, 40)];
  expect(found).toEqual({
    codes: Array(12).fill("internal"),
    tokens,
    threadCode: "internal",
    threadTokens: tokens,
  });
});

const fusedLogits = () => ways.map((fuse) => [...lit(logits, fuse)]);

interface Given {
  given: number[];
  fused: number[][];
  options: { topP: number; seed: number };
}

/** Runs in the page, whose script has it. */
const run = (given: Given): unknown =>
  (globalThis as unknown as { answer: (given: Given) => unknown }).answer(given);
