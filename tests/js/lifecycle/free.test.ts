// The end of a sampler: freed once or twice, and never used again.
import { expect, test } from "vitest";
import { scattered, seeded, thrown, WasmSampler } from "../nucleus";

const logits = scattered(10);

const uses: [string, (sampler: WasmSampler) => unknown][] = [
  ["sample(logits)", (sampler) => sampler.sample(logits)],
  ["sampleDetailed(logits)", (sampler) => sampler.sampleDetailed(logits)],
  ["sampleMany(logits, n)", (sampler) => sampler.sampleMany(logits, 2)],
  ["sampleBatch(logits, rows)", (sampler) => sampler.sampleBatch(logits, 1)],
  ["rowErrors()", (sampler) => sampler.rowErrors()],
  ["distribution(logits)", (sampler) => sampler.distribution(logits)],
  ["report(logits)", (sampler) => sampler.report(logits)],
  ["explain(logits, token)", (sampler) => sampler.explain(logits, 1)],
  ["logprobs(logits, n)", (sampler) => sampler.logprobs(logits, 1)],
  ["accept(token)", (sampler) => sampler.accept(1)],
  ["prompt(tokens)", (sampler) => sampler.prompt([1])],
  ["options", (sampler) => sampler.options],
  ["rowOptions(row)", (sampler) => sampler.rowOptions(0)],
  ["lastTrip", (sampler) => sampler.lastTrip],
  ["breaker(row)", (sampler) => sampler.breaker()],
  ["update(options)", (sampler) => sampler.update({})],
  ["addRow()", (sampler) => sampler.addRow()],
  ["removeRow(row)", (sampler) => sampler.removeRow(1)],
  ["state()", (sampler) => sampler.state()],
  ["reset()", (sampler) => sampler.reset()],
  ["clone()", (sampler) => sampler.clone()],
  ["logitsBuffer(n)", (sampler) => sampler.logitsBuffer(4)],
];

test("WasmSampler has no method that the list above leaves out", () => {
  const listed = uses.map(([name]) => name.split("(")[0]);
  const methods = Object.getOwnPropertyNames(WasmSampler.prototype).filter((name) => name !== "constructor");
  expect([...listed, "free"].sort()).toEqual(methods.sort());
});

test.each(uses)("sampler.%s after free() is the error freed", (_, use) => {
  const sampler = seeded();
  sampler.free();
  const error = thrown(() => use(sampler));
  expect(error).toMatchObject({ name: "NucleusError", code: "freed" });
});

test.each(uses)("sampler.%s after free() is freed, also where it worked before", (_, use) => {
  const sampler = seeded();
  sampler.addRow();
  use(sampler);
  sampler.free();
  sampler.free();
  expect(thrown(() => use(sampler)).code).toBe("freed");
});

test("sampler.free() a second time does nothing", () => {
  const [sampler, other] = [seeded(), seeded()];
  sampler.sample(logits);
  expect(sampler.free()).toBeUndefined();
  expect(sampler.free()).toBeUndefined();
  expect([...other.sampleMany(logits, 9)]).toEqual([...seeded().sampleMany(logits, 9)]);
});

test("sampler[Symbol.dispose]() is free(), so that `using` ends a sampler with its block", () => {
  expect(typeof Symbol.dispose).toBe("symbol");
  const sampler = seeded();
  const dispose = Object.getOwnPropertyDescriptor(WasmSampler.prototype, Symbol.dispose)?.value as () => void;
  dispose.call(sampler);
  expect(thrown(() => sampler.sample(logits)).code).toBe("freed");
  dispose.call(sampler);
  sampler.free();
});

test("sampler.free() of one sampler leaves its clone and its state's heirs alone", () => {
  const sampler = seeded({ topP: 0.9 });
  sampler.sampleMany(logits, 3);
  const [clone, heir] = [sampler.clone(), WasmSampler.fromState(sampler.state())];
  const expected = [...sampler.sampleMany(logits, 9)];
  sampler.free();
  expect([...clone.sampleMany(logits, 9)]).toEqual(expected);
  expect([...heir.sampleMany(logits, 9)]).toEqual(expected);
});
