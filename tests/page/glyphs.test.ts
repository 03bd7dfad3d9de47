import { describe, expect, test } from "vitest";
import { label, STRAY_BYTE, segments, spoken, visible } from "../../www/glyphs";

describe("visible(text)", () => {
  test.each([
    [" girl", "␣girl"],
    [" ", "‹space›"],
    ["    ", "‹4 spaces›"],
    ["\n\n", "‹2 line feeds›"],
    ["\n  ", "‹line feed›‹2 spaces›"],
    [` ${String.fromCharCode(STRAY_BYTE + 0xe2)}`, "␣‹E2›"],
    ["\t", "‹tab›"],
    ["\ta", "⇥a"],
    ["a\u00a0b", "a⍽b"],
    ["\u0000", "‹control 0›"],
    ["a\u0000", "a␀"],
    ["\u200b", "‹U+200B›"],
    ["", "∅"],
    [String.fromCharCode(STRAY_BYTE + 0xc3), "‹C3›"],
    ["é€😀", "é€😀"],
  ])("makes %j into %s", (text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  test("leaves no white space, control character or format character in what it shows", () => {
    for (let code = 0; code < 0x3000; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const shown = visible(`a${String.fromCodePoint(code)}`);
      expect(shown).not.toMatch(/[\s\p{Cc}\p{Cf}]/u);
    }
  });
});

test("label(text) leaves out one leading space, but shows a token that is only a space", () => {
  expect(label(" girl")).toBe("girl");
  expect(label("  girl")).toBe("␣girl");
  expect(label(" ")).toBe("‹space›");
  expect(label("  ")).toBe("‹2 spaces›");
  expect(label(" \n")).toBe("‹space›‹line feed›");
});

test("spoken(text) names what is invisible", () => {
  expect(spoken(" girl")).toBe("space girl");
  expect(spoken("\n")).toBe("line feed");
  expect(spoken("    ")).toBe("4 spaces");
});

test("segments(text) keeps glyphs apart from letters that look the same", () => {
  expect(segments("␣ ")).toEqual([
    { text: "␣", name: null },
    { text: "␣", name: "space" },
  ]);
});
