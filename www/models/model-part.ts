// The part of the page that models need: fetched when one is first asked for.

import "./models.css";
import tiny from "nucleus-sampler/tiny.gguf?url";
import { Shelf } from "./shelf";

export { ModelPanel } from "./panel";
export { TextRoom } from "./room";

export function openShelf(): Shelf {
  const openPort = () => new Worker(new URL("./model-worker.ts", import.meta.url), { type: "module" });
  return new Shelf(openPort, new URL(tiny, location.href).href);
}
