// The two builds of the module: the page fetches the one that its engine can run, and draws the same with either.
import type { BrowserContext } from "playwright-core";
import { expect, test } from "vitest";
import { usePage } from "./use-page";

const { open, page, requests } = usePage();

/** The engine's thread in a browser that has no SIMD, as far as the package can ask it. */
async function withoutSimd(context: BrowserContext): Promise<void> {
  await context.route(/\/worker-[^/]*\.js$/, async (route) => {
    const response = await route.fetch();
    const body = `WebAssembly.validate = () => false;\n${await response.text()}`;
    await route.fulfill({ response, body });
  });
}

test.each([
  ["with SIMD", undefined, /\/nucleus_sampler_bg-[^/]*\.wasm$/],
  ["without SIMD", withoutSimd, /\/nucleus_sampler_scalar_bg-[^/]*\.wasm$/],
])(
  "a browser %s fetches its build of the module alone, and draws the seed's tokens",
  async (_, prepare, build) => {
    await open("", {}, prepare);
    await page().getByRole("button", { name: "draw 10,000" }).click();
    const counts = page().locator(".draw-bars .counts text");
    await expect.poll(() => counts.first().textContent()).toBe("4,354");
    expect((await counts.allTextContents()).slice(0, 4)).toEqual(["4,354", "2,570", "352", "357"]);
    expect(requests().filter((url) => url.endsWith(".wasm"))).toEqual([expect.stringMatching(build)]);
  },
);
