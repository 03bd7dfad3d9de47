// Other sources of logits: recorded rows and one written by hand.
import { describe, expect, test } from "vitest";
import { INITIAL_STATE } from "../../www/state";
import { holding, nucleus, recordedLogits } from "./numbers";
import { usePage } from "./use-page";

const { kept, open, page, shows } = usePage();

describe("another source", () => {
  test("brings its own sentence and numbers", async () => {
    await open();
    await page().getByLabel("source").selectOption("capital");
    await expect.poll(() => page().locator("h1").textContent()).toContain("The capital of France is");
    const expected = nucleus(recordedLogits("capital"), 1, 0.9);
    await expect.poll(kept).toBe(expected.kept);
  });

  test("is written by hand: words and logits typed, tokens added and removed", async () => {
    await open("v=1&source=hand");
    const hand = INITIAL_STATE.hand.map(({ logit }) => logit);
    const seven = holding(nucleus(Float32Array.from(hand), 1, 0.9));
    const eight = holding(nucleus(Float32Array.from([...hand, 9]), 1, 0.9));
    await shows(`Of 7 tokens, ${seven}`);
    await page().getByRole("button", { name: "Add a token" }).click();
    await shows("Of 8 tokens");
    await page().getByLabel("text of token 7").fill("dragon");
    await page().getByLabel("text of token 7").press("Enter");
    await page().getByLabel("logit of dragon", { exact: true }).fill("9");
    await page().getByLabel("logit of dragon", { exact: true }).press("Tab");
    await shows(eight);
    await page().getByRole("button", { name: "remove dragon" }).click();
    await shows(`Of 7 tokens, ${seven}`);
    await page().getByRole("button", { name: "Undo" }).click();
    await shows(`Of 8 tokens, ${eight}`);
  });
});
