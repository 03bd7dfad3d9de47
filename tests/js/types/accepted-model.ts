// The entry for language models, in a program that knows no platform.
import init, {
  type BlobLike,
  type ChatMessage,
  Model,
  type ModelConfig,
  NucleusError,
  type Session,
  type StreamLike,
  simd,
} from "nucleus-sampler/model";
import address from "nucleus-sampler/tiny.gguf";

export async function loaded(file: Uint8Array, blob: BlobLike, stream: StreamLike): Promise<Model[]> {
  await init({ simd: simd() });
  const size: number = file.length;
  return [
    Model.load(file),
    await Model.stream(blob),
    await Model.stream(Promise.resolve(stream), { size, onProgress: ({ loaded }) => void loaded }),
  ];
}

export function continued(model: Model, text: string): [Float32Array, Uint32Array] {
  const { vocabSize }: ModelConfig = model.config;
  const session: Session = model.session();
  let logits = session.prefill(model.tokenizer.encode(text, { special: true }));
  const fork: Session = session.fork();
  logits = fork.step(vocabSize - 1);
  fork.rewind(session.length);
  fork.free();
  const message: ChatMessage = { role: "user", content: model.tokenizer.decode([1, 2, 3]) };
  return [logits, model.tokenizer.encodeChat([message])];
}

export const where: string = address;
export const isOurs = (error: unknown): boolean => error instanceof NucleusError;
