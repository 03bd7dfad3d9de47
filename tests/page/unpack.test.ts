import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { RECORDED } from "../../www/sources/catalogue";
import { unpackRow, unpackVocabulary } from "../../www/sources/unpack";
import { packed } from "./support";

const file = (name: string) => fileURLToPath(new URL(`../../www/data/${name}`, import.meta.url));
const sha256 = (content: string | Uint8Array) => createHash("sha256").update(content).digest("hex");

describe("unpackRow(stream)", () => {
  test.each(Object.entries(RECORDED.rows))(
    "gives back every bit of the recorded row %s",
    async (name, row) => {
      const logits = await unpackRow(packed(name));
      expect(logits.length).toBe(RECORDED.vocabSize);
      expect(sha256(new Uint8Array(logits.buffer))).toBe(row.sha256);
    },
  );

  test("refuses what are not four equal byte planes", async () => {
    const odd = new Blob([new Uint8Array(5)]).stream().pipeThrough(new CompressionStream("gzip"));
    await expect(unpackRow(odd as ReadableStream<Uint8Array<ArrayBuffer>>)).rejects.toThrow(
      "four equal byte planes",
    );
  });

  test("refuses a row that was cut short on the way", async () => {
    const whole = readFileSync(file("once.bin"));
    const part = new Blob([new Uint8Array(whole.subarray(0, 1000))]).stream();
    await expect(unpackRow(part)).rejects.toThrow();
  });
});

test("unpackVocabulary(stream) gives back every token's text", async () => {
  const texts = await unpackVocabulary(packed("vocabulary"));
  expect(texts.length).toBe(RECORDED.vocabSize);
  expect(sha256(texts.join("\n"))).toBe(RECORDED.vocabularySha256);
});

test("the default row and the vocabulary are at most 340 kB together as they are sent", () => {
  expect(statSync(file("once.bin")).size + statSync(file("vocabulary.bin")).size).toBeLessThanOrEqual(
    340_000,
  );
});
