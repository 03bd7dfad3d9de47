// The models that the page reads from: opened once, swapped when another file is good, and back from what was cancelled.

import { beforeEach, describe, expect, test } from "vitest";
import { Shelf } from "../../www/models/shelf";
import type { RowState } from "../../www/playground";
import { INITIAL_STATE } from "../../www/state";
import { LocalModelPort, tinyFile, tinyModel } from "./model-support";

let ports: LocalModelPort[];
let shelf: Shelf;
beforeEach(() => {
  ports = [];
  shelf = new Shelf(() => {
    const port = new LocalModelPort();
    ports.push(port);
    return port;
  }, "tiny.gguf");
});

const tiny: RowState = { ...INITIAL_STATE, source: "tiny" };
const file: RowState = { ...INITIAL_STATE, source: "file" };
const bad = () => new File([new Uint8Array([0x25, 0x50, 0x44, 0x46, 0x2d, 0x31, 0x2e, 0x37])], "notes.pdf");

describe("shelf.row(state)", () => {
  test("loads the tiny model once, when it is first asked for", async () => {
    expect(ports).toHaveLength(0);
    await Promise.all([shelf.row(tiny), shelf.row({ ...tiny, output: [5] })]);
    await shelf.row({ ...tiny, prompt: "Then" });
    expect(ports.map(({ requests }) => requests[0]?.kind)).toEqual(["load"]);
  });

  test("has the text, its tokens and the model's own row", async () => {
    const row = await shelf.row({ ...tiny, output: [5] });
    const { tokenizer, config } = await tinyModel();
    const ids = [...tokenizer.encode(tiny.prompt)];
    expect(row.promptTokens).toEqual(ids);
    expect(row.prompt).toBe(tokenizer.decode([...ids, 5]));
    expect(row.texts.size).toBe(config.vocabSize);
    expect(row.logits).toHaveLength(config.vocabSize);
    expect(row.reader?.contextLength).toBe(config.contextLength);
  });

  test("is there at once where it was read lately", async () => {
    const row = await shelf.row(tiny);
    expect(shelf.row({ ...tiny })).toBe(row);
    for (let i = 0; i < 16; i++) await shelf.row({ ...tiny, output: [i + 3] });
    expect(shelf.row(tiny)).toBeInstanceOf(Promise);
  });

  test("says that an address has no file where a file is asked for", async () => {
    await expect(shelf.row(file)).rejects.toThrow("choose the file again");
  });

  test("rejects as given up where reading is cancelled, and shows nothing to wait for then", async () => {
    const asked = shelf.row({ ...tiny, prompt: "and on ".repeat(60) });
    // As soon as it says how far it is: a part has been read, and there are more.
    const stop = shelf.waiting.subscribe((waiting) => {
      if (waiting?.unit === "tokens" && waiting.total !== null) waiting.cancel();
    });
    await expect(asked).rejects.toMatchObject({ name: "AbortError" });
    stop();
    expect(shelf.waiting.value).toBeNull();
    expect((await shelf.row(tiny)).prompt).toBe(tiny.prompt);
  });

  test("tries the tiny model again where it was cancelled", async () => {
    const asked = shelf.row(tiny);
    shelf.waiting.value?.cancel();
    await expect(asked).rejects.toMatchObject({ name: "AbortError" });
    expect(ports[0]?.isTerminated).toBe(true);
    await shelf.row(tiny);
    expect(ports).toHaveLength(2);
  });
});

describe("shelf.open(file)", () => {
  test("gives the rows of the file", async () => {
    await shelf.open(tinyFile());
    const row = await shelf.row(file);
    expect(row.reader?.name).toBe("story.gguf");
    expect(row.logits).toEqual((await shelf.row(tiny)).logits);
  });

  test("puts a newer file in the place of an older one, whose thread ends", async () => {
    await shelf.open(tinyFile());
    const first = await shelf.row(file);
    await shelf.open(tinyFile("other.gguf"));
    expect(ports[0]?.isTerminated).toBe(true);
    const second = await shelf.row(file);
    expect(second.key).not.toBe(first.key);
    expect(second.reader?.name).toBe("other.gguf");
  });

  test("keeps the older file where the newer one cannot be used, and says what was found", async () => {
    await shelf.open(tinyFile());
    await expect(shelf.open(bad())).rejects.toThrow(/^notes\.pdf cannot be used: .*GGUF/);
    expect(ports[1]?.isTerminated).toBe(true);
    expect((await shelf.row(file)).reader?.name).toBe("story.gguf");
    expect(shelf.waiting.value).toBeNull();
  });

  test("refuses a file that was cut short", async () => {
    const cut = new File([tinyFile().slice(0, 1_000_000)], "cut.gguf");
    await expect(shelf.open(cut)).rejects.toThrow(/^cut\.gguf cannot be used: .*1000000/);
  });

  test("ends the thread of a file that was cancelled", async () => {
    const opening = shelf.open(tinyFile());
    expect(shelf.waiting.value?.what).toBe("Loading story.gguf");
    shelf.waiting.value?.cancel();
    await expect(opening).rejects.toMatchObject({ name: "AbortError" });
    expect(ports[0]?.isTerminated).toBe(true);
    expect(shelf.waiting.value).toBeNull();
  });

  test("gives a file up for another one that comes meanwhile", async () => {
    const first = shelf.open(tinyFile("first.gguf"));
    const second = shelf.open(tinyFile("second.gguf"));
    await expect(first).rejects.toMatchObject({ name: "AbortError" });
    await second;
    expect((await shelf.row(file)).reader?.name).toBe("second.gguf");
  });
});
