// The tokens that came before: the prompt, and an output that a person can write. Penalties look at them.

import type { Playground } from "../playground";
import type { Row } from "../sources/row";
import { TokenText } from "./phrase";
import { TokenPicker } from "./token-picker";

const RECORDED_NOTE = "The prompt as the model read it, then the output so far.";
const HAND_NOTE = "A row written by hand has no prompt; the output is what you add.";
const COUNT_NOTE = "Frequency and presence count the output only.";

export function HistoryCard({ playground }: { playground: Playground }) {
  const picture = playground.picture.value;
  const { output } = playground.state.value;
  if (picture === null) return null;
  const { row, after } = picture;
  const give = (next: readonly number[]) =>
    playground.change({ ...playground.state.peek(), output: next }, { glide: true });
  return (
    <section class="card on" aria-label="History">
      <div class="card-head">
        <span class="card-title">History</span>
      </div>
      <p class="hint">
        {row.promptTokens.length > 0 ? RECORDED_NOTE : HAND_NOTE} {COUNT_NOTE}
      </p>
      <p class="history">
        {row.promptTokens.map((token, i) => (
          <TokenText key={i} text={row.texts.text(token)} />
        ))}
      </p>
      <Output row={row} output={output} onOutput={give} />
      <TokenPicker
        label="add to the output"
        row={row}
        rank={after.rank}
        onPick={(token) => give([...output, token])}
      />
    </section>
  );
}

interface OutputProps {
  readonly row: Row;
  readonly output: readonly number[];
  onOutput(output: readonly number[]): void;
}

function Output({ row, output, onOutput }: OutputProps) {
  return (
    <ul class="entries inline">
      {output.map((token, i) => (
        <li key={`${i} ${token}`}>
          <TokenText text={row.texts.text(token)} />
          <button
            type="button"
            class="plain"
            aria-label={`remove ${row.texts.text(token)} from the output`}
            onClick={() => onOutput(output.filter((_, at) => at !== i))}
          >
            ×
          </button>
        </li>
      ))}
    </ul>
  );
}
