// The distribution with its legend, its scales, and the sentence on the token in question.

import { effect } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { cardOf } from "../chain/cards";
import { formatCount } from "../format";
import type { Picture, Playground } from "../playground";
import { cutterWord, cuttingStages, type Phrase as Parts } from "../sentences";
import { type State, withSetting } from "../state";
import { onThemeChange } from "../theme";
import { Chart } from "../views/chart";
import { rankedCurve } from "../views/chart/curve";
import { N_TINTS } from "../views/palette";
import { isExplained, reason } from "../why";
import { ChartTable } from "./chart-table";
import { Choice } from "./choice";
import { Phrase } from "./phrase";

interface FigureProps {
  readonly playground: Playground;
}

export function Figure({ playground }: FigureProps) {
  return (
    <section class="figure" aria-labelledby="figure-title">
      <div class="room-head">
        <h2 id="figure-title">Distribution</h2>
        <Scales playground={playground} />
      </div>
      <Legend playground={playground} />
      <ChartHost playground={playground} />
      <Why playground={playground} />
      <Reading />
      <ChartTable playground={playground} />
    </section>
  );
}

function ChartHost({ playground }: FigureProps) {
  const host = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (host.current === null) return;
    const chart = new Chart(host.current, {
      setP: (p, event) => setTopP(playground, p, event),
      highlight: (token) => playground.point(token),
      hold: (isHeld) => playground.hold(isHeld),
    });
    const stopUpdates = effect(() => {
      const picture = playground.picture.value;
      if (picture === null) return;
      const drawn = playground.drawing.result.value?.last ?? null;
      const pointed = playground.handleHeld.value ? null : playground.pointed.value;
      chart.update({ picture, highlight: pointed, drawn });
    });
    const stopThemes = onThemeChange(() => chart.restyle());
    return () => {
      stopUpdates();
      stopThemes();
    };
  }, [playground]);
  return <div class="chart" ref={host} />;
}

function setTopP(playground: Playground, p: number, event: Event): void {
  playground.change(
    withSetting(playground.state.peek(), cardOf("topP"), { on: true, shown: true, numbers: [p] }),
    {
      event,
      gesture: "handle",
    },
  );
}

function Scales({ playground }: FigureProps) {
  const state = playground.state.value;
  const choose = (change: Partial<State>, event: Event) =>
    playground.change({ ...playground.state.peek(), ...change }, { event });
  return (
    <div class="scales">
      <Choice
        label="rank"
        options={["log", "linear"]}
        chosen={state.rankScale}
        onChoose={(rankScale, event) => choose({ rankScale }, event)}
      />
      <Choice
        label="probability"
        options={["linear", "log"]}
        chosen={state.probScale}
        onChoose={(probScale, event) => choose({ probScale }, event)}
      />
    </div>
  );
}

/** What the colours mean, with the number of tokens that each stands for. */
function Legend({ playground }: FigureProps) {
  const picture = playground.picture.value;
  if (picture === null) return null;
  const { after } = picture;
  return (
    <ul class="legend">
      <li>
        <i class="swatch before" /> before the chain
      </li>
      <li>
        <i class="swatch kept" /> after it: <b>{formatCount(after.keptCount)}</b> kept
      </li>
      {cuttingStages(after.stages).map(({ name, keptBefore, keptAfter }, i) => (
        <li key={name}>
          <i class={`swatch cut-${(i % N_TINTS) + 1}`} /> cut by {cutterWord(picture, name)}:{" "}
          <b>{formatCount(keptBefore - keptAfter)}</b>
        </li>
      ))}
      <li>
        <i class="swatch curve" /> {hasCurve(picture) ? "cumulative, right axis" : NO_CURVE}
      </li>
    </ul>
  );
}

const NO_CURVE = "no cumulative curve: top-p sees the tokens in another order here";

/** Only an order of one's own can show top-p other ranks than those of the figure. */
function hasCurve({ state, upstream, after }: Picture): boolean {
  return state.order.length === 0 || rankedCurve(upstream, after) !== null;
}

/** The figure explained, one click away. */
function Reading() {
  return (
    <details class="reading">
      <summary>How to read this figure</summary>
      <p>
        Every token of the vocabulary has its place by rank, the likeliest first. An outlined bar is its
        probability before the chain, a filled one after it. What a stage cuts turns grey, and its share goes
        to the tokens that are left, so their bars rise.
      </p>
      <p>
        The line adds the probabilities up from the left, as top-p sees them. Where it reaches p, the cut-off
        stands: drag the handle there, or focus it and use the arrow keys (with Shift for fine steps).
      </p>
      <p>
        On logarithmic scales the long tail of unlikely tokens can be seen; on linear ones, how little of the
        probability it holds.
      </p>
    </details>
  );
}

/** The sentence on the token in question; while the engine is asked for its numbers, the last one stays. */
function Why({ playground }: FigureProps) {
  const said = useRef<Parts>([]);
  const picture = playground.picture.value;
  const subject = playground.subject.value;
  const answer = playground.explaining.answer.value;
  if (picture === null || subject === null) return <p class="why" />;
  const isAnswered = answer?.picture === picture && answer.token === subject;
  const explanation = isAnswered ? answer.explanation : null;
  if (isAnswered || !isExplained(picture, subject)) said.current = reason(picture, subject, explanation);
  return (
    <p class="why">
      <Phrase parts={said.current} />
    </p>
  );
}
