// Bits a byte on whole texts, as the package computes logits: the windows are those of trainer/src/evaluate.rs.
//
// Windows of n_ctx tokens slide by half of it, and each counts only targets that no window before it has counted; the
// bits of all tokens are divided by the bytes of the text as it is.

/** The windows over `n` targets: inputs `begin` to `begin + length`, of whose targets the last `counted` count. */
export function windows(n, nCtx) {
  const found = [];
  for (let done = 0; done < n; ) {
    const begin = done === 0 ? 0 : done - nCtx / 2;
    const length = Math.min(nCtx, n - begin);
    found.push({ begin, length, counted: begin + length - done });
    done = begin + length;
  }
  return found;
}

/** What a token costs under a row of logits, in bits. */
export function bitsOf(logits, token) {
  const max = logits.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  let sum = 0;
  for (const logit of logits) sum += Math.exp(logit - max);
  return (Math.log(sum) - (logits[token] - max)) / Math.LN2;
}

function windowBits(session, tokens, { begin, length, counted }) {
  session.rewind(0);
  const first = begin + length - counted;
  let logits = session.prefill(tokens.subarray(begin, first + 1));
  let bits = bitsOf(logits, tokens[first + 1]);
  for (let i = first + 1; i < begin + length; i++) {
    logits = session.step(tokens[i]);
    bits += bitsOf(logits, tokens[i + 1]);
  }
  return bits;
}

/** The bits of a text, given as its bytes, and how many tokens it has. */
export function textBits(model, bytes) {
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  const encoded = model.tokenizer.encode(text);
  const tokens = new Uint32Array(encoded.length + 1);
  // The token that ends a text stands before every text, too.
  tokens[0] = model.tokenizer.ends[0];
  tokens.set(encoded, 1);
  const session = model.session();
  const all = windows(tokens.length - 1, model.config.contextLength);
  const bits = all.reduce((sum, window) => sum + windowBits(session, tokens, window), 0);
  session.free();
  return { bits, nTokens: tokens.length - 1 };
}
