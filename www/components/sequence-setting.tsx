// A stage's list of sequences: each is one token or several, one after the other.

import { useState } from "preact/hooks";
import type { Card, ListParameter } from "../chain/cards";
import type { Playground } from "../playground";
import type { Row } from "../sources/row";
import { settingOf, withSetting } from "../state";
import { TokenText } from "./phrase";
import { TokenPicker } from "./token-picker";

interface SequenceSettingProps {
  readonly playground: Playground;
  readonly card: Card;
  readonly list: ListParameter;
}

export function SequenceSetting({ playground, card, list }: SequenceSettingProps) {
  const [extended, setExtended] = useState<number | null>(null);
  const picture = playground.picture.value;
  const { sequences } = settingOf(playground.state.value, card);
  if (picture === null) return null;
  const { row, after } = picture;
  const give = (next: readonly (readonly number[])[], event?: Event) => {
    setExtended(null);
    const state = withSetting(playground.state.peek(), card, { sequences: next });
    playground.change(state, { glide: true, ...(event && { event }) });
  };
  const pick = (token: number) => {
    const longer = sequences.map((ids, i) => (i === extended ? [...ids, token] : ids));
    give(extended === null ? [...sequences, [token]] : longer);
  };
  const label = extended === null ? list.add : `after ${nameOf(row, sequences[extended] ?? [])}`;
  return (
    <div class="tokens-setting">
      {list.title !== null && sequences.length > 0 && <p class="list-name">{list.title}</p>}
      <Sequences
        row={row}
        sequences={sequences}
        extended={extended}
        onExtend={(i) => setExtended(i === extended ? null : i)}
        onRemove={(i, event) =>
          give(
            sequences.filter((_, at) => at !== i),
            event,
          )
        }
      />
      <TokenPicker label={label} row={row} rank={after.rank} onPick={pick} />
      {list.hint !== undefined && sequences.length > 0 && <p class="hint">{list.hint}</p>}
    </div>
  );
}

interface SequencesProps {
  readonly row: Row;
  readonly sequences: readonly (readonly number[])[];
  readonly extended: number | null;
  onExtend(i: number): void;
  onRemove(i: number, event: Event): void;
}

function Sequences({ row, sequences, extended, onExtend, onRemove }: SequencesProps) {
  return (
    <ul class="entries">
      {sequences.map((ids, i) => (
        <Sequence
          key={`${i} ${ids.join(".")}`}
          row={row}
          ids={ids}
          isExtended={i === extended}
          onExtend={() => onExtend(i)}
          onRemove={(event) => onRemove(i, event)}
        />
      ))}
    </ul>
  );
}

interface SequenceProps {
  readonly row: Row;
  readonly ids: readonly number[];
  readonly isExtended: boolean;
  onExtend(): void;
  onRemove(event: Event): void;
}

function Sequence({ row, ids, isExtended, onExtend, onRemove }: SequenceProps) {
  const name = nameOf(row, ids);
  return (
    <li>
      <span class="sequence">
        {ids.map((token, i) => (
          <TokenText key={`${i} ${token}`} text={row.texts.text(token)} />
        ))}
      </span>
      <button
        type="button"
        class="plain"
        aria-label={`add a token after ${name}`}
        aria-pressed={isExtended}
        onClick={onExtend}
      >
        +
      </button>
      <button type="button" class="plain" aria-label={`remove ${name}`} onClick={onRemove}>
        ×
      </button>
    </li>
  );
}

function nameOf({ texts }: Row, ids: readonly number[]): string {
  return ids.map((token) => texts.text(token)).join("");
}
