// The chain: the cards that are on the page in the order in which the stages run, and those that can be added.

import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Card } from "../chain/cards";
import { shownCards } from "../chain/order";
import { presetOf } from "../chain/presets";
import { rivalOf, withAdded, withOn } from "../chain/start";
import type { Playground } from "../playground";
import { isModelSource } from "../sources/catalogue";
import { INITIAL_STATE, NO_CONTROLLERS, withSetting } from "../state";
import { AddStage } from "./add-stage";
import { ChainSettings } from "./chain-settings";
import { Grip, GripHelp } from "./grip";
import { HistoryCard } from "./history-card";
import { Reorder, type Said } from "./reorder";
import { type CardActions, StageCard } from "./stage-card";

interface ChainProps {
  readonly playground: Playground;
}

export function Chain({ playground }: ChainProps) {
  const state = playground.state.value;
  const [said, setSaid] = useState<Said>({ text: "", isRefusal: false });
  const list = useRef<HTMLOListElement>(null);
  const shown = shownCards(state);
  const reorder = useMemo(() => new Reorder(playground, list, setSaid), [playground]);
  const actions = actionsOf(playground, reorder, setSaid);
  useLayoutEffect(() => reorder.refocus());
  const focusCard = useFocus(list);
  const add = (card: Card, event: Event) => {
    setSaid(addCard(playground, card, event));
    focusCard(card.key);
  };
  return (
    <section class="chain" aria-labelledby="chain-title">
      <div class="room-head">
        <h2 id="chain-title">Chain</h2>
        <button type="button" class="plain" onClick={(event) => reset(playground, event)}>
          reset
        </button>
      </div>
      <PresetNote playground={playground} />
      {needsHistory(playground, shown) && <HistoryCard playground={playground} />}
      <GripHelp />
      <ol class="cards" ref={list}>
        {shown.map((card, i) => (
          <li key={card.key} data-key={card.key} class={reorder.placeClass(card)}>
            <Grip card={card} place={`${i + 1} of ${shown.length}`} reorder={reorder} />
            <StageCard playground={playground} card={card} actions={actions} />
          </li>
        ))}
      </ol>
      <p class={said.isRefusal ? "said" : "heard"} role="status">
        {said.text}
      </p>
      <AddStage shown={shown} onAdd={add} />
      <ChainSettings playground={playground} />
    </section>
  );
}

/** What is particular about the preset's order, as long as the cards stand in it. */
function PresetNote({ playground }: ChainProps) {
  const { preset, order } = playground.state.value;
  const { note } = presetOf(preset);
  return note === null || order.length > 0 ? null : <p class="hint">{note}</p>;
}

/** Puts a card on the page; what there is to say about it. */
function addCard(playground: Playground, card: Card, event: Event): Said {
  const before = playground.state.peek();
  const next = withAdded(before, card, playground.picture.peek());
  playground.change(next, { event, glide: true });
  const cards = shownCards(next);
  const place = `stage ${cards.findIndex(({ key }) => key === card.key) + 1} of ${cards.length}`;
  const off = switchedOff(rivalOf(before, card));
  return { text: `${card.title} is ${place}. ${off}`.trim(), isRefusal: off !== "" };
}

/** The tokens that came before are of interest where a stage looks at them; else an accepted draw is, where it is not seen in a model's text. */
function needsHistory(playground: Playground, shown: readonly Card[]): boolean {
  const { output, source } = playground.state.value;
  return (output.length > 0 && !isModelSource(source)) || shown.some(({ usesHistory }) => usesHistory);
}

function reset(playground: Playground, event: Event): void {
  const { chain, preset, order, second, coin } = INITIAL_STATE;
  const initial = { chain, preset, order, second, coin, controllers: NO_CONTROLLERS };
  const state = { ...playground.state.peek(), ...initial };
  playground.change(state, { event, glide: true });
}

function switchedOff(rival: Card | null): string {
  return rival === null ? "" : `${rival.title} was switched off: only one stage can choose the token.`;
}

function actionsOf(playground: Playground, reorder: Reorder, say: (said: Said) => void): CardActions {
  return {
    turn(card, isOn, event) {
      const state = playground.state.peek();
      const text = isOn ? switchedOff(rivalOf(state, card)) : "";
      const next = isOn ? withOn(state, card) : withSetting(state, card, { on: false });
      playground.change(next, { event, glide: true });
      say({ text, isRefusal: text !== "" });
    },
    move(card, by, event) {
      const at = shownCards(playground.state.peek()).findIndex(({ key }) => key === card.key);
      reorder.move(card, at + by, event);
    },
    remove(card, event) {
      const state = withSetting(playground.state.peek(), card, { on: false, shown: false });
      playground.change(state, { event, glide: true });
      say({ text: `${card.title} was removed.`, isRefusal: false });
    },
  };
}

/** Moves the focus to a card's switch as soon as the card is on the page. */
function useFocus(list: { readonly current: HTMLElement | null }): (key: string) => void {
  const wanted = useRef<string | null>(null);
  useLayoutEffect(() => {
    const card =
      wanted.current === null ? null : list.current?.querySelector(`[data-key="${wanted.current}"]`);
    if (!(card instanceof HTMLElement)) return;
    wanted.current = null;
    card.querySelector<HTMLElement>('[role="switch"]')?.focus({ preventScroll: true });
    card.scrollIntoView({ block: "nearest" });
  });
  return (key) => {
    wanted.current = key;
  };
}
