// The room of the draws: buttons, seed, the histogram, and where the last target fell.

import { effect } from "@preact/signals";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { digits, whole } from "../codecs";
import type { DrawResult } from "../engine/protocol";
import { formatCount, formatNumbered } from "../format";
import { visible } from "../glyphs";
import { guardedSummary } from "../guarding";
import type { Picture, Playground } from "../playground";
import { drawSummary, fitSummary } from "../sentences";
import { MAX_DRAWS, MAX_STREAM } from "../state";
import { isFull } from "../text-length";
import { COMPARED_FROM, DrawsView, drawBars } from "../views/draws";
import { StripView } from "../views/strip";
import { Phrase } from "./phrase";
import { useSettled } from "./settled";

const AMOUNTS = [1, 100, 10_000];

interface RoomProps {
  readonly playground: Playground;
}

export function Draws({ playground }: RoomProps) {
  const [seedMessage, setSeedMessage] = useState<string | null>(null);
  return (
    <section class="draws" aria-labelledby="draws-title">
      <div class="room-head">
        <h2 id="draws-title">Draws</h2>
        <span class="seeds">
          <Seed playground={playground} say={setSeedMessage} />
          <Stream playground={playground} say={setSeedMessage} />
        </span>
      </div>
      <p class="message" role="status">
        {seedMessage}
      </p>
      <Buttons playground={playground} />
      {playground.state.value.draws === 0 ? (
        <p class="hint invitation">
          Draw a token: chance picks among the kept ones, each as often as its probability says.
        </p>
      ) : (
        <Drawn playground={playground} />
      )}
    </section>
  );
}

function Buttons({ playground }: RoomProps) {
  const { drawing } = playground;
  const { draws, from } = playground.state.value;
  const running = drawing.running.value;
  const isFull = draws >= MAX_DRAWS;
  const runOrStop = () => (running ? drawing.stop() : drawing.run());
  return (
    <div class="buttons">
      {AMOUNTS.map((n) => (
        <button
          key={n}
          type="button"
          disabled={isFull}
          aria-label={`draw ${formatCount(n)}`}
          onClick={() => drawing.add(n)}
        >
          {formatCount(n)}
        </button>
      ))}
      <button type="button" disabled={isFull && !running} onClick={runOrStop}>
        {running ? "Stop" : "Run"}
      </button>
      <button
        type="button"
        class="plain"
        disabled={draws === 0 && from === 0}
        onClick={() => drawing.reset()}
      >
        reset
      </button>
    </div>
  );
}

function Drawn({ playground }: RoomProps) {
  const bars = useRef<HTMLDivElement>(null);
  const strip = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (bars.current === null || strip.current === null) return;
    const highlight = (token: number | null) => playground.point(token);
    const histogram = new DrawsView(bars.current, highlight);
    const line = new StripView(strip.current, highlight);
    return effect(() => {
      const picture = playground.picture.value;
      const result = playground.drawing.result.value;
      if (picture === null || result === null || result.counts.length !== picture.row.texts.size) return;
      const pointed = playground.pointed.value;
      histogram.update({ picture, result, highlight: pointed });
      line.update({ picture, drawn: result.last, target: result.target, highlight: pointed });
    });
  }, [playground]);
  const picture = playground.picture.value;
  const result = playground.drawing.result.value;
  return (
    <>
      <div class="histogram" ref={bars} />
      <p class="draw-summary">
        {picture !== null && result !== null && <Phrase parts={drawSummary(picture, result)} />}{" "}
        {result !== null && result.n >= COMPARED_FROM && <Phrase parts={fitSummary(result)} />}
      </p>
      <Guarded playground={playground} result={result} />
      {picture !== null && result !== null && (
        <Accept playground={playground} picture={picture} result={result} />
      )}
      <div class="strip-host" ref={strip} />
      <p class="hint">
        The last draw on the line of kept tokens in ascending id, each as wide as it is likely: a random point
        falls, and the token under it is drawn.
      </p>
      <DrawTable playground={playground} />
    </>
  );
}

function Guarded({ playground, result }: RoomProps & { readonly result: DrawResult | null }) {
  if (result === null) return null;
  const said = guardedSummary(playground.state.value, result.n, result.guarded);
  return said === null ? null : <p class="draw-summary">{said}</p>;
}

interface AcceptProps extends RoomProps {
  readonly picture: Picture;
  readonly result: DrawResult;
}

/** The step from a draw to a text: what was drawn joins the output, and the next draw goes on from there. */
function Accept({ playground, picture, result }: AcceptProps) {
  if (result.last === null || result.last >= picture.row.texts.size) return null;
  const name = visible(picture.row.texts.text(result.last));
  const isDone = result.n === playground.state.value.draws && !playground.drawing.running.value;
  const isReady = isDone && playground.isCurrent.value && !isFull(picture);
  return (
    <p class="accept">
      <button type="button" disabled={!isReady} onClick={(event) => void playground.accept(event)}>
        Accept {name}
      </button>{" "}
      <span class="hint">
        It joins the output: penalties, DRY and mirostat know it from then on
        {picture.row.reader === undefined ? "." : ", and the model reads on."}
      </span>
    </p>
  );
}

function Seed({ playground, say }: RoomProps & { say(message: string | null): void }) {
  const { seed } = playground.state.value;
  const change = (input: HTMLInputElement) => {
    const read = digits.read(input.value.trim());
    if (read === null) {
      say(`A seed is an integer from 0 to 2^64 - 1, so ${seed} stays.`);
      input.value = seed;
      return;
    }
    say(null);
    playground.change({ ...playground.state.peek(), seed: String(BigInt(read)) });
  };
  return (
    <label class="seed">
      <span>seed</span>
      <input
        type="text"
        inputMode="numeric"
        autoComplete="off"
        value={seed}
        onChange={(event) => change(event.currentTarget)}
      />
    </label>
  );
}

/** Rows of a batch have the same seed and a stream each. */
function Stream({ playground, say }: RoomProps & { say(message: string | null): void }) {
  const { stream } = playground.state.value;
  const change = (input: HTMLInputElement) => {
    const read = whole(MAX_STREAM).read(input.value.trim());
    if (read === null) {
      say(`A stream is an integer from 0 to 2^32 - 1, so ${stream} stays.`);
      input.value = String(stream);
      return;
    }
    say(null);
    playground.change({ ...playground.state.peek(), stream: read });
  };
  return (
    <label class="seed stream">
      <span>stream</span>
      <input
        type="text"
        inputMode="numeric"
        autoComplete="off"
        value={stream}
        onChange={(event) => change(event.currentTarget)}
      />
    </label>
  );
}

/** The histogram as a table, once it has stood still. */
function DrawTable({ playground }: RoomProps) {
  const result = useSettled(playground.drawing.result).value;
  const picture = playground.picture.peek();
  if (result === null || picture === null || result.counts.length !== picture.row.texts.size) return null;
  return (
    <div class="heard">
      <table>
        <caption>Tokens drawn in {formatNumbered(result.n, "draw")}</caption>
        <thead>
          <tr>
            <th scope="col">token</th>
            <th scope="col">drawn</th>
            <th scope="col">expected</th>
          </tr>
        </thead>
        <tbody>
          {drawBars(picture, result).map(({ token, name, count, expected }) => (
            <tr key={token ?? "others"}>
              <th scope="row">{visible(name)}</th>
              <td>{formatCount(count)}</td>
              <td>{formatCount(expected)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
