// The menu of stages that can be added: by what they are there for, with one line for each, and a search.

import { useEffect, useRef, useState } from "preact/hooks";
import { CARDS, type Card, type Group } from "../chain/cards";

const GROUPS: readonly Group[] = [
  "Keep fewer tokens",
  "Reshape",
  "Avoid repetition",
  "Allow and forbid",
  "Choose",
];

interface AddStageProps {
  readonly shown: readonly Card[];
  onAdd(card: Card, event: Event): void;
}

export function AddStage({ shown, onAdd }: AddStageProps) {
  const [query, setQuery] = useState("");
  const details = useRef<HTMLDetailsElement>(null);
  const close = () => {
    setQuery("");
    if (details.current !== null) details.current.open = false;
  };
  useOutside(details, close);
  const free = CARDS.filter((card) => !shown.includes(card));
  if (free.length === 0) return null;
  const found = free.filter((card) => isFound(card, query));
  const add = (card: Card, event: Event) => {
    close();
    onAdd(card, event);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    close();
    details.current?.querySelector("summary")?.focus();
  };
  return (
    <details class="add-stage" ref={details} onKeyDown={onKeyDown} onToggle={intoView}>
      <summary>Add a stage</summary>
      <div class="stage-menu">
        <Search query={query} first={found[0]} onQuery={setQuery} onAdd={add} />
        <div class="stage-groups">
          {GROUPS.map((group) => (
            <Stages key={group} group={group} found={found} onAdd={add} />
          ))}
        </div>
        <p class="hint" role="status">
          {found.length === 0 ? "No stage is called that." : ""}
        </p>
      </div>
    </details>
  );
}

/** Scrolls until all of the menu can be seen, where the window is high enough. */
function intoView({ currentTarget }: Event): void {
  if (currentTarget instanceof HTMLDetailsElement && currentTarget.open)
    currentTarget.querySelector(".stage-menu")?.scrollIntoView({ block: "nearest" });
}

/** Calls back when something outside an element is pressed. */
function useOutside(element: { readonly current: HTMLElement | null }, close: () => void): void {
  useEffect(() => {
    const press = ({ target }: PointerEvent) => {
      if (target instanceof Node && element.current?.contains(target) === false) close();
    };
    document.addEventListener("pointerdown", press);
    return () => document.removeEventListener("pointerdown", press);
  });
}

/** Whether a card's texts hold every word of what is looked for. */
function isFound({ title, summary, group, stage }: Card, query: string): boolean {
  const text = `${title} ${stage} ${stage.replaceAll("_", " ")} ${summary} ${group}`.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

interface SearchProps {
  readonly query: string;
  /** What Enter adds. */
  readonly first: Card | undefined;
  onQuery(query: string): void;
  onAdd(card: Card, event: Event): void;
}

function Search({ query, first, onQuery, onAdd }: SearchProps) {
  return (
    <input
      type="search"
      class="stage-search"
      placeholder="find a stage"
      aria-label="find a stage"
      autoComplete="off"
      spellcheck={false}
      value={query}
      onInput={(event) => onQuery(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || query === "" || first === undefined) return;
        event.preventDefault();
        onAdd(first, event);
      }}
    />
  );
}

interface StagesProps {
  readonly group: Group;
  readonly found: readonly Card[];
  onAdd(card: Card, event: Event): void;
}

function Stages({ group, found, onAdd }: StagesProps) {
  const cards = found.filter((card) => card.group === group);
  if (cards.length === 0) return null;
  return (
    <div class="stage-group">
      <h3>{group}</h3>
      <ul>
        {cards.map((card) => (
          <li key={card.key}>
            <button type="button" onClick={(event) => onAdd(card, event)}>
              <strong>{card.title}</strong> <span>{card.summary}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
