// Our model in a worker of its own, as a page would hold it: loads a file, then answers rounds.
import init, { Model, simd } from "./dist/model.js";

let model;

/** The id with the highest logit: greedy decoding, so that both decode the same number of tokens. */
function best(logits) {
  let id = 0;
  for (let i = 1; i < logits.length; i++) if (logits[i] > logits[id]) id = i;
  return id;
}

const answers = {
  async load(file) {
    await init();
    let last = 0;
    const began = performance.now();
    model = await Model.stream(file, {
      onProgress: ({ loaded, total }) => {
        if (loaded === total) last = performance.now();
      },
    });
    const ended = performance.now();
    return { simd: simd(), milliseconds: ended - began, afterLastByte: ended - last };
  },

  round({ prompt, nDecode }) {
    const ids = model.tokenizer.encode(prompt);
    const session = model.session();
    try {
      const began = performance.now();
      let logits = session.prefill(ids);
      const prefilled = performance.now();
      const tokens = [];
      for (let i = 0; i < nDecode; i++) {
        const token = best(logits);
        tokens.push(token);
        logits = session.step(token);
      }
      const ended = performance.now();
      return {
        prefill: (ids.length * 1000) / (prefilled - began),
        decode: (nDecode * 1000) / (ended - prefilled),
        nPrompt: ids.length,
        text: model.tokenizer.decode(Uint32Array.from(tokens)),
      };
    } finally {
      session.free();
    }
  },
};

self.onmessage = async ({ data: { name, argument } }) => {
  try {
    postMessage({ result: await answers[name](argument) });
  } catch (error) {
    postMessage({ error: String(error?.stack ?? error) });
  }
};
