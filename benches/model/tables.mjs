// From rounds to the document.

/** The middle one of an odd number of values, else the mean of the two in the middle. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

const of = (result, key) => median(result.rounds.map((round) => round[key]));

function rowOf([weights, { ours, wllama }]) {
  const cells = ["decode", "prefill"].flatMap((key) => {
    const [mine, theirs] = [of(ours, key), of(wllama, key)];
    return [mine.toFixed(1), theirs.toFixed(1), `**${(mine / theirs).toFixed(1)}**`];
  });
  const { milliseconds, afterLastByte } = ours.loaded;
  const loading = [milliseconds, afterLastByte, wllama.loaded.milliseconds].map((ms) => ms.toFixed(0));
  return `| ${[weights, ...cells, ...loading].join(" | ")} |`;
}

const head = [
  "| weights | decode, ours | wllama | times | prefill, ours | wllama | times | load, ms | after the last byte | wllama |",
  "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
];

/** The document of what was measured. */
export function documentOf({ measured, date, cpu, chromium, plan, rounds }) {
  const [first] = Object.values(measured);
  const [{ nPrompt }] = first.ours.rounds;
  return [
    "# The model's speed",
    "",
    `${date}, ${cpu}, Chromium ${chromium}, @wllama/wllama 3.8.1 (llama.cpp as WebAssembly), one thread each.`,
    "",
    "Made by `npm run bench:model -- --write`. SmolLM2-135M-Instruct, tokens a second; medians of",
    `${rounds} rounds, in each of which both take their turn in the same page: a prompt of ${nPrompt} tokens is prefilled, then`,
    `${plan.nDecode} tokens are decoded greedily. A first round of each is not counted. wllama's figures are its own clock's.`,
    "",
    "Q4_1 is the file as it is distributed; the others hold the same weights encoded anew (`benches/model/encode.py`). K-quants",
    "take 256 numbers of a row at a time, so that rows of another length are Q8_0 in those files.",
    "",
    ...head,
    ...Object.entries(measured).map(rowOf),
    "",
  ].join("\n");
}
