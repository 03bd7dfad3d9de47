// Models: loading from whatever has the bytes, sessions, and what is said of what is wrong.
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { CONTEXT, smallModel, VOCAB } from "./gguf";
import { Model, simd, thrownBy } from "./nucleus";

const file = smallModel();
const model = Model.load(file);
const ids = [72, 101, 257, 5, 9, 200, 31];

const stepwise = () => {
  const session = model.session();
  return ids.map((id) => session.step(id));
};

test("Model.load(bytes) tells the model's shape", () => {
  expect(model.config).toEqual({
    architecture: "llama",
    vocabSize: VOCAB,
    contextLength: CONTEXT,
    layers: 2,
    dim: 32,
    ffnDim: 64,
    heads: 4,
    kvHeads: 2,
    headDim: 8,
  });
  expect(Model.load(file.slice().buffer).config).toEqual(model.config);
});

test("session.prefill(ids) is what one step after the other returns", () => {
  const rows = stepwise();
  const session = model.session();
  expect(session.prefill(ids)).toEqual(rows.at(-1));
  expect(session.length).toBe(ids.length);
  expect(rows[0]).toHaveLength(VOCAB);
  expect(rows[0]?.every(Number.isFinite)).toBe(true);
  expect(rows[0]).not.toEqual(rows[1]);
});

test("session.rewind(length) and session.fork() lead to the same logits as a session of one's own", () => {
  const rows = stepwise();
  const session = model.session();
  session.prefill(ids.slice(0, 4));
  const fork = session.fork();
  fork.prefill([1, 2, 3]);
  expect(session.prefill(ids.slice(4))).toEqual(rows.at(-1));
  session.rewind(2);
  expect(session.step(ids[2] as number)).toEqual(rows[2]);
  fork.rewind(4);
  expect(fork.step(ids[4] as number)).toEqual(rows[4]);
  expect([session.length, fork.length]).toEqual([3, 5]);
});

test("what a session does not accept changes nothing", async () => {
  const session = model.session();
  session.prefill([1, 2]);
  expect((await thrownBy(() => session.prefill([]))).code).toBe("empty");
  expect((await thrownBy(() => session.step(VOCAB))).code).toBe("bad_token");
  expect((await thrownBy(() => session.step(-1))).code).toBe("out_of_range");
  expect((await thrownBy(() => session.prefill("ab" as unknown as number[]))).code).toBe("wrong_type");
  expect((await thrownBy(() => session.prefill(new Uint32Array(CONTEXT)))).code).toBe("too_large");
  expect((await thrownBy(() => session.rewind(3))).code).toBe("too_large");
  expect(session.length).toBe(2);
});

test("free() is harmless twice, use after it is `freed`, and a session outlives its model", async () => {
  const other = Model.load(file);
  const session = other.session();
  other.free();
  other.free();
  expect(await thrownBy(() => other.session())).toEqual({ code: "freed", message: "this model was freed" });
  expect((await thrownBy(() => other.tokenizer.encode("a"))).code).toBe("freed");
  expect(session.prefill(ids)).toEqual(model.session().prefill(ids));
  session.free();
  session.free();
  expect(await thrownBy(() => session.length)).toEqual({ code: "freed", message: "this session was freed" });
});

/** The file in pieces of some bytes, as a stream. */
const pieces = (bytes: Uint8Array, size: number) => {
  let at = 0;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(at, at + size));
      at += size;
    },
  });
};

test("Model.stream(source) takes a Blob, a Response, a stream, and promises of them", async () => {
  const expected = model.session().prefill(ids);
  const sources = [
    new Blob([file]),
    new Response(file),
    Promise.resolve(new Response(file)),
    pieces(file, 1),
    pieces(file, 1000),
  ];
  for (const source of sources) expect((await Model.stream(source)).session().prefill(ids)).toEqual(expected);
});

test("Model.stream(source, { onProgress }) tells how far it has come, of how much", async () => {
  const seen: { loaded: number; total: number | undefined }[] = [];
  await Model.stream(pieces(file, 4096), { onProgress: (progress) => seen.push(progress) });
  expect(seen.map(({ loaded }) => loaded)).toEqual(seen.map((_, i) => Math.min((i + 1) * 4096, file.length)));
  // The header of this file says what the whole has, but for the last tensor's padding.
  expect(seen.at(-1)?.total).toBeGreaterThan(file.length - 32);
  expect(seen.at(-1)?.total).toBeLessThanOrEqual(file.length);
});

test("Model.stream(source, { signal }) cancels the source and rejects with the reason", async () => {
  const stop = new AbortController();
  let cancelled: unknown;
  const source = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(file.subarray(0, 100)),
    cancel(reason) {
      cancelled = reason;
    },
  });
  const why = new Error("enough");
  const loading = Model.stream(source, { signal: stop.signal, onProgress: () => stop.abort(why) });
  await expect(loading).rejects.toBe(why);
  expect(cancelled).toBe(why);
  await expect(Model.stream(new Blob([file]), { signal: stop.signal })).rejects.toBe(why);
});

test("a file that is cut short, too short for its header, or none says so", async () => {
  const cut = file.subarray(0, file.length - 100);
  expect((await thrownBy(() => Model.load(cut))).code).toBe("wrong_length");
  expect((await thrownBy(() => Model.stream(pieces(cut, 500)))).code).toBe("wrong_length");
  expect((await thrownBy(() => Model.stream(pieces(file, 500), { size: 20_000 }))).code).toBe("wrong_length");
  const html = new TextEncoder().encode("<!doctype html>");
  expect((await thrownBy(() => Model.load(html))).message).toContain('begins with "GGUF"');
  expect((await thrownBy(() => Model.load(smallModel("mamba")))).message).toContain("mamba");
  const missing = new Response("no", { status: 404 });
  expect((await thrownBy(() => Model.stream(missing))).message).toContain("404");
});

test("what is no source, file or option is named", async () => {
  expect((await thrownBy(() => Model.load("model.gguf" as unknown as Uint8Array))).code).toBe("wrong_type");
  expect((await thrownBy(() => Model.stream("model.gguf" as unknown as Blob))).code).toBe("wrong_type");
  const options = { onprogress: () => {} };
  expect((await thrownBy(() => Model.stream(new Blob([file]), options as object))).code).toBe(
    "unknown_option",
  );
  expect((await thrownBy(() => Model.stream(new Blob([file]), { size: 0 }))).code).toBe("out_of_range");
});

test("both builds give the same logits to the bit", async () => {
  expect(simd()).toBe(true);
  const folder = path.join(tmpdir(), `nucleus-model-${process.pid}.gguf`);
  await writeFile(folder, file);
  const entry = new URL("../../../dist/model-node.js", import.meta.url).href;
  const script = `
    import init, { Model, simd } from ${JSON.stringify(entry)};
    import { readFileSync, rmSync } from "node:fs";
    await init({ simd: false });
    const file = readFileSync(${JSON.stringify(folder)});
    rmSync(${JSON.stringify(folder)});
    const row = Model.load(file).session().prefill(${JSON.stringify(ids)});
    console.log(JSON.stringify([simd(), ...new Uint32Array(row.buffer)]));
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script]);
  const row = model.session().prefill(ids);
  expect(JSON.parse(stdout)).toEqual([false, ...new Uint32Array(row.buffer)]);
});
