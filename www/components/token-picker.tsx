// Chooses a token by text or id: a field with the matching tokens under it.

import { useId, useRef, useState } from "preact/hooks";
import type { Row } from "../sources/row";
import { findTokens } from "../sources/vocabulary";
import { TokenText } from "./phrase";

const MOST = 8;

/** Matches to offer: an exact text or id first, then the likeliest by the given rank. */
function matches(row: Row, rank: Uint32Array, query: string): number[] {
  if (query.trim() === "") return [];
  const wanted = query.trim().toLowerCase();
  const place = (token: number) => {
    const isExact = row.texts.text(token).trim().toLowerCase() === wanted || String(token) === wanted;
    return (isExact ? -(2 ** 33) : 0) + (rank[token] ?? 0);
  };
  return findTokens(row.texts, query.trimEnd() === "" ? query : wanted)
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
  const [query, setQuery] = useState("");
  const [active, setActive] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const found = matches(row, rank, query);

  const pick = (token: number) => {
    onPick(token);
    setQuery("");
    setActive(0);
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (found.length === 0) return;
    if (event.key === "ArrowDown") setActive((active + 1) % found.length);
    else if (event.key === "ArrowUp") setActive((active + found.length - 1) % found.length);
    else if (event.key === "Escape") setQuery("");
    else if (event.key === "Enter") pick(found[Math.min(active, found.length - 1)] ?? 0);
    else return;
    event.preventDefault();
  };

  return (
    <div class="picker">
      <input
        ref={field}
        type="text"
        role="combobox"
        autoComplete="off"
        spellcheck={false}
        placeholder={label}
        aria-label={label}
        aria-expanded={found.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={found.length > 0 ? `${id}-${active}` : undefined}
        value={query}
        onInput={(event) => {
          setQuery(event.currentTarget.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => setQuery("")}
      />
      <ul id={`${id}-list`} role="listbox" aria-label={label} hidden={found.length === 0}>
        {found.map((token, i) => (
          <li
            key={token}
            id={`${id}-${i}`}
            role="option"
            aria-selected={i === active}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => pick(token)}
          >
            <TokenText text={row.texts.text(token)} />
            <span class="quiet">{token}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
