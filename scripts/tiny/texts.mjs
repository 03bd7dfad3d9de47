// Texts that the tiny model writes: the likeliest ones, which every build and engine has to write, and drawn samples.

/** Prompts of the golden file. */
const prompts = ["Once upon a time", "The King called his three sons, and", '"Come with me," said the Fox'];
const nGreedy = 48;

/** What the samples of the card are drawn with; every seed given is shown. */
export const drawn = {
  prompt: "Once upon a time there was",
  options: { temperature: 0.8, topP: 0.95 },
  seeds: [1, 2, 3, 4, 5],
  nTokens: 120,
};

/** A prompt and the token ids that follow it; `choose(logits)` names each. */
function continued(model, prompt, n, choose) {
  const { tokenizer } = model;
  const session = model.session();
  const chosen = [];
  let logits = session.prefill(tokenizer.encode(prompt));
  for (let token = choose(logits); !tokenizer.ends.includes(token); token = choose(logits)) {
    chosen.push(token);
    if (chosen.length === n) break;
    logits = session.step(token);
  }
  session.free();
  return chosen;
}

/** The likeliest token; of equal ones the first. */
const likeliest = (logits) => logits.indexOf(logits.reduce((a, b) => Math.max(a, b)));

/** The cases of tests/golden/tiny.json. */
export const greedyCases = (model) =>
  prompts.map((prompt) => {
    const ids = continued(model, prompt, nGreedy, likeliest);
    const promptIds = model.tokenizer.encode(prompt);
    return { prompt, prompt_ids: [...promptIds], greedy_ids: ids, text: model.tokenizer.decode(ids) };
  });

/** The samples of the card, none left out. */
export const samples = (model, WasmSampler) =>
  drawn.seeds.map((seed) => {
    const sampler = new WasmSampler({ ...drawn.options, seed });
    const ids = continued(model, drawn.prompt, drawn.nTokens, (logits) => sampler.sample(logits));
    sampler.free();
    return { seed, text: drawn.prompt + model.tokenizer.decode(ids) };
  });
