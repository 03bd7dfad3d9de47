// A phrase with its strong parts, and a token with its glyphs, as elements.

import { segments, spoken } from "../glyphs";
import type { Phrase as Parts } from "../sentences";

export function Phrase({ parts }: { parts: Parts }) {
  return (
    <>{parts.map((part, i) => (typeof part === "string" ? part : <strong key={i}>{part.strong}</strong>))}</>
  );
}

export function TokenText({ text }: { text: string }) {
  return (
    <span class="token-text">
      <span aria-hidden="true">
        {segments(text).map(({ text: part, name }, i) =>
          name === null ? (
            part
          ) : (
            <span key={i} class="glyph">
              {part}
            </span>
          ),
        )}
      </span>
      <span class="heard">{spoken(text)}</span>
    </span>
  );
}
