// Thousands of breaks in a row: everything goes on, and no memory stays behind.
import { beforeAll, expect, test, vi } from "vitest";
import { type Fuse, fuses, lit, scattered, thrown, WasmSampler, Whole } from "./trap";

beforeAll(() => void vi.spyOn(console, "error").mockImplementation(() => {}));

const logits = scattered(300);
const megabytes = () => process.memoryUsage().rss / 2 ** 20;

function break_(times: number, fuse: Fuse, between = () => {}): void {
  const [sampler, idle] = [new WasmSampler({ seed: 1, topP: 0.9 }), new WasmSampler({ seed: 2 })];
  sampler.logitsBuffer(300).set(logits);
  const twins = [new Whole({ seed: 1, topP: 0.9 }), new Whole({ seed: 2 })] as const;
  for (let n = 0; n < times; n += 1) {
    expect(thrown(() => sampler.sample(lit(logits, fuse)))).toMatchObject({ code: "internal" });
    if (n % 100 === 0) expect(sampler.sample(sampler.logitsBuffer(300))).toBe(twins[0].sample(logits));
    between();
  }
  expect(sampler.sampleMany(logits, 50)).toEqual(twins[0].sampleMany(logits, 50));
  expect(idle.sampleMany(logits, 50)).toEqual(twins[1].sampleMany(logits, 50));
  for (const each of [sampler, idle]) each.free();
}

test("10,000 breaks in a row", () => {
  break_(500, "panic");
  const before = megabytes();
  let most = before;
  break_(10_000, "panic", () => {
    most = Math.max(most, megabytes());
  });
  // An instance has more than a megabyte: those of before are collected.
  expect(most - before).toBeLessThan(600);
}, 300_000);

test.each(Object.keys(fuses) as Fuse[])("300 breaks in a row by %s", (fuse) => break_(300, fuse), 300_000);
