// A text as tokens, in the model's own pieces: those of the prompt, then those that followed, to go back to.

import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { TokenText } from "../components/phrase";
import { formatCount } from "../format";
import { spoken } from "../glyphs";
import type { Picture, Playground } from "../playground";
import type { TokenTexts } from "../sources/vocabulary";

interface ChipsProps {
  readonly playground: Playground;
  readonly picture: Picture;
}

/** Tokens shown; those before are counted. */
const MOST_CHIPS = 200;

export function Chips({ playground, picture }: ChipsProps) {
  const { row, state } = picture;
  const { texts, promptTokens } = row;
  const { output } = state;
  const n = promptTokens.length + output.length;
  const nHidden = Math.max(0, n - MOST_CHIPS);
  const firstOutput = Math.max(0, nHidden - promptTokens.length);
  const list = useRef<HTMLOListElement>(null);
  // Where the text goes on: its end.
  useLayoutEffect(() => list.current?.scrollTo(0, list.current.scrollHeight), [row, output]);
  return (
    <>
      {nHidden > 0 && <p class="hint">{formatCount(nHidden)} earlier tokens, then:</p>}
      <ol class="chips" ref={list} aria-label="tokens of the text" aria-busy={!playground.isCurrent.value}>
        {promptTokens.slice(nHidden).map((token, i) => (
          <li key={i + nHidden}>
            <Chip texts={texts} token={token} />
          </li>
        ))}
        {output.slice(firstOutput).map((token, i) => {
          const at = firstOutput + i;
          return (
            <li key={promptTokens.length + at}>
              <Back playground={playground} texts={texts} token={token} at={at} />
            </li>
          );
        })}
      </ol>
    </>
  );
}

interface ChipProps {
  readonly texts: TokenTexts;
  readonly token: number;
}

function Chip({ texts, token }: ChipProps) {
  return (
    <span class="chip" title={`token ${token}`}>
      <TokenText text={texts.text(token)} />
    </span>
  );
}

interface BackProps extends ChipProps {
  readonly playground: Playground;
  /** Its place in the output. */
  readonly at: number;
}

function Back({ playground, texts, token, at }: BackProps): JSX.Element {
  const isLast = at === playground.state.value.output.length - 1;
  const name = spoken(texts.text(token));
  return (
    <button
      type="button"
      class="chip"
      title={isLast ? `token ${token}` : `token ${token}: go back to here`}
      aria-label={isLast ? name : `go back to ${name}`}
      onClick={(event) => playground.back(at + 1, event)}
    >
      <TokenText text={texts.text(token)} />
    </button>
  );
}
