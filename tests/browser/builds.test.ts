// The two builds of the module: the page fetches the one that its engine can run, and draws the same with either.
import type { BrowserContext } from "playwright-core";
import { expect, test } from "vitest";
import { usePage } from "./use-page";

const { open, page, requests } = usePage();

/** The engine's thread in a browser that has no SIMD, as far as the package can ask it. */
const withoutSimd = (context: BrowserContext) =>
  context.route(/\/worker-[^/]*\.js$/, async (route) => {
    const response = await route.fetch();
    const body = `WebAssembly.validate = () => false;\n${await response.text()}`;
    await route.fulfill({ response, body });
  });

const modules = () => requests().filter((url) => url.endsWith(".wasm"));

/** The counts of the first ten thousand draws, highest probability first. */
async function counts(): Promise<(string | null)[]> {
  await page().getByRole("button", { name: "draw 10,000" }).click();
  const shown = page().locator(".draw-bars .counts text");
  await expect.poll(() => shown.first().textContent()).toBe("4,354");
  return shown.allTextContents();
}

test("an engine with SIMD fetches the build with SIMD alone; one without the other alone, and draws the same", async () => {
  await open();
  const withSimd = await counts();
  expect(modules()).toEqual([expect.stringMatching(/\/nucleus_sampler_bg-[^/]*\.wasm$/)]);
  await page().context().close();
  await open("", {}, withoutSimd);
  expect(await counts()).toEqual(withSimd);
  expect(modules()).toEqual([expect.stringMatching(/\/nucleus_sampler_scalar_bg-[^/]*\.wasm$/)]);
});
