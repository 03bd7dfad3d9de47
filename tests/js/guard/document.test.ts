// docs/guard.md: its figures are what the package gives.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { guardPage } from "../../../scripts/guard-table.mjs";

test("docs/guard.md says what the guard does to the recorded rows", async () => {
  const page = readFileSync(new URL("../../../docs/guard.md", import.meta.url), "utf8");
  expect(page).toBe(await guardPage());
});
