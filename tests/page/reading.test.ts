// What a model's thread says of a text: the same row whatever was read before, and clear words where it cannot read.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import init, { Model } from "nucleus-sampler/model";
import { beforeAll, describe, expect, test } from "vitest";
import type { ModelText } from "../../www/models/protocol";
import { MAX_PROMPT, Reading } from "../../www/models/reading";
import { endOfText, joinedText, modelTexts } from "../../www/models/texts";

let model: Model;
beforeAll(async () => {
  await init();
  model = Model.load(readFileSync(fileURLToPath(new URL("../../models/tiny.gguf", import.meta.url))));
});

const never = () => {};
const reading = (pause = async () => {}) => new Reading(model, pause);
/** The row of a text by a reading that has read nothing before. */
async function fresh(text: ModelText): Promise<Float32Array> {
  const row = await reading().read(text, never);
  if (row === null) throw new Error("Nobody took the place of this text.");
  return row.logits;
}
const long = "The king rode into the wood, and the wood was dark and deep and still. ".repeat(3);

describe("reading.read(text)", () => {
  test("gives the model's own row: prefilled from the prompt's tokens and the output", async () => {
    const prompt = "Once upon a time";
    const ids = model.tokenizer.encode(prompt);
    const session = model.session();
    const expected = session.prefill([...ids, 5, 7]);
    session.free();
    const row = await reading().read({ prompt, output: [5, 7] }, never);
    expect(row?.logits).toEqual(expected);
    expect([...(row?.promptTokens ?? [])]).toEqual([...ids]);
  });

  test("gives the same row, to the bit, after steps, steps back and other texts", async () => {
    const one = reading();
    const texts: ModelText[] = [
      { prompt: long, output: [] },
      { prompt: long, output: [9] },
      { prompt: long, output: [9, 11] },
      { prompt: long, output: [9] },
      { prompt: "Another text", output: [] },
      { prompt: long, output: [9, 12] },
      { prompt: long, output: [9, 12] },
    ];
    for (const text of texts) expect((await one.read(text, never))?.logits).toEqual(await fresh(text));
  });

  test("reads a long text in parts and says how far it is", async () => {
    const seen: number[] = [];
    const { length } = model.tokenizer.encode(long);
    await reading().read({ prompt: long, output: [] }, ({ done, total }) => {
      expect(total).toBe(length);
      seen.push(done);
    });
    expect(seen).toEqual(Array.from({ length: Math.ceil(length / 16) - 1 }, (_, i) => 16 * (i + 1)));
  });

  test("is null where a newer text takes its place, and the newer one's row is right", async () => {
    let newer: Promise<unknown> | null = null;
    const text = { prompt: long.slice(0, 90), output: [3] };
    const one: Reading = reading(async () => {
      newer ??= one.read(text, never);
    });
    expect(await one.read({ prompt: long, output: [] }, never)).toBeNull();
    expect(await newer).toMatchObject({ logits: await fresh(text) });
  });

  test("is null once it is stopped, and can be taken up again", async () => {
    let isFirst = true;
    const one: Reading = reading(async () => {
      if (isFirst) one.stop();
      isFirst = false;
    });
    const text = { prompt: long, output: [] };
    expect(await one.read(text, never)).toBeNull();
    expect((await one.read(text, never))?.logits).toEqual(await fresh(text));
  });

  test("refuses a text that is longer than the context, naming both, and reads on", async () => {
    const { contextLength } = model.config;
    const one = reading();
    const output = Array.from({ length: contextLength }, () => 5);
    const n = (contextLength + 1).toLocaleString("en");
    await expect(one.read({ prompt: "a", output }, never)).rejects.toThrow(
      `The text has ${n} tokens: this model reads ${contextLength.toLocaleString("en")} at most.`,
    );
    const text = { prompt: "a", output: output.slice(1) };
    expect((await one.read(text, never))?.logits).toEqual(await fresh(text));
  });

  test("refuses a prompt that nobody would wait for", async () => {
    await expect(reading().read({ prompt: "a".repeat(MAX_PROMPT + 1), output: [] }, never)).rejects.toThrow(
      "The prompt has 100,001 characters: it may have 100,000 at most.",
    );
  });

  test("refuses a token that the model has not, and reads on", async () => {
    const one = reading();
    await expect(one.read({ prompt: "a", output: [999_999] }, never)).rejects.toThrow("999999");
    expect((await one.read({ prompt: "a", output: [] }, never))?.logits).toEqual(
      await fresh({ prompt: "a", output: [] }),
    );
  });

  test("reads an empty prompt as the beginning of a text", async () => {
    const { bos } = model.tokenizer;
    const row = await reading().read({ prompt: "", output: [] }, never);
    expect([...(row?.promptTokens ?? [])]).toEqual([bos]);
  });

  test("takes what looks like a special token for text", async () => {
    const [end = 0] = model.tokenizer.ends;
    const marker = new TextDecoder().decode(model.tokenizer.bytes(end));
    const row = await reading().read({ prompt: `a ${marker}`, output: [] }, never);
    expect([...(row?.promptTokens ?? [])]).not.toContain(end);
  });
});

describe("reading.describe()", () => {
  test("has every token's bytes, the context's length and the tokens that end a text", () => {
    const described = reading().describe();
    const texts = modelTexts(described);
    expect(texts.size).toBe(model.config.vocabSize);
    expect(described.contextLength).toBe(model.config.contextLength);
    expect([...described.ends]).toEqual([...model.tokenizer.ends]);
    for (let id = 0; id < texts.size; id++) {
      const from = described.starts[id] ?? 0;
      expect(described.bytes.subarray(from, described.starts[id + 1])).toEqual(model.tokenizer.bytes(id));
    }
  });

  test("serves texts that join to what was typed, also where a character is spread over tokens", () => {
    const described = reading().describe();
    const texts = modelTexts(described);
    const typed = "A 🦄, naïve — 日本";
    const ids = [...model.tokenizer.encode(typed)];
    expect(joinedText(described, ids)).toBe(typed);
    // The pieces of a character that no token has whole are bytes, and shown as such.
    const unicorn = [...model.tokenizer.encode("🦄")].map((id) => texts.text(id)).join("");
    expect(unicorn).toMatch(/^[\udc80-\udcff]{4}$/);
    const cut = [...model.tokenizer.encode("🦄")].slice(0, -1);
    expect(joinedText(described, cut)).toContain("\ufffd");
  });
});

describe("endOfText(text)", () => {
  test("is a short text on one line", () => {
    expect(endOfText("Once\n\nupon  a time")).toBe("Once upon a time");
  });

  test("is the last words of a long one", () => {
    const end = endOfText(long);
    expect(end.length).toBeLessThanOrEqual(142);
    expect(end).toMatch(/^… \w+ .*still\. $/);
    expect(endOfText("🦄".repeat(200))).not.toMatch(/^… [\udc00-\udfff]/);
  });
});
