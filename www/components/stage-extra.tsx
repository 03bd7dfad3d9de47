// What single stages have beside numbers and lists: guidance's second row, XTC's coin, the state of controllers.

import type { ComponentType } from "preact";
import { FLAT_ROW } from "../flat-row";
import { formatPercent } from "../format";
import type { Playground } from "../playground";
import { secondSources } from "../sources/catalogue";
import { NO_CONTROLLERS } from "../state";
import { Choice } from "./choice";

interface ExtraProps {
  readonly playground: Playground;
}

export const EXTRAS: Readonly<Record<string, ComponentType<ExtraProps>>> = {
  guidance: SecondRow,
  xtc: Coin,
  mirostat: MirostatState,
  adaptiveP: AdaptiveState,
};

function SecondRow({ playground }: ExtraProps) {
  const { source, second } = playground.state.value;
  const choose = (id: string, event: Event) =>
    playground.change({ ...playground.state.peek(), second: id }, { event, glide: true });
  return (
    <div class="extra">
      <label class="menu">
        <span>second row</span>
        <select value={second} onChange={(event) => choose(event.currentTarget.value, event)}>
          <option value={FLAT_ROW}>flat: all tokens alike</option>
          {secondSources(source).map(({ id, label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <p class="hint">A stand-in: a model's own second row is that of the text without its prompt.</p>
    </div>
  );
}

const FALLS = "acts";
const STAYS = "does not";

function Coin({ playground }: ExtraProps) {
  const { coin } = playground.state.value;
  const choose = (chosen: string, event: Event) =>
    playground.change({ ...playground.state.peek(), coin: chosen === FALLS }, { event, glide: true });
  return (
    <div class="extra">
      <Choice
        label="shown as when it"
        options={[FALLS, STAYS]}
        chosen={coin ? FALLS : STAYS}
        onChoose={choose}
      />
      <p class="hint">Draws toss the coin themselves, each its own.</p>
    </div>
  );
}

function MirostatState({ playground }: ExtraProps) {
  const { mu } = playground.state.value.controllers;
  return <Learned playground={playground} learned={mu === null ? null : "Accepted draws have moved μ"} />;
}

function AdaptiveState({ playground }: ExtraProps) {
  const { adaptiveP } = playground.state.value.controllers;
  const [sum, weight] = adaptiveP ?? [0, 1];
  const learned = adaptiveP === null ? null : `accepted draws had ${formatPercent(sum / weight)} on average`;
  return <Learned playground={playground} learned={learned} />;
}

/** What accepted draws have come to, and the way back. */
function Learned({ playground, learned }: ExtraProps & { readonly learned: string | null }) {
  if (learned === null)
    return <p class="hint extra">Draw a token and accept it: this stage learns from it.</p>;
  const forget = (event: Event) =>
    playground.change({ ...playground.state.peek(), controllers: NO_CONTROLLERS }, { event, glide: true });
  return (
    <p class="hint extra">
      {learned}.{" "}
      <button type="button" class="plain" onClick={forget}>
        start over
      </button>
    </p>
  );
}
