// Puts the page together: address to state, engine to pictures, and the app in place of the static page.

import { effect } from "@preact/signals";
import { render } from "preact";
import { fromFragment, MAX_LENGTH, toFragment } from "./address";
import { App } from "./components/app";
import { EngineClient } from "./engine/client";
import { ModelGate, takeDrops } from "./models/gate";
import { keepOffline } from "./offline/keep";
import { Playground, type RowState } from "./playground";
import { isModelSource } from "./sources/catalogue";
import { openRow } from "./sources/open";

/** Browsers limit how often a page may replace its address. */
const WRITE_AFTER_MS = 300;

const TOO_LONG = "There is more on the page than an address can hold, so the address stays as it was.";

export function start(root: HTMLElement): void {
  const { state, notice } = fromFragment(location.hash.slice(1));
  const worker = new Worker(new URL("./engine/worker.ts", import.meta.url), { type: "module" });
  const gate = new ModelGate();
  const open = (wanted: RowState) => (isModelSource(wanted.source) ? gate.row(wanted) : openRow(wanted));
  const playground = new Playground(new EngineClient(worker), open, gate.shown(state));
  playground.notice.value = notice;
  keepAddress(playground, gate);
  undoByKey(playground);
  gesturesEnd(playground);
  takeDrops(gate, playground);
  showWhenReady(playground, gate, root);
  void playground.start();
}

function addressOf(playground: Playground): string {
  const fragment = toFragment(playground.state.peek());
  return `${location.origin}${location.pathname}${location.search}${fragment === "" ? "" : `#${fragment}`}`;
}

/** The address follows the state, and the state follows an address that a person types. */
function keepAddress(playground: Playground, gate: ModelGate): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let written = location.hash;
  const write = () => {
    const address = addressOf(playground);
    if (address.length > MAX_LENGTH) {
      playground.notice.value = TOO_LONG;
      return;
    }
    if (playground.notice.peek() === TOO_LONG) playground.notice.value = null;
    history.replaceState(null, "", address);
    written = location.hash;
  };
  effect(() => {
    playground.state.value;
    clearTimeout(timer);
    timer = setTimeout(write, WRITE_AFTER_MS);
  });
  window.addEventListener("pagehide", write);
  window.addEventListener("hashchange", () => {
    if (location.hash === written) return;
    const { state, notice } = fromFragment(location.hash.slice(1));
    playground.notice.value = notice;
    playground.replace(gate.shown(state));
  });
}

/** Ctrl+Z or Cmd+Z takes back a change, except where text is being typed, which has its own undo. */
function undoByKey(playground: Playground): void {
  let typedInto: EventTarget | null = null;
  window.addEventListener("input", ({ target }) => {
    typedInto = isTypedInto(target) ? target : null;
  });
  window.addEventListener("change", () => {
    typedInto = null;
  });
  window.addEventListener("keydown", (event) => {
    const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === "z";
    if (!isUndo || (typedInto !== null && event.target === typedInto)) return;
    event.preventDefault();
    playground.undo(event);
  });
}

const isTypedInto = (target: EventTarget | null) =>
  target instanceof HTMLInputElement && target.type !== "range";

/** What one press of a key or a pointer changes is one step for undo. */
function gesturesEnd(playground: Playground): void {
  for (const type of ["keyup", "pointerup", "pointercancel"])
    window.addEventListener(type, () => playground.endGesture());
}

/** The static page stays until there is a picture; without an engine it stays and says so. */
function showWhenReady(playground: Playground, gate: ModelGate, root: HTMLElement): void {
  let isShown = false;
  effect(() => {
    if (isShown) return;
    if (playground.picture.value !== null) {
      isShown = true;
      if (import.meta.env.PROD) void keepOffline();
      root.replaceChildren();
      render(<App playground={playground} gate={gate} address={() => addressOf(playground)} />, root);
      return;
    }
    const status = root.querySelector("#loading");
    const { value } = playground.notice;
    if (status !== null && value !== null) {
      status.textContent = `The sampler could not start, so the page stays with its first numbers (${value}).`;
    }
  });
}
