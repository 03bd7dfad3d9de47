import { beforeAll, describe, expect, test } from "vitest";
import first from "../../www/data/first-fifty.json";
import { type FirstPaint, firstPaint } from "../../www/first-paint";
import { formatPercent } from "../../www/format";
import type { Row } from "../../www/sources/row";
import { realEngine, recorded } from "./support";

let once: Row;
beforeAll(async () => {
  once = await recorded("once");
});

describe("the first fifty numbers", () => {
  test("are the engine's own, to every digit that is printed", async () => {
    const engine = await realEngine();
    const before = engine.create({}).distribution(once.logits);
    const after = engine.create({ topP: first.p }).distribution(once.logits);
    expect(after.keptCount).toBe(first.keptCount);
    expect(formatPercent(first.keptMass)).toBe(formatPercent(after.keptMass));
    first.tokens.forEach(({ id, logit, prob }, i) => {
      expect(before.tokenIds[i]).toBe(id);
      expect(once.logits[id]).toBe(logit);
      expect(formatPercent(prob)).toBe(formatPercent(before.probs[i] ?? 0));
      expect(formatPercent(prob / first.keptMass)).toBe(formatPercent(after.probs[i] ?? 0));
    });
  });
});

describe("firstPaint(first)", () => {
  const html = firstPaint(first);

  test("says the sentence with its gap, and what the nucleus is", () => {
    expect(html).toContain("Once upon a time, there was a little");
    expect(html).toContain("<strong>96</strong> hold 90.05% of the probability");
  });

  test("has fifty rows and fifty bars", () => {
    expect(html.match(/<tr>/g)?.length).toBe(51);
    expect(html.match(/<rect /g)?.length).toBe(50);
  });

  test("needs nothing that the content policy forbids", () => {
    expect(html).not.toMatch(/<script|<style|\sstyle=|\son\w+=/);
  });

  test("escapes what tokens may hold", () => {
    const token = { id: 1, text: '<b>"&', logit: 1, prob: 1 };
    const hostile: FirstPaint = { ...first, prompt: "<i>&", tokens: [token] };
    expect(firstPaint(hostile)).not.toMatch(/<[bi]>/);
    expect(firstPaint(hostile)).toContain("&lt;b>&quot;&amp;");
  });
});
