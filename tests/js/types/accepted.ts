// What must compile: every call of the package, with every form of argument. Compiled, never run.
import init, {
  type BuildChoice,
  countIntervals,
  type Distribution,
  type EffectiveOptions,
  type ErrorCode,
  type Explanation,
  type GoodnessOfFit,
  goodnessOfFit,
  type Logprobs,
  NucleusError,
  type Report,
  type RowError,
  type SampleDetails,
  type SamplerOptions,
  type SamplerState,
  type StageName,
  simd,
  WasmSampler,
  type WasmSource,
} from "nucleus-sampler";

declare const logits: Float32Array;
export async function starting(): Promise<boolean> {
  await init();
  await init({ simd: false });
  const choice: BuildChoice = { simd: undefined };
  await init(choice);
  for (const source of bytes) await init(source);
  return simd();
}

export const order: readonly StageName[] = ["temperature", "top_k", "top_p", "min_p", "draw"];

export const everyOption: Required<SamplerOptions> = {
  temperature: 0.8,
  topK: 40,
  topP: 0.95,
  minP: 0.05,
  repetitionPenalty: 1.1,
  frequencyPenalty: 0.1,
  presencePenalty: 0.1,
  penaltyLastN: 64,
  logitBias: { 5: -1, 7: Number.NEGATIVE_INFINITY },
  allowedTokens: [1, 2, 3],
  minKeep: 1,
  order,
  preset: "textbook",
  seed: 42,
  stream: 0,
  dynamicTemperature: { range: 0.5, exponent: 1 },
  smoothing: { factor: 0.2, curve: 1.5 },
  topH: 0.4,
  typicalP: 0.9,
  topNSigma: 1,
  topA: 0.2,
  tailFree: 0.95,
  pLess: true,
  epsilonCutoff: 1e-4,
  etaCutoff: 1e-3,
  xtc: { probability: 0.5, threshold: 0.1, protectedTokens: [2] },
  noRepeatNgramSize: 3,
  dry: { multiplier: 0.8, base: 1.75, allowedLength: 2, lastN: 512, breakers: [[198], Uint32Array.of(1, 2)] },
  badWords: [[9], [3, 4]],
  minNewTokens: 8,
  eosTokenIds: [0, 2],
  guidance: { scale: 1.5 },
  mirostat: { version: 2, tau: 5, eta: 0.1 },
  adaptiveP: { target: 0.5, decay: 0.9 },
  guard: { policy: "relax", maxMaskedMass: 0.99, maxSteps: 2, breaker: { trips: 2, positions: 16 } },
};

export const forms: SamplerOptions[] = [
  {},
  { temperature: undefined, seed: undefined, order: undefined },
  { logitBias: new Map([[5, 1]]) },
  { logitBias: [[5, 1]] },
  { logitBias: new Set([[5, 1] as const]) },
  { allowedTokens: Uint32Array.of(1, 2) },
  { allowedTokens: new Set([1, 2]) },
  { allowedTokens: { length: 1, 0: 5 } },
  { order: new Set<StageName>(["top_p", "greedy"]) },
  { logitBias: { length: 1, 0: [5, 1] } },
  { seed: 2n ** 64n - 1n },
  { seed: "18446744073709551615" },
  { order: ["top_p", "greedy"] },
  { preset: "nucleus" },
];

export function oneRow(sampler: WasmSampler): void {
  const token: number = sampler.sample(logits);
  const mask = new Uint32Array(4);
  const details: SampleDetails = sampler.sampleDetailed(logits, { row: 1, mask });
  const many: Uint32Array = sampler.sampleMany([0.5, 1, 2], 10, { row: undefined });
  const distribution: Distribution = sampler.distribution(logits, { mask: undefined });
  const report: Report = sampler.report(logits, { tokens: true, coin: false, unconditional: logits });
  const explanation: Explanation = sampler.explain(logits, token, { coin: true });
  const logprobs: Logprobs = sampler.logprobs(logits, 5, {
    token,
    row: 0,
    coin: undefined,
    unconditional: undefined,
  });
  sampler.sample(logits, { unconditional: [0.5, 1, 2] });
  sampler.sampleMany(logits, 2, { unconditional: logits, mask, row: 0 });
  const removedBy: Uint8Array | undefined = report.removedBy;
  const raw: number = details.logprob.raw + (logprobs.raw[0]?.logprob ?? 0);
  const stage: StageName | "mask" | null = explanation.stage;
  const threshold: number | null | undefined = report.stages[0]?.threshold;
  void [many, distribution.cumulative, removedBy, raw, stage, threshold];
  sampler.accept(token);
  sampler.accept(token, 1);
  sampler.prompt([1, 2, 3]);
  sampler.prompt(Uint32Array.of(1, 2), 1);
  sampler.prompt(new Set([1, 2]));
  sampler.prompt({ length: 1, 0: 5 });
}

export function rowsAndBatches(sampler: WasmSampler): void {
  const row: number = sampler.addRow();
  sampler.addRow({ topK: 5 });
  sampler.removeRow(row);
  sampler.update({ topP: 0.5 });
  sampler.update({ topP: 0.5 }, row);
  const masks = [new Uint32Array(1), undefined];
  const tokens: Uint32Array = sampler.sampleBatch(logits, 2);
  sampler.sampleBatch(logits, [0, 1], { masks, unconditional: logits });
  sampler.sampleBatch(logits, Uint32Array.of(0, 1), { masks: new Uint32Array(2) });
  sampler.sampleBatch(logits, new Set([0, 1]));
  const ofRow: EffectiveOptions = sampler.rowOptions(row);
  const errors: RowError[] = sampler.rowErrors();
  void [tokens, errors[0]?.code, ofRow.stream];
}

export function lives(): number | string {
  const sampler = new WasmSampler();
  const view: Float32Array = sampler.logitsBuffer(1000);
  view.set(logits);
  sampler.sample(view);
  const state: SamplerState = JSON.parse(JSON.stringify(sampler.state()));
  const version: number = state.version;
  const heir: WasmSampler = WasmSampler.fromState(state);
  const clone: WasmSampler = heir.clone().clone({ stream: version });
  clone.reset();
  const options: EffectiveOptions = clone.options;
  for (const each of [sampler, heir, clone]) each.free();
  return options.seed;
}

/** What no platform's types are needed for; the DOM's are in accepted-dom.ts. */
export const bytes: WasmSource[] = [new ArrayBuffer(8), new Uint8Array(8), "nucleus_sampler_bg.wasm"];

export function statistics(counts: Uint32Array, probs: Float64Array): number {
  const fit: GoodnessOfFit = goodnessOfFit(counts, probs);
  const { low, high }: { low: Float64Array; high: Float64Array } = countIntervals(probs, fit.n);
  return fit.totalVariation + fit.g + fit.degrees + fit.pValue + low.length + high.length;
}

export function failing(error: unknown): string {
  if (!(error instanceof NucleusError)) return String(error);
  const code: ErrorCode = error.code;
  const place: number | undefined = error.index ?? error.row;
  return `${error.name} ${code} ${error.option} ${place} ${error.stage} ${error.accepted} ${error.message}`;
}
