// Input that no program would write and some program will: refused by name, and the package goes on working. Each in
// a thread of its own, so that what broke would break nothing else here.
import { expect, test } from "vitest";
import { inFreshThread, type Scenario } from "./fresh-thread";
import { seeded } from "./nucleus";

interface Found {
  /** What came of each call. */
  codes: unknown[];
  /** What a sampler that was there before and a new one draw afterwards. */
  after: unknown;
}

const [first] = seeded().sampleMany([0, 1, 2, 3], 1);
const working = [first, first];

const nested: Scenario<Found> = async ({ nucleus, bytes, draw, outcome }) => {
  await nucleus.default(bytes);
  const before = new nucleus.WasmSampler({ seed: 42 });
  let deep: unknown[] = [];
  for (let depth = 0; depth < 20_000; depth += 1) deep = [deep];
  const state = { ...before.state(), options: deep };
  const calls = [
    () => new nucleus.WasmSampler({ allowedTokens: deep as never }),
    () => before.update({ logitBias: deep as never }),
    () => before.addRow({ topP: deep as never }),
    () => nucleus.WasmSampler.fromState(state),
    () => nucleus.WasmSampler.fromState(deep as never),
  ];
  return { codes: calls.map(outcome), after: outcome(() => [before.sample([0, 1, 2, 3]), draw()[0]]) };
};

test("new WasmSampler(options) and fromState(state) refuse lists nested 20,000 deep", async () => {
  expect(await inFreshThread(nested)).toEqual({
    codes: ["wrong_type", "wrong_type", "wrong_type", "state_invalid", "state_invalid"],
    after: working,
  });
});

const circular: Scenario<Found> = async ({ nucleus, bytes, draw, outcome }) => {
  await nucleus.default(bytes);
  const before = new nucleus.WasmSampler({ seed: 42 });
  const list: unknown[] = [];
  list.push(list);
  const object: Record<string, unknown> = {};
  object.topP = object;
  const calls = [
    () => new nucleus.WasmSampler({ allowedTokens: list as never }),
    () => new nucleus.WasmSampler({ logitBias: list as never }),
    () => before.update(object as never),
    () => nucleus.WasmSampler.fromState({ ...before.state(), rows: list }),
    () => nucleus.WasmSampler.fromState(list as never),
  ];
  return { codes: calls.map(outcome), after: outcome(() => [before.sample([0, 1, 2, 3]), draw()[0]]) };
};

test("new WasmSampler(options) and fromState(state) refuse what holds itself", async () => {
  expect(await inFreshThread(circular)).toEqual({
    codes: ["wrong_type", "wrong_type", "wrong_type", "state_invalid", "state_invalid"],
    after: working,
  });
});

const enormous: Scenario<Found> = async ({ nucleus, bytes, draw, outcome }) => {
  await nucleus.default(bytes);
  const before = new nucleus.WasmSampler({ seed: 42 });
  const logits = Float32Array.of(0, 1, 2, 3);
  const most = 0xffffffff;
  const calls = [
    () => before.sampleBatch(logits, most),
    () => before.sampleBatch(logits, most, { masks: new Uint32Array(4) }),
    () => before.sampleMany(logits, most),
    () => before.logitsBuffer(most),
    () => before.logitsBuffer(2 ** 29),
    () => before.sample(new Float32Array(2 ** 19 + 1)),
  ];
  return { codes: calls.map(outcome), after: outcome(() => [before.sample([0, 1, 2, 3]), draw()[0]]) };
};

test("sampler.sampleBatch, sampleMany, logitsBuffer and sample refuse what is too much", async () => {
  expect(await inFreshThread(enormous)).toEqual({
    codes: ["wrong_length", "wrong_length", "too_large", "too_large", "too_large", "too_large"],
    after: working,
  });
});
