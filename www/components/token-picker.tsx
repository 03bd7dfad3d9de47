// Chooses a token by text or id: a field with the matching tokens under it.

import { useId, useState } from "preact/hooks";
import type { Row } from "../sources/row";
import { findTokens } from "../sources/vocabulary";
import { TokenText } from "./phrase";

const MOST = 8;
const LIST_STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** Matches to offer: an exact text or id first, then by rank. */
function matches(row: Row, rank: Uint32Array, query: string): number[] {
  if (query.trim() === "") return [];
  const wanted = query.trim().toLowerCase();
  const place = (token: number) => {
    const isExact = row.texts.text(token).trim().toLowerCase() === wanted || String(token) === wanted;
    return (isExact ? -(2 ** 33) : 0) + (rank[token] ?? 0);
  };
  return findTokens(row.texts, wanted)
    .sort((a, b) => place(a) - place(b))
    .slice(0, MOST);
}

interface TokenPickerProps {
  readonly label: string;
  readonly row: Row;
  readonly rank: Uint32Array;
  onPick(token: number): void;
}

export function TokenPicker({ label, row, rank, onPick }: TokenPickerProps) {
  const { query, active, found, ask, step, pick } = useOffers(row, rank, onPick);
  const id = useId();
  const onKeyDown = (event: KeyboardEvent) => {
    const chosen = found[active];
    const steps = LIST_STEPS[event.key];
    if (chosen === undefined) return;
    if (steps !== undefined) step(steps);
    else if (event.key === "Escape") ask("");
    else if (event.key === "Enter") pick(chosen);
    else return;
    event.preventDefault();
  };
  return (
    <div class="picker">
      <input
        class="picker-field"
        type="text"
        role="combobox"
        autoComplete="off"
        spellcheck={false}
        placeholder={label}
        aria-label={label}
        aria-expanded={found.length > 0}
        aria-controls={id}
        aria-activedescendant={found.length > 0 ? `${id}-${active}` : undefined}
        value={query}
        onInput={(event) => ask(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onBlur={() => ask("")}
      />
      <Offers id={id} label={label} row={row} found={found} active={active} onPick={pick} />
    </div>
  );
}

/** What is asked for, what matches, and which match Enter would take. */
function useOffers(row: Row, rank: Uint32Array, onPick: (token: number) => void) {
  const [query, setQuery] = useState("");
  const [active, setActive] = useState(0);
  const found = matches(row, rank, query);
  const ask = (next: string) => {
    setQuery(next);
    setActive(0);
  };
  const step = (steps: number) => setActive((active + steps + found.length) % found.length);
  const pick = (token: number) => {
    onPick(token);
    ask("");
  };
  return { query, active, found, ask, step, pick };
}

interface OffersProps {
  readonly id: string;
  readonly label: string;
  readonly row: Row;
  readonly found: readonly number[];
  readonly active: number;
  onPick(token: number): void;
}

/** The list under the field. The pointer picks before the field can lose the focus. */
function Offers({ id, label, row, found, active, onPick }: OffersProps) {
  return (
    <div id={id} class="offers" role="listbox" aria-label={label} hidden={found.length === 0}>
      {found.map((token, i) => (
        <div
          key={token}
          id={`${id}-${i}`}
          class="offer"
          role="option"
          tabIndex={-1}
          aria-selected={i === active}
          onMouseDown={(event) => {
            event.preventDefault();
            onPick(token);
          }}
        >
          <TokenText text={row.texts.text(token)} />
          <span class="quiet">{token}</span>
        </div>
      ))}
    </div>
  );
}
