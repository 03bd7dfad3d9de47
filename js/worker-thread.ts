/** The script of a browser's module worker: it samples for the program that started it. */
import init from "./web.js";
import type { Parcel } from "./worker/parcel.js";
import type { Reply, Request } from "./worker/protocol.js";
import { serve } from "./worker/thread.js";

/** What of a worker's global scope is used here. */
interface Scope {
  addEventListener(type: "message", listener: (event: { data: Request }) => void): void;
  postMessage(message: Reply, transfer: ArrayBuffer[]): void;
}

const scope = globalThis as unknown as Scope;

serve(
  {
    listen: (listener) => scope.addEventListener("message", ({ data }) => listener(data)),
    send: ({ value, moved }: Parcel<Reply>) => scope.postMessage(value, moved),
  },
  init,
);
