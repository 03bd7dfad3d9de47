// Keeps the page for use without a network, once it is on screen and the browser has nothing else to do.

import { type Signal, signal } from "@preact/signals";
import { ALL_KEPT, KEEP_LATER } from "./kept";
import script from "./service-worker.ts?worker&url";

/** What can be used without a network: nothing yet, the page with its first row, or all that it comes with. */
export const offline: Signal<"nothing" | "page" | "all"> = signal("nothing");

interface Connection {
  readonly saveData?: boolean;
}

/** Whether a person has asked for less to be sent. */
function savesData(): boolean {
  const { connection } = navigator as { connection?: Connection };
  return connection?.saveData === true;
}

/** Resolves when nothing else is to be done; browsers that cannot tell wait a little. */
function idle(): Promise<void> {
  return new Promise((resolve) => {
    if ("requestIdleCallback" in window) requestIdleCallback(() => resolve());
    else setTimeout(resolve, 2000);
  });
}

/** Where nothing can be kept (a private window, a page from a disk), the page works as before, with a network. */
export async function keepOffline(): Promise<void> {
  const { serviceWorker } = navigator;
  if (serviceWorker === undefined) return;
  await idle();
  try {
    await serviceWorker.register(script);
    const { active } = await serviceWorker.ready;
    offline.value = "page";
    if (savesData()) return;
    await idle();
    serviceWorker.addEventListener("message", ({ data }) => {
      if (data === ALL_KEPT) offline.value = "all";
    });
    active?.postMessage(KEEP_LATER);
  } catch {
    offline.value = "nothing";
  }
}
