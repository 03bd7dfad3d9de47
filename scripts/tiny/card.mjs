// docs/model.md: the card of models/tiny.gguf, from the file, what was measured, and scripts/tiny/training.mjs.
import { drawn } from "./texts.mjs";
import { measuredOn, run, trainedOn } from "./training.mjs";

const count = (n) => n.toLocaleString("en");
const bits = (value) => value.toFixed(4);
const book = ({ title, by }) => `*${title}* (${by})`;

/** What the file is, as rows of a table. */
function facts({ metadata, tensors, config, nBytes, sha256 }) {
  const parameters = tensors.reduce((sum, { n }) => sum + n, 0);
  const inEncoding = (name) =>
    tensors.filter(({ encoding }) => encoding === name).reduce((sum, { n }) => sum + n, 0);
  return [
    ["name", metadata["general.name"]],
    [
      "architecture",
      `${config.architecture}: RMSNorm, rotary positions, grouped-query attention, SwiGLU; output tied to the embedding`,
    ],
    ["parameters", count(parameters)],
    ["layers, width, feed-forward width", `${config.layers}, ${config.dim}, ${config.ffnDim}`],
    ["query heads, key-value heads, head width", `${config.heads}, ${config.kvHeads}, ${config.headDim}`],
    ["context", `${count(config.contextLength)} tokens`],
    [
      "tokenizer",
      `byte-level BPE, ${count(config.vocabSize)} tokens, pre-tokenizer \`${metadata["tokenizer.ggml.pre"]}\`: nothing is unknown`,
    ],
    [
      "quantisation",
      `matrices Q8_0 (${count(inEncoding("Q8_0"))} numbers), norms F32 (${count(inEncoding("F32"))})`,
    ],
    [
      "file",
      `GGUF, ${count(nBytes)} bytes, \`models/tiny.gguf\`; in the package \`nucleus-sampler/tiny.gguf\``,
    ],
    ["SHA-256", `\`${sha256}\``],
    ["licence", "MIT OR Apache-2.0, as the rest of Nucleus; the books are in the public domain"],
  ];
}

const table = (head, rows) =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

const loss = ({ all, each }) =>
  table(
    ["text", "bytes", "tokens", "bits a byte"],
    [
      ...Object.entries(each).map(([name, text]) => [
        book(measuredOn[name]),
        count(text.n_bytes),
        count(text.n_tokens),
        bits(text.bits_a_byte),
      ]),
      ["both together", count(all.n_bytes), count(all.n_tokens), `**${bits(all.bits_a_byte)}**`],
    ],
  );

const quoted = (text) =>
  text
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n>\n");

const sample = ({ seed, text }) => `Seed ${seed}:\n\n${quoted(text)}`;

const { prompt, options, nTokens } = drawn;

const written = (samples) => `## What it writes

Not picked: seeds ${drawn.seeds[0]} to ${drawn.seeds.at(-1)} of one prompt, "${prompt}", with temperature ${options.temperature} and top-p ${options.topP}, ${nTokens} tokens each.

${samples.map(sample).join("\n\n")}`;

const limits = ({ contextLength }) => `## What it is not

- It is small, and knows children's tales of a hundred years ago and more: their words, and their views, which are those of
  their time.
- It reads and writes English alone.
- It makes everything up. What it says of anything is no statement about the world.
- It follows no instruction and answers no question: it continues a text. It was not made safe for anyone.
- It sees at most ${count(contextLength)} tokens, and loses the thread long before that.
- It is not for use: it is for seeing how a sampler works.
`;

/** The page, from what the file says, what was measured, and the samples. */
export const card = ({ file, measured, samples }) => `# The tiny model

A language model small enough to come with the package: it continues a tale, in a tab or in Node, without anything to
download or to choose. It is here to be sampled from. Written by \`node scripts/tiny-model.mjs --write\`.

## What it is

${table(["", ""], facts(file))}

## What it was trained on

${trainedOn.length} books, all in the public domain in the United States, as Project Gutenberg has them, runs of spaces made one:

${trainedOn.map((one) => `- ${book(one)}`).join("\n")}

The tokenizer was trained on the same books, and on nothing else.

## How it was trained

With [the project's own trainer](../trainer/README.md), on processors: \`${run.options}\`, everything else as by default.
${count(run.nSteps)} steps of ${count(run.tokensAStep)} tokens: ${count(run.nSteps * run.tokensAStep)} tokens, the books many times over.

## How well it predicts

On two texts that it was not trained on, in bits a byte; the weights as the file stores them, the logits as the package
computes them. Windows of ${count(file.config.contextLength)} tokens slide by half of it, every token is predicted once, and the bits of all tokens are divided by
the bytes of the texts as they are.

${loss(measured.bits)}

## How fast it is

${count(measured.speed.decode)} tokens a second one after the other, ${count(measured.speed.prefill)} a second as a prompt: medians of five runs of 256 tokens, one thread, the build with SIMD,
${measured.speed.engine}, ${measured.speed.machine}, ${measured.speed.date}.

${written(samples)}

${limits(file.config)}`;
