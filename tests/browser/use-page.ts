// A test file's own browser, a visit to the page for each test, and its parts by the names that people give them.

import type { BrowserContext, BrowserContextOptions, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { Stage, type Visit } from "./page";

/** Sets a test file up; each test begins with `open`, and fails where anything went wrong on the page. */
export function usePage() {
  let stage: Stage;
  let visit: Visit;
  beforeAll(async () => {
    stage = await Stage.open();
  });
  afterEach(async () => {
    const { trouble } = visit;
    await visit.close();
    expect(trouble).toEqual([]);
  });
  afterAll(() => stage.close());

  const open = async (
    fragment?: string,
    options?: BrowserContextOptions,
    prepare?: (context: BrowserContext) => Promise<void>,
  ): Promise<void> => {
    visit = await stage.visit(fragment, options, prepare);
  };
  return { open, requests: () => visit.requests, ...partsOf(() => visit.page) };
}

function partsOf(page: () => Page) {
  const summary = () => page().locator(".summary");
  const row = (rank: number) => page().locator(`.row[aria-rowindex="${rank + 1}"]`);
  return {
    page,
    summary,
    row,
    cell: (rank: number, name: string): Locator => row(rank).locator(`.cell-${name}`),
    handle: () => page().getByRole("slider", { name: "Top-p", exact: true }),
    number: (label: string) => page().locator(`input[type="text"][aria-label="${label}"]`),
    /** How many tokens the headline says are kept. */
    kept: async () => Number((await summary().locator("strong").textContent())?.replaceAll(",", "")),
    /** Waits until the headline says this. */
    shows: (text: string | RegExp) =>
      expect.poll(() => summary().textContent(), { timeout: 20_000 }).toMatch(text),
  };
}
