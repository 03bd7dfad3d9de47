import { describe, expect, test } from "vitest";
import {
  formatApart,
  formatBits,
  formatCount,
  formatLogit,
  formatMegabytes,
  formatPercent,
  formatSetting,
  formatThreshold,
  formatTokens,
  parseNumber,
} from "../../www/format";

describe("formatPercent(p)", () => {
  test.each([
    [0, "0%"],
    [1, "100%"],
    [0.38313, "38.31%"],
    [0.0006, "0.06%"],
    [0.0001, "0.01%"],
    [0.00009, "0.0090%"],
    [0.0000012, "0.00012%"],
    [3.2e-9, "3.2·10⁻⁹"],
    [0.99999, ">99.99%"],
    [0.99994, "99.99%"],
  ])("writes %d as %s", (p, text) => {
    expect(formatPercent(p)).toBe(text);
  });

  test("writes 0% and 100% for nothing but 0 and 1", () => {
    for (const p of [Number.MIN_VALUE, 1e-300, 1e-12, 1 - 2 ** -53, 0.999999]) {
      expect(formatPercent(p)).not.toBe("0%");
      expect(formatPercent(p)).not.toBe("100%");
    }
  });
});

test("formatThreshold(p) leaves out needless zeros and the noise of binary fractions", () => {
  expect(formatThreshold(0.9)).toBe("90%");
  expect(formatThreshold(0.955)).toBe("95.5%");
  expect(formatThreshold(0.29)).toBe("29%");
});

test("formatCount(n) groups thousands, and formatTokens(n) knows one from many", () => {
  expect(formatCount(49152)).toBe("49,152");
  expect(formatTokens(1)).toBe("1 token");
  expect(formatTokens(0)).toBe("0 tokens");
});

test("formatBits(nats) converts from nats", () => {
  expect(formatBits(Math.LN2)).toBe("1.00");
});

test("formatLogit(logit) has a true minus sign and an infinity", () => {
  expect(formatLogit(-1.5)).toBe("−1.500");
  expect(formatLogit(-Infinity)).toBe("−∞");
});

test("formatSetting(value, digits) fills up decimals and never cuts them", () => {
  expect(formatSetting(1, 2)).toBe("1.00");
  expect(formatSetting(0.955, 2)).toBe("0.955");
  expect(formatSetting(40, 0)).toBe("40");
});

describe("parseNumber(text)", () => {
  test.each([
    ["0.9", 0.9],
    ["0,9", 0.9],
    [" ,5 ", 0.5],
    ["-2", -2],
    ["−2", -2],
    ["1e-3", 0.001],
    ["-inf", -Infinity],
    ["-∞", -Infinity],
    ["+3.", 3],
  ])("reads %j as %d", (text, value) => {
    expect(parseNumber(text)).toBe(value);
  });

  test.each(["", "abc", "1,000.5", "1,2,3", "0x10", "1 2", "NaN", "--1", "."])("refuses %j", (text) => {
    expect(parseNumber(text)).toBeNull();
  });
});

test.each([
  [0.1, 0.2, ["10.00%", "20.00%"]],
  [0.00099612, 0.001, ["0.0996%", "0.1000%"]],
  [0.25, 0.25, ["25.00%", "25.00%"]],
])("formatApart(%d, %d) has as many decimals as it takes to tell them apart", (a, b, written) => {
  expect(formatApart(a, b)).toEqual(written);
});

test("formatMegabytes(bytes) has a tenth where there are few", () => {
  expect(formatMegabytes(2_410_592)).toBe("2.4");
  expect(formatMegabytes(98_362_432)).toBe("98");
  expect(formatMegabytes(0)).toBe("0.0");
});
