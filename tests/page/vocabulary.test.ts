import { describe, expect, test } from "vitest";
import { STRAY_BYTE } from "../../www/glyphs";
import { byteLevelTexts, decodeUtf8, findTokens, plainTexts } from "../../www/sources/vocabulary";
import { recorded } from "./support";

describe("byteLevelTexts(encoded)", () => {
  test("decodes the GPT-2 byte alphabet", () => {
    const texts = byteLevelTexts(["Ġgirl", "Ċ", "Ã©", "ðŁĺĢ", "<|endoftext|>"]);
    expect([0, 1, 2, 3, 4].map((id) => texts.text(id))).toEqual([" girl", "\n", "é", "😀", "<|endoftext|>"]);
  });

  test("gives the token texts of the recorded prompt back", async () => {
    const row = await recorded("once");
    expect(row.promptTokens.map((id) => row.texts.text(id)).join("")).toBe(row.prompt);
  });
});

describe("decodeUtf8(bytes)", () => {
  test("keeps each byte that is not part of a whole sequence", () => {
    const stray = (byte: number) => String.fromCharCode(STRAY_BYTE + byte);
    expect(decodeUtf8([0xc3])).toBe(stray(0xc3));
    expect(decodeUtf8([0x61, 0x80, 0x62])).toBe(`a${stray(0x80)}b`);
    expect(decodeUtf8([0xe2, 0x82, 0x41])).toBe(`${stray(0xe2)}${stray(0x82)}A`);
    expect(decodeUtf8([0xed, 0xa0, 0x80])).toBe([0xed, 0xa0, 0x80].map(stray).join(""));
  });
});

describe("findTokens(texts, query)", () => {
  const texts = plainTexts([" Girl", "girls", "boy", "12", " "]);

  test("finds by part of the text, letter case aside", () => {
    expect(findTokens(texts, "girl")).toEqual([0, 1]);
  });

  test("finds by id as well as by digits in the text", () => {
    expect(findTokens(texts, "2")).toEqual([2, 3]);
  });

  test("takes the open box for a space", () => {
    expect(findTokens(texts, "␣girl")).toEqual([0]);
  });

  test("finds nothing for what no token contains", () => {
    expect(findTokens(texts, "xyz")).toEqual([]);
  });
});
