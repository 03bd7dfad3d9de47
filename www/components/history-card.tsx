// The tokens that came before: the prompt, and an output that a person can write. Penalties look at them.

import { cardOf, penaltyWindow } from "../chain/cards";
import { withOutput } from "../edits";
import { formatTokens } from "../format";
import type { Playground } from "../playground";
import type { Row } from "../sources/row";
import { numberOf, type State, settingOf } from "../state";
import { NumberLine } from "./number-setting";
import { TokenText } from "./phrase";
import { TokenPicker } from "./token-picker";

const RECORDED_NOTE = "The prompt as the model read it, then the output so far.";
const HAND_NOTE = "A row written by hand has no prompt; the output is what you add.";
const COUNT_NOTE = "Frequency and presence count the output only.";

export function HistoryCard({ playground }: { playground: Playground }) {
  const picture = playground.picture.value;
  const state = playground.state.value;
  const { output } = state;
  if (picture === null) return null;
  const { row, after } = picture;
  const hasPenalty = PENALTIES.some((key) => settingOf(state, cardOf(key)).shown);
  const nUnseen = hasPenalty ? unseen(state, row.promptTokens.length) : 0;
  const give = (next: readonly number[]) =>
    playground.change(withOutput(playground.state.peek(), next), { glide: true });
  return (
    <section class="card on" aria-label="History">
      <div class="card-head">
        <span class="card-title">History</span>
      </div>
      <p class="hint">
        {row.promptTokens.length > 0 ? RECORDED_NOTE : HAND_NOTE} {COUNT_NOTE}
      </p>
      <Prompt row={row} nUnseen={nUnseen} />
      <Output row={row} output={output} nUnseen={nUnseen - row.promptTokens.length} onOutput={give} />
      <TokenPicker
        label="add to the output"
        row={row}
        rank={after.rank}
        onPick={(token) => give([...output, token])}
      />
      {hasPenalty && <NumberLine playground={playground} card={penaltyWindow} i={0} />}
      {nUnseen > 0 && <p class="hint">Penalties do not see the tokens that are struck out.</p>}
    </section>
  );
}

/** Tokens of the prompt that are shown; those before are counted. */
const MOST_SHOWN = 100;

/** `nUnseen` of its tokens, from the first on, are not seen by penalties. */
function Prompt({ row, nUnseen }: { readonly row: Row; readonly nUnseen: number }) {
  const nHidden = Math.max(0, row.promptTokens.length - MOST_SHOWN);
  return (
    <p class="history">
      {nHidden > 0 && <span class="quiet">{formatTokens(nHidden)}, then </span>}
      {row.promptTokens.slice(nHidden).map((token, i) => (
        <span key={i + nHidden} class={i + nHidden < nUnseen ? "unseen" : ""}>
          <TokenText text={row.texts.text(token)} />
        </span>
      ))}
    </p>
  );
}

const PENALTIES = ["repetitionPenalty", "frequencyPenalty", "presencePenalty"];

/** How many of the first tokens of prompt and output lie before those that the penalties see. */
function unseen(state: State, nPrompt: number): number {
  const seen = numberOf(settingOf(state, penaltyWindow), penaltyWindow, 0);
  return Math.max(0, nPrompt + state.output.length - seen);
}

interface OutputProps {
  readonly row: Row;
  readonly output: readonly number[];
  /** How many of them, from the first on, penalties do not see. */
  readonly nUnseen: number;
  onOutput(output: readonly number[]): void;
}

function Output({ row, output, nUnseen, onOutput }: OutputProps) {
  return (
    <ul class="entries inline">
      {output.map((token, i) => (
        <li key={`${i} ${token}`} class={i < nUnseen ? "unseen" : ""}>
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
