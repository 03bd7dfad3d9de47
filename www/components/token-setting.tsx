// A stage's list of tokens, each with its number where the stage wants one.

import type { BiasCard, TokensCard } from "../chain/cards";
import type { Playground } from "../playground";
import { settingOf, type TokenValue, withSetting } from "../state";
import { NumberField } from "./number-field";
import { TokenText } from "./phrase";
import { TokenPicker } from "./token-picker";

interface TokenSettingProps {
  readonly playground: Playground;
  readonly card: TokensCard | BiasCard;
}

const FIRST_BIAS = 1;
const MOST_BIAS = 100;

export function TokenSetting({ playground, card }: TokenSettingProps) {
  const picture = playground.picture.value;
  const { entries } = settingOf(playground.state.value, card);
  if (picture === null) return null;
  const give = (next: readonly TokenValue[], event?: Event) => {
    const state = withSetting(playground.state.peek(), card, { entries: next });
    playground.change(state, { glide: true, ...(event && { event }) });
  };
  const add = (token: number) => {
    if (entries.some(([id]) => id === token)) return;
    give([...entries, [token, card.kind === "bias" ? FIRST_BIAS : 0]]);
  };
  const { row, after } = picture;
  return (
    <div class="tokens-setting">
      <ul class="entries">
        {entries.map(([token, value]) => (
          <li key={token}>
            <TokenText text={row.texts.text(token)} />
            {card.kind === "bias" && (
              <NumberField
                label={`bias of ${row.texts.text(token)}`}
                value={value}
                min={-MOST_BIAS}
                max={MOST_BIAS}
                digits={1}
                allowsMinusInfinity
                onValue={(bias, event) =>
                  give(
                    entries.map(([id, old]) => [id, id === token ? bias : old]),
                    event,
                  )
                }
              />
            )}
            <button
              type="button"
              class="plain"
              aria-label={`remove ${row.texts.text(token)}`}
              onClick={(event) =>
                give(
                  entries.filter(([id]) => id !== token),
                  event,
                )
              }
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      <TokenPicker label="add a token" row={row} rank={after.rank} onPick={add} />
      {card.kind === "bias" && entries.length > 0 && <p class="hint">Type -inf to forbid a token.</p>}
    </div>
  );
}
