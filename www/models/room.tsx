// The room of the text that a model reads: the prompt as it is typed, and every token as the model sees it.

import { withPrompt } from "../edits";
import { formatCount } from "../format";
import type { Picture, Playground } from "../playground";
import { FILE_SOURCE, isModelSource } from "../sources/catalogue";
import { isFull, textLength } from "../text-length";
import { Chips } from "./chips";
import type { ModelGate } from "./gate";
import { MAX_PROMPT } from "./reading";

interface RoomProps {
  readonly playground: Playground;
  readonly gate: ModelGate;
}

export function TextRoom({ playground, gate }: RoomProps) {
  const { source, output } = playground.state.value;
  const picture = playground.picture.value;
  if (!isModelSource(source)) return null;
  const last = output.length - 1;
  return (
    <section class="text-room" aria-labelledby="text-title">
      <div class="room-head">
        <h2 id="text-title">Text</h2>
        {picture?.row.reader !== undefined && <Size picture={picture} />}
      </div>
      <Prompt playground={playground} />
      {picture?.row.reader !== undefined && <Chips playground={playground} picture={picture} />}
      <div class="buttons">
        <button type="button" disabled={last < 0} onClick={(event) => playground.back(last, event)}>
          Step back
        </button>
        <button
          type="button"
          class="plain"
          disabled={last < 0}
          onClick={(event) => playground.back(0, event)}
        >
          back to the prompt
        </button>
        {source === FILE_SOURCE && (
          <button type="button" class="plain" onClick={() => void gate.choose()}>
            another file
          </button>
        )}
      </div>
      {picture?.row.reader !== undefined && <Remark picture={picture} />}
    </section>
  );
}

function Size({ picture }: { readonly picture: Picture }) {
  const { name = "", contextLength = 0 } = picture.row.reader ?? {};
  return (
    <span class="quiet">
      {formatCount(textLength(picture))} of {formatCount(contextLength)} tokens, read by {name}
    </span>
  );
}

function Prompt({ playground }: { readonly playground: Playground }) {
  const { prompt } = playground.state.value;
  const type = (field: HTMLTextAreaElement, event: Event) =>
    playground.change(withPrompt(playground.state.peek(), field.value), { event, gesture: "prompt" });
  return (
    <label class="prompt">
      <span>prompt</span>
      <textarea
        rows={1}
        maxLength={MAX_PROMPT}
        spellcheck={false}
        autoComplete="off"
        value={prompt}
        onInput={(event) => type(event.currentTarget, event)}
        onBlur={() => playground.endGesture()}
      />
    </label>
  );
}

/** What there is to say about the end of a text. */
function Remark({ picture }: { readonly picture: Picture }) {
  const last = picture.state.output.at(-1);
  if (isFull(picture))
    return <p class="hint">The model's context is full: step back, or shorten the prompt.</p>;
  if (last === undefined || picture.row.reader?.ends.includes(last) !== true) return null;
  return <p class="hint">The model has ended its text here; what it would say next begins another.</p>;
}
