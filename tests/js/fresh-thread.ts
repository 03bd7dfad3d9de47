// A thread of its own, and so a package that nothing has started yet.
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type * as nucleus from "nucleus-sampler";

/** What a scenario is given; it may use nothing else from around it, because its text is what travels. */
export interface FreshThread<Given = undefined> {
  /** Plain data for the scenario. */
  given: Given;
  /** The package, not started. */
  nucleus: typeof nucleus;
  /** The bytes of its module, the build with SIMD. */
  bytes: Uint8Array<ArrayBuffer>;
  /** The bytes of its other build, without SIMD. */
  scalarBytes: Uint8Array<ArrayBuffer>;
  /** The bytes of the first as a data URL, so that nothing needs a server. */
  url: string;
  /** The first tokens that a started package draws, for comparison. */
  draw: () => number[];
  /** What a call returns; the code where it throws the package's own error, any other error as text. */
  outcome: (call: () => unknown) => unknown;
  /** Starts from a source that is to be refused, and then from the right one. */
  refusal: (source: unknown) => Promise<Refusal>;
}

/** What came of a start that was refused. */
export interface Refusal {
  /** The error's code; any other error, or a start that was none, as text. */
  code: unknown;
  message: string;
  /** What making a sampler is between the two starts. */
  between: unknown;
  /** What is drawn after the second start. */
  drawn: number[];
}

/** What happens in the thread; only plain data can come back. */
export type Scenario<T, Given = undefined> = (thread: FreshThread<Given>) => T | Promise<T>;

const program = `
  const { parentPort, workerData } = require("node:worker_threads");
  const { readFileSync } = require("node:fs");
  const thread = async () => {
    const nucleus = await import(workerData.entry);
    const bytes = new Uint8Array(readFileSync(workerData.module));
    const scalarBytes = new Uint8Array(readFileSync(workerData.scalar));
    const url = "data:application/wasm;base64," + Buffer.from(bytes).toString("base64");
    const draw = () => [...new nucleus.WasmSampler({ seed: 42 }).sampleMany([0, 1, 2, 3], 16)];
    const outcome = (call) => {
      try {
        return call();
      } catch (error) {
        return error instanceof nucleus.NucleusError ? error.code : String(error);
      }
    };
    const refusal = async (source) => {
      const failure = await nucleus.default(source).then(
        () => new Error("it started"),
        (error) => error,
      );
      const code = failure instanceof nucleus.NucleusError ? failure.code : String(failure);
      const between = outcome(() => new nucleus.WasmSampler().free());
      await nucleus.default(bytes);
      return { code, message: failure.message, between, drawn: draw() };
    };
    const { given, scenario } = workerData;
    return (0, eval)("(" + scenario + ")")({ given, nucleus, bytes, scalarBytes, url, draw, outcome, refusal });
  };
  thread().then((value) => parentPort.postMessage(value));
`;

/** Runs a scenario in a fresh thread and gives back what it returns. */
export function inFreshThread<T>(scenario: Scenario<T>): Promise<T>;
/** The same with plain data for the scenario. */
export function inFreshThread<T, Given>(scenario: Scenario<T, Given>, given: Given): Promise<T>;
export function inFreshThread<T, Given>(scenario: Scenario<T, Given>, given?: Given): Promise<T> {
  const entry = import.meta.resolve("nucleus-sampler");
  const module = fileURLToPath(import.meta.resolve("nucleus-sampler/nucleus_sampler_bg.wasm"));
  const scalar = fileURLToPath(import.meta.resolve("nucleus-sampler/nucleus_sampler_scalar_bg.wasm"));
  const worker = new Worker(program, {
    eval: true,
    workerData: { entry, module, scalar, given, scenario: scenario.toString() },
    stderr: true,
  });
  return new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`the thread ended with ${code} and said nothing`)));
  });
}
