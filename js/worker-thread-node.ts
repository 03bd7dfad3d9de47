/** The script of Node's thread: it samples for the program that started it. */
import { parentPort } from "node:worker_threads";
import init from "./node.js";
import { serve } from "./worker/thread.js";

const port = parentPort;
if (port === null) throw new Error("this is the script of a thread: import nucleus-sampler/worker instead");

serve(
  {
    listen: (listener) => void port.on("message", listener),
    send: ({ value, moved }) => port.postMessage(value, moved),
  },
  init,
);
