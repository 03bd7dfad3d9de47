// transformers.js: its temperature warper, its top-k and its softmax. It accepts top_p and ignores it and has no min-p, so
// what follows its softmax is written by hand.
import {
  LogitsProcessorList,
  softmax,
  TemperatureLogitsWarper,
  Tensor,
  topk,
} from "@huggingface/transformers";
import { drawRank, keptCount } from "./plain.mjs";

async function sample(logits, { temperature, topK, topP, minP }) {
  const processors = new LogitsProcessorList();
  processors.push(new TemperatureLogitsWarper(temperature));
  // The warper writes in place, so it gets a copy, as its caller in the library makes one.
  const row = processors([[0n]], new Tensor("float32", logits.slice(), [1, logits.length]));
  const [values, ids] = await topk(row, topK ?? logits.length);
  const probs = softmax(values.data);
  const at = (rank) => probs[rank];
  const rank = drawRank(keptCount(probs.length, at, { topP, minP }), at);
  return Number(ids.data[rank]);
}

export const peers = [{ who: "transformers.js (top-p and min-p by hand)", sample }];
