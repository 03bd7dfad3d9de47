// The stages that look at the accepted text: bad words, minimum new tokens, n-grams and DRY.
import { expect, test } from "vitest";
import { type SamplerOptions, seeded, throughJson, thrown, WasmSampler } from "./nucleus";

const even = new Float32Array(6);

/** The tokens that are left of six equal ones. */
function left(options: SamplerOptions, prompt: number[], output: number[] = []): number[] {
  const sampler = seeded(options);
  sampler.prompt(prompt);
  for (const token of output) sampler.accept(token);
  return [...sampler.distribution(even).tokenIds];
}

test.each([
  [[[1], [4]], [], [0, 2, 3, 5]],
  [[[0, 1, 2]], [0], [0, 1, 2, 3, 4, 5]],
  [[[0, 1, 2]], [0, 1], [0, 1, 3, 4, 5]],
  [[[2, 2]], [2, 2], [0, 1, 3, 4, 5]],
] as [number[][], number[], number[]][])(
  "new WasmSampler({ badWords: %o }) after %o leaves %o",
  (badWords, text, expected) => {
    expect(left({ badWords }, text)).toEqual(expected);
    expect(left({ badWords: badWords.map((word) => Uint32Array.from(word)) }, [], text)).toEqual(expected);
  },
);

test("new WasmSampler({ minNewTokens, eosTokenIds }) bans the end until enough was output", () => {
  const options = { minNewTokens: 2, eosTokenIds: [0, 5] };
  expect(left(options, [1, 1, 1])).toEqual([1, 2, 3, 4]);
  expect(left(options, [1], [1])).toEqual([1, 2, 3, 4]);
  expect(left(options, [], [1, 1])).toEqual([0, 1, 2, 3, 4, 5]);
});

test("new WasmSampler({ minNewTokens }) without eosTokenIds is refused, wherever they are given", () => {
  const refused = { code: "out_of_range", option: "minNewTokens" };
  expect(thrown(() => seeded({ minNewTokens: 1 }))).toMatchObject(refused);
  expect(thrown(() => seeded({ minNewTokens: 1, eosTokenIds: [] })).message).toBe(
    "minNewTokens must be 0 where eosTokenIds names no token, not 1",
  );
  const sampler = seeded();
  expect(thrown(() => sampler.update({ minNewTokens: 1 }))).toMatchObject(refused);
  expect(thrown(() => sampler.addRow({ minNewTokens: 1 }))).toMatchObject(refused);
  sampler.update({ eosTokenIds: [2] });
  sampler.addRow({ minNewTokens: 1 });
  expect([...sampler.distribution(even, { row: 1 }).tokenIds]).toEqual([0, 1, 3, 4, 5]);
});

test.each([
  [1, [3, 1, 3], [0, 2, 4, 5]],
  [2, [1, 2, 5, 1], [0, 1, 3, 4, 5]],
  [3, [1, 2, 5, 4, 5, 1, 2], [0, 1, 2, 3, 4]],
  [3, [1, 2], [0, 1, 2, 3, 4, 5]],
])("new WasmSampler({ noRepeatNgramSize: %i }) after %o leaves %o", (noRepeatNgramSize, text, expected) => {
  expect(left({ noRepeatNgramSize }, text)).toEqual(expected);
  expect(left({ noRepeatNgramSize }, text.slice(0, 1), text.slice(1))).toEqual(expected);
});

/** What DRY takes from each of six equal logits. */
function taken(dry: SamplerOptions["dry"], text: number[]): number[] {
  const sampler = seeded({ dry: { multiplier: 1, base: 2, ...dry } });
  sampler.prompt(text);
  const { tokenIds, logits } = sampler.distribution(even);
  const found = new Array<number>(6).fill(0);
  tokenIds.forEach((id, rank) => {
    found[id] = 0 - (logits[rank] ?? 0);
  });
  return found;
}

test.each([
  [{}, [1, 2, 5, 0, 1, 2], [0, 0, 0, 0, 0, 1]],
  [{}, [3, 1, 2, 5, 0, 3, 1, 2], [0, 0, 0, 0, 0, 2]],
  [{ allowedLength: 4 }, [3, 1, 2, 5, 0, 3, 1, 2], [0, 0, 0, 0, 0, 0]],
  [{ lastN: 7 }, [3, 1, 2, 5, 0, 3, 1, 2], [0, 0, 0, 0, 0, 1]],
  [{ breakers: [[3]] }, [3, 1, 2, 5, 0, 3, 1, 2], [0, 0, 0, 0, 0, 1]],
  [{ breakers: [[3, 1]] }, [3, 1, 2, 5, 0, 3, 1, 2], [0, 0, 0, 0, 0, 0]],
  [{ breakers: [[5]] }, [3, 1, 2, 5, 0, 3, 1, 2], [0, 0, 0, 0, 0, 0]],
  [{ multiplier: 0 }, [1, 1, 1, 1], [0, 0, 0, 0, 0, 0]],
  [{}, [1, 1, 1, 1], [0, 2, 0, 0, 0, 0]],
])("new WasmSampler({ dry: %o }) after %o takes %o", (dry, text, expected) => {
  expect(taken(dry, text)).toEqual(expected);
});

test("sampler.sample(logits) names the option that holds an id outside the row, and the stage that left nothing", () => {
  for (const [option, options] of [
    ["badWords", { badWords: [[6]] }],
    ["badWords", { badWords: [[9, 0]] }],
    ["eosTokenIds", { minNewTokens: 1, eosTokenIds: [1, 6] }],
  ] as const)
    expect(thrown(() => seeded(options).sample(even))).toMatchObject({ code: "bad_token", option });
  const all = [0, 1, 2, 3, 4, 5];
  for (const [stage, options] of [
    ["bad_words", { badWords: all.map((id) => [id]) }],
    ["min_new_tokens", { minNewTokens: 1, eosTokenIds: all }],
    ["no_repeat_ngram", { noRepeatNgramSize: 1 }],
  ] as const) {
    const sampler = seeded(options);
    sampler.prompt(all);
    expect(thrown(() => sampler.sample(even))).toMatchObject({ code: "nothing_left", stage });
  }
});

test("WasmSampler.fromState(sampler.state()) goes on from the middle of a text", () => {
  const options = {
    seed: 3,
    noRepeatNgramSize: 4,
    dry: { multiplier: 0.8, allowedLength: 1, breakers: [[0], [1, 2]] },
    badWords: [[5, 5]],
    minNewTokens: 30,
    eosTokenIds: [4],
    xtc: { probability: 0.4, threshold: 0.1 },
  };
  const row = Float32Array.of(1, 0.5, 0.25, 0, 2, 0.75);
  let sampler = new WasmSampler(options);
  const whole = new WasmSampler(options);
  for (let step = 0; step < 60; step += 1) {
    const token = whole.sample(row);
    whole.accept(token);
    expect(sampler.sample(row)).toBe(token);
    sampler.accept(token);
    const next = WasmSampler.fromState(throughJson(sampler.state()));
    sampler.free();
    sampler = next;
  }
  expect(sampler.state()).toEqual(whole.state());
});
