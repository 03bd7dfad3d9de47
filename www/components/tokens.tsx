// The room of the token table: search, undo, and the table itself.

import { effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { logitOf, withAddedToken, withLogit, withoutToken, withText } from "../edits";
import { formatCount, parseNumber } from "../format";
import type { Playground } from "../playground";
import { HAND_SOURCE, isModelSource } from "../sources/catalogue";
import { findTokens } from "../sources/vocabulary";
import { MAX_HAND_TOKENS } from "../state";
import { type TokensActions, TokensView } from "../views/tokens";

/** Logits beyond this are refused: they would leave what f32 can tell apart. */
const MOST_LOGIT = 10_000;

interface RoomProps {
  readonly playground: Playground;
}

export function Tokens({ playground }: RoomProps) {
  const query = useMemo(() => signal(""), []);
  const message = useMemo(() => signal<string | null>(null), []);
  const host = useTable(playground, query, message);
  const written = playground.state.value.source === HAND_SOURCE;
  const read = isModelSource(playground.state.value.source);
  return (
    <section class="tokens" aria-labelledby="tokens-title">
      <div class="room-head">
        <h2 id="tokens-title">Tokens</h2>
        <Search playground={playground} query={query} />
        <Undo playground={playground} />
      </div>
      <p class="hint">
        Type a logit or drag its bar; the chain answers at once. Undo, or Ctrl+Z, takes back changes here and
        in the chain. A ␣ stands for a space.
        {written && " The words can be changed too."}
        {read && " A + adds its token to the text, and the model reads on."}
      </p>
      <div class="table-host" ref={host} />
      {written && <AddToken playground={playground} />}
      <p class="message" role="status">
        {message}
      </p>
    </section>
  );
}

/** The table in its element, which follows the page and the search. */
function useTable(
  playground: Playground,
  query: ReadonlySignal<string>,
  message: Signal<string | null>,
): RefObject<HTMLDivElement | null> {
  const host = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (host.current === null) return;
    const view = new TokensView(
      host.current,
      actionsOf(playground, (text) => (message.value = text)),
    );
    const stopSearch = effect(() => {
      const picture = playground.picture.value;
      if (picture === null) return;
      playground.found.value = firstFound(picture.after.order, foundIn(picture.row.texts, query.value));
    });
    const stopUpdates = effect(() => {
      const picture = playground.picture.value;
      if (picture === null) return;
      const drawn = playground.drawing.result.value?.last ?? null;
      const found = foundIn(picture.row.texts, query.value);
      const pointed = playground.handleHeld.value ? null : playground.pointed.value;
      view.update({ picture, highlight: pointed, drawn, found });
    });
    return () => {
      stopSearch();
      stopUpdates();
    };
  }, [playground]);
  return host;
}

interface SearchProps extends RoomProps {
  readonly query: { value: string };
}

function Search({ playground, query }: SearchProps) {
  const picture = playground.picture.value;
  const found = picture === null ? null : foundIn(picture.row.texts, query.value);
  const n = found === null ? null : found.reduce((sum, hit) => sum + hit, 0);
  return (
    <label class="search">
      <span>find</span>
      <input
        type="search"
        placeholder="text or id"
        autoComplete="off"
        spellcheck={false}
        value={query.value}
        onInput={(event) => {
          query.value = event.currentTarget.value;
        }}
      />
      <span class="quiet" role="status">
        {n === null ? "" : `${formatCount(n)} found`}
      </span>
    </label>
  );
}

function Undo({ playground }: RoomProps) {
  const n = playground.undoable.value.length;
  return (
    <button type="button" disabled={n === 0} onClick={(event) => playground.undo(event)}>
      Undo
    </button>
  );
}

function AddToken({ playground }: RoomProps) {
  const isFull = playground.state.value.hand.length >= MAX_HAND_TOKENS;
  const add = (event: Event) => {
    const state = playground.state.peek();
    playground.change(withAddedToken(state, { text: "word", logit: 0 }), { event, glide: true });
  };
  return (
    <button type="button" class="add-token" disabled={isFull} onClick={add}>
      Add a token
    </button>
  );
}

let latest: { texts: object; query: string; found: Uint8Array | null } | null = null;

/** The tokens that a query finds, as flags by token id; null for an empty query. The last answer is kept. */
function foundIn(texts: Parameters<typeof findTokens>[0], query: string): Uint8Array | null {
  if (query === "") return null;
  if (latest?.texts === texts && latest.query === query) return latest.found;
  const found = new Uint8Array(texts.size);
  for (const token of findTokens(texts, query)) found[token] = 1;
  latest = { texts, query, found };
  return found;
}

/** The first of the found tokens by rank, or null. */
function firstFound(order: Uint32Array, found: Uint8Array | null): number | null {
  return found === null ? null : (order.find((token) => found[token] === 1) ?? null);
}

function actionsOf(playground: Playground, say: (message: string | null) => void): TokensActions {
  const setLogit = (token: number, logit: number, event: Event, gesture?: string) => {
    const state = playground.state.peek();
    const recorded = playground.picture.peek()?.row.logits[token] ?? 0;
    if (logitOf(state, token, recorded) === logit) return;
    playground.change(withLogit(state, token, logit, recorded), { event, ...(gesture ? { gesture } : {}) });
  };
  return {
    typeLogit(token, text, event) {
      const logit = parseNumber(text);
      const isUsable = logit === -Infinity || (logit !== null && Math.abs(logit) <= MOST_LOGIT);
      say(isUsable ? null : `"${text.slice(0, 20)}" is not a logit: a number up to 10,000 in size, or -inf.`);
      if (!isUsable) return null;
      setLogit(token, logit, event);
      return logit;
    },
    dragLogit: (token, logit, event) => setLogit(token, logit, event, `bar ${token}`),
    endDrag: () => playground.endGesture(),
    typeText: (token, text, event) =>
      playground.change(withText(playground.state.peek(), token, text), { event }),
    remove(token, event) {
      const state = playground.state.peek();
      if (state.hand.length === 1) say("A row needs at least one token.");
      else playground.change(withoutToken(state, token), { event, glide: true });
    },
    take: (token, event) => playground.take(token, event),
    highlight: (token) => playground.point(token),
  };
}
