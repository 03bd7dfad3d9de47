// The tokens that came before: the prompt, and an output that a person can write. Penalties look at them.

import type { Playground } from "../playground";
import { TokenText } from "./phrase";
import { TokenPicker } from "./token-picker";

export function HistoryCard({ playground }: { playground: Playground }) {
  const picture = playground.picture.value;
  const { output } = playground.state.value;
  if (picture === null) return null;
  const { row, after } = picture;
  const give = (next: readonly number[]) =>
    playground.edit({ ...playground.state.peek(), output: next }, { glide: true });
  return (
    <section class="card on" aria-label="History">
      <div class="card-head">
        <span class="card-title">History</span>
      </div>
      <p class="hint">
        {row.promptTokens.length > 0
          ? "The prompt as the model read it, then the output so far."
          : "A row written by hand has no prompt; the output is what you add."}{" "}
        Frequency and presence count the output only.
      </p>
      <p class="history" aria-label="prompt tokens">
        {row.promptTokens.map((token, i) => (
          <TokenText key={i} text={row.texts.text(token)} />
        ))}
      </p>
      <ul class="entries inline">
        {output.map((token, i) => (
          <li key={`${i} ${token}`}>
            <TokenText text={row.texts.text(token)} />
            <button
              type="button"
              class="plain"
              aria-label={`remove ${row.texts.text(token)} from the output`}
              onClick={() => give(output.filter((_, at) => at !== i))}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      <TokenPicker
        label="add to the output"
        row={row}
        rank={after.rank}
        onPick={(token) => give([...output, token])}
      />
    </section>
  );
}
