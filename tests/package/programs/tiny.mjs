// What the model that comes with the package is asked, wherever it runs: the likeliest tokens after a prompt.

const prompt = "Once upon a time";
const nTokens = 24;

/** `source` is what the platform gets a file by: bytes to load, or what can be streamed. */
export async function tinyTokens({ default: init, Model }, source) {
  await init();
  const file = await source;
  const model = file instanceof Uint8Array ? Model.load(file) : await Model.stream(file);
  const session = model.session();
  const tokens = [];
  let logits = session.prefill(model.tokenizer.encode(prompt));
  while (tokens.length < nTokens) {
    tokens.push(logits.indexOf(Math.max(...logits)));
    logits = session.step(tokens.at(-1));
  }
  return { tokens };
}
