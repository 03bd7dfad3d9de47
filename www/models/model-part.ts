// The part of the page that models need: fetched when one is first asked for.

import "./models.css";
import { Shelf } from "./shelf";

export { ModelPanel } from "./panel";
export { TextRoom } from "./room";

export function openShelf(): Shelf {
  return new Shelf(() => new Worker(new URL("./model-worker.ts", import.meta.url), { type: "module" }));
}
