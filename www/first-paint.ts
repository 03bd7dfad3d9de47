// The page before the engine has answered, as HTML made when the page is built: the sentence, the figure and the
// first tokens of the default row, so that there is something true to read at the first paint.

import { formatCount, formatLogit, formatPercent, formatThreshold } from "./format";
import { segments, spoken } from "./glyphs";
import { byteLevelTexts } from "./sources/vocabulary";
import { TAGLINE } from "./tagline";

export interface FirstToken {
  readonly id: number;
  /** In the GPT-2 byte alphabet. */
  readonly text: string;
  readonly logit: number;
  readonly prob: number;
}

export interface FirstPaint {
  readonly prompt: string;
  readonly vocabSize: number;
  readonly p: number;
  readonly keptCount: number;
  readonly keptMass: number;
  readonly tokens: readonly FirstToken[];
}

/** The linear axis that the live chart has for this row, too. */
const TOP_OF_AXIS = 0.5;
const WIDTH = 1000;
const HEIGHT = 400;

export function firstPaint(first: FirstPaint): string {
  const { prompt, vocabSize, keptCount, keptMass, p } = first;
  return `
<header class="page-header"><p class="brand">Nucleus</p></header>
<main>
<div class="notice" role="status"><p id="loading">The sampler is on its way; these are its first numbers.</p></div>
<div class="headline">
<p class="tagline">${TAGLINE}</p>
<h1>${escaped(prompt)} <span class="gap"><span class="heard">blank</span></span></h1>
<p class="summary">Of ${formatCount(vocabSize)} tokens, <strong>${formatCount(keptCount)}</strong> hold ${formatPercent(keptMass)} of the probability. Only they can be drawn: the nucleus.</p>
</div>
<div class="rooms static">
<section class="figure" aria-labelledby="figure-title">
<div class="room-head"><h2 id="figure-title">Distribution</h2></div>
<p class="legend">The most likely tokens, highest first, and the sum of their probabilities as a line.</p>
<div class="chart">${bars(first)}</div>
</section>
<section class="chain" aria-labelledby="chain-title">
<div class="room-head"><h2 id="chain-title">Chain</h2></div>
<p class="hint">A language model gives every token of its vocabulary a number, the logit. A softmax turns the logits into probabilities. Top-p goes down the ranks until ${formatThreshold(p)} of the probability is reached and cuts the rest; what is left is scaled up to 100%, and one token of it is drawn.</p>
</section>
<section class="tokens" aria-labelledby="tokens-title">
<div class="room-head"><h2 id="tokens-title">Tokens</h2></div>
${table(first)}
</section>
</div>
</main>`;
}

/** Bars and curve of the first tokens in the live chart's place, on a logarithmic rank axis. */
function bars({ tokens, vocabSize, keptMass }: FirstPaint): string {
  const x = (rank: number) => (Math.log(rank) / Math.log(vocabSize + 1)) * WIDTH;
  const y = (share: number) => (1 - share) * HEIGHT;
  let sum = 0;
  let curve = `M0 ${HEIGHT}`;
  const rects = tokens.map(({ prob }, i) => {
    const [left, right] = [x(i + 1), x(i + 2)];
    const top = y(prob / keptMass / TOP_OF_AXIS);
    sum += prob;
    curve += `V${y(sum).toFixed(1)}H${right.toFixed(1)}`;
    const size = `width="${((right - left) * 0.96).toFixed(1)}" height="${(HEIGHT - top).toFixed(1)}"`;
    return `<rect x="${left.toFixed(1)}" y="${top.toFixed(1)}" ${size}/>`;
  });
  return `<svg class="first-bars" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">${rects.join("")}<path d="${curve}"/></svg>`;
}

function table({ tokens, keptMass }: FirstPaint): string {
  const texts = byteLevelTexts(tokens.map(({ text }) => text));
  const rows = tokens.map(({ id, logit, prob }, i) => {
    const cells = [
      i + 1,
      token(texts.text(i)),
      id,
      formatLogit(logit),
      formatPercent(prob),
      formatPercent(prob / keptMass),
    ];
    return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
  });
  const names = ["rank", "token", "id", "logit", "p raw", "p final"];
  const head = names.map((name) => `<th scope="col">${name}</th>`).join("");
  return `<div class="first-table" tabindex="0" role="region" aria-label="The first tokens by rank"><table><thead><tr>${head}</tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
}

function token(text: string): string {
  const shown = segments(text).map((segment) =>
    segment.name === null ? escaped(segment.text) : `<span class="glyph">${segment.text}</span>`,
  );
  return `<span aria-hidden="true">${shown.join("")}</span><span class="heard">${escaped(spoken(text))}</span>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
