// The sentence with its gap, and what the chain leaves for it.

import { label } from "../glyphs";
import type { Picture, Playground } from "../playground";
import { summary } from "../sentences";
import { TAGLINE } from "../tagline";
import { Phrase } from "./phrase";

export function Headline({ playground }: { playground: Playground }) {
  const picture = playground.picture.value;
  if (picture === null) return null;
  const { prompt } = picture.row;
  return (
    <div class="headline">
      <p class="tagline">{TAGLINE}</p>
      <h1 class={prompt?.includes("\n") ? "code" : ""}>
        {prompt === null ? "A row of your own:" : prompt} <Gap playground={playground} picture={picture} />
      </h1>
      <p class="summary">
        <Phrase parts={summary(picture)} />
      </p>
    </div>
  );
}

/** The gap shows the token that is pointed at, else the one drawn last, else nothing. */
function Gap({ playground, picture }: { playground: Playground; picture: Picture }) {
  const pointed = playground.handleHeld.value ? null : playground.pointed.value;
  const drawn = playground.drawing.result.value?.last ?? null;
  const token = pointed ?? drawn;
  const kind = token === null ? "" : token === pointed ? fateClass(picture, token) : "drawn";
  return (
    <span class={`gap ${kind}`}>
      {token === null ? <span class="heard">blank</span> : label(picture.row.texts.text(token))}
    </span>
  );
}

function fateClass({ after }: Picture, token: number): string {
  return (after.probs[token] ?? 0) > 0 ? "kept" : "cut";
}
