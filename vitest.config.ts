// The suites that Vitest runs; `npm test` names one project at a time.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "js",
          include: ["tests/js/**/*.test.ts"],
          environment: "node",
          // Hundred thousands of calls take their time on a busy machine.
          testTimeout: 120_000,
          // The built package is loaded by Node itself, untransformed: what is tested is what is published.
          server: { deps: { external: [/\/dist\//] } },
        },
      },
      {
        test: {
          name: "page",
          include: ["tests/page/**/*.test.{ts,tsx}"],
          environment: "node",
        },
      },
      {
        test: {
          name: "trap",
          include: ["tests/trap/**/*.test.ts"],
          environment: "node",
          testTimeout: 120_000,
          // The package, and the one whose modules break.
          server: { deps: { external: [/\/dist\//, /\/tmp\/trap\//] } },
        },
      },
      {
        test: {
          name: "browser",
          include: ["tests/browser/**/*.test.ts"],
          environment: "node",
          // One browser at a time: files one after the other, each test as long as a page needs on a slow machine.
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
