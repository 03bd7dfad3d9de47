// The theme: the system's or the chosen one, on the page and in the chart's canvas.
import { expect, test } from "vitest";
import { usePage } from "./use-page";

const { open, page } = usePage();

test("the theme is kept over a reload and out of the address", async () => {
  await open();
  await page().getByLabel("theme").selectOption("dark");
  const dark = await page().evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page().reload();
  await page().locator(".chart .overlay").waitFor();
  expect(await page().evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(dark);
  expect(page().url()).not.toContain("dark");
});

/** The page's ground, and how many of the chart's pixels have just each of these colours. */
const chartIn = (colours: string[]) =>
  page().evaluate((wanted) => {
    const canvas = document.querySelector<HTMLCanvasElement>(".chart canvas");
    if (canvas === null) throw new Error("The chart is nowhere.");
    // A copy made to be read: the page's own canvas stays as it is.
    const copy = new OffscreenCanvas(canvas.width, canvas.height);
    const context = copy.getContext("2d", { willReadFrequently: true });
    context?.drawImage(canvas, 0, 0);
    const pixels = context?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
    const counts = wanted.map(() => 0);
    for (let i = 0; i < pixels.length; i += 4) {
      const place = wanted.indexOf(`rgb(${pixels[i]}, ${pixels[i + 1]}, ${pixels[i + 2]})`);
      if (place >= 0) counts[place] = (counts[place] ?? 0) + 1;
    }
    return { ground: getComputedStyle(document.body).backgroundColor, counts };
  }, colours);

/** The page's ground, and whether the chart is painted in each theme's colour of a kept token. */
const painted = async () => {
  const { ground, counts } = await chartIn(["rgb(43, 95, 143)", "rgb(95, 155, 214)"]);
  const [light, dark] = counts.map((n) => n > 100);
  return { ground, light, dark };
};

/** The relative luminance of a colour in sRGB, as WCAG defines it. */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = (colour.match(/[\d.]+/g) ?? []).map((part) => {
    const share = Number(part) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

test.each(["light", "dark"] as const)(
  "the curve has a colour of its own that stands out, and what is cut can be seen in the chart: %s",
  async (colorScheme) => {
    await open("", { colorScheme });
    const colours = await page().evaluate(() => {
      const colourOf = (selector: string, property: "borderTopColor" | "backgroundColor") => {
        const element = document.querySelector(selector);
        return element === null ? "" : getComputedStyle(element)[property];
      };
      return {
        paper: colourOf("body", "backgroundColor"),
        curve: colourOf(".swatch.curve", "borderTopColor"),
        outline: colourOf(".swatch.before", "borderTopColor"),
        kept: colourOf(".swatch.kept", "backgroundColor"),
        cut: colourOf(".swatch.cut-1", "backgroundColor"),
      };
    });
    expect(contrast(colours.curve, colours.paper)).toBeGreaterThan(3);
    expect([colours.outline, colours.kept]).not.toContain(colours.curve);
    const [curve, cut] = (await chartIn([colours.curve, colours.cut])).counts;
    expect(curve).toBeGreaterThan(200);
    expect(cut).toBeGreaterThan(200);
  },
);

const light = { ground: "rgb(253, 252, 249)", light: true, dark: false };
const dark = { ground: "rgb(22, 22, 20)", light: false, dark: true };

test.each(["light", "dark"] as const)(
  "the theme is the system's, %s, until one is chosen",
  async (system) => {
    await open("", { colorScheme: system });
    await expect.poll(painted).toEqual(system === "light" ? light : dark);
    for (const chosen of ["dark", "light", "system"] as const) {
      await page().getByLabel("theme").selectOption(chosen);
      const now = chosen === "system" ? system : chosen;
      await expect.poll(painted).toEqual(now === "light" ? light : dark);
    }
    const other = system === "light" ? "dark" : "light";
    await page().emulateMedia({ colorScheme: other });
    await expect.poll(painted).toEqual(other === "light" ? light : dark);
  },
);
