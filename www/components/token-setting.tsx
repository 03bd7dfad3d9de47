// A stage's list of tokens, each with its number where the stage wants one.

import type { Card, ListParameter } from "../chain/cards";
import type { Playground } from "../playground";
import { settingOf, type TokenValue, withSetting } from "../state";
import { NumberField } from "./number-field";
import { TokenText } from "./phrase";
import { TokenPicker } from "./token-picker";

interface TokenSettingProps {
  readonly playground: Playground;
  readonly card: Card;
  readonly list: ListParameter;
}

const FIRST_BIAS = 1;
const MOST_BIAS = 100;

export function TokenSetting({ playground, card, list }: TokenSettingProps) {
  const picture = playground.picture.value;
  const { entries } = settingOf(playground.state.value, card);
  if (picture === null) return null;
  const give = (next: readonly TokenValue[], event?: Event) => {
    const state = withSetting(playground.state.peek(), card, { entries: next });
    playground.change(state, { glide: true, ...(event && { event }) });
  };
  const add = (token: number) => {
    if (entries.some(([id]) => id === token)) return;
    give([...entries, [token, list.kind === "bias" ? FIRST_BIAS : 0]]);
  };
  const { row, after } = picture;
  return (
    <div class="tokens-setting">
      {list.title !== null && entries.length > 0 && <p class="list-name">{list.title}</p>}
      <ul class="entries">
        {entries.map(([token, value]) => (
          <Entry
            key={token}
            text={row.texts.text(token)}
            bias={list.kind === "bias" ? value : null}
            onBias={(bias, event) => give(replaced(entries, token, bias), event)}
            onRemove={(event) => give(replaced(entries, token, null), event)}
          />
        ))}
      </ul>
      <TokenPicker label={list.add} row={row} rank={after.rank} onPick={add} />
      {list.hint !== undefined && entries.length > 0 && <p class="hint">{list.hint}</p>}
    </div>
  );
}

/** The entries with another value for a token, or without it. */
function replaced(entries: readonly TokenValue[], token: number, value: number | null): TokenValue[] {
  return entries.flatMap((entry): TokenValue[] => {
    if (entry[0] !== token) return [entry];
    return value === null ? [] : [[token, value]];
  });
}

interface EntryProps {
  readonly text: string;
  readonly bias: number | null;
  onBias(bias: number, event: Event): void;
  onRemove(event: Event): void;
}

function Entry({ text, bias, onBias, onRemove }: EntryProps) {
  return (
    <li>
      <TokenText text={text} />
      {bias !== null && (
        <NumberField
          label={`bias of ${text}`}
          value={bias}
          min={-MOST_BIAS}
          max={MOST_BIAS}
          digits={1}
          allowsMinusInfinity
          onValue={onBias}
        />
      )}
      <button type="button" class="plain" aria-label={`remove ${text}`} onClick={onRemove}>
        ×
      </button>
    </li>
  );
}
