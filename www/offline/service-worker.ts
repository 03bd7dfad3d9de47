// Keeps the page for use without a network. Files whose names tell their content are taken from what is kept; the page
// itself comes from the network where there is one, so that a new version is seen at once.

import { ALL_KEPT, KEEP_LATER, type KeptFiles } from "./kept";

/** What this script needs of the scope it runs in. */
interface Scope {
  /** Put before this script when the page is built. */
  readonly KEPT_FILES: KeptFiles;
  readonly clients: { claim(): Promise<void> };
  addEventListener(type: "install" | "activate", listener: (event: Lasting) => void): void;
  addEventListener(type: "fetch", listener: (event: Fetching) => void): void;
  addEventListener(type: "message", listener: (event: Told) => void): void;
}

interface Lasting {
  waitUntil(work: Promise<unknown>): void;
}

interface Fetching extends Lasting {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

interface Told extends Lasting {
  readonly data: unknown;
  readonly source: { postMessage(message: unknown): void } | null;
}

const scope = self as unknown as Scope;
const { version, first, later } = scope.KEPT_FILES;
const PREFIX = "nucleus ";
const CACHE = `${PREFIX}${version}`;
const PAGE = "./";

const absolute = (file: string) => new URL(file, location.href).href;
const known = new Set([...first, ...later].map(absolute));

/** Keeps files that are not kept yet; the page, whose name says nothing of its content, is asked for anew. */
async function keep(files: readonly string[]): Promise<void> {
  const cache = await caches.open(CACHE);
  for (const file of files) {
    if ((await cache.match(file)) !== undefined) continue;
    await cache.add(new Request(file, { cache: file === PAGE ? "reload" : "default" }));
  }
}

async function forgetOthers(): Promise<void> {
  const names = await caches.keys();
  const others = names.filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(others.map((name) => caches.delete(name)));
}

/** A kept file; else from the network, and kept where it is one of the page's. */
async function file(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request);
  if (kept !== undefined) return kept;
  const response = await fetch(request);
  if (response.status === 200 && known.has(request.url)) await cache.put(request, response.clone());
  return response;
}

/** The page from the network, else as it was kept. */
async function page(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await caches.match(PAGE, { cacheName: CACHE });
    if (kept === undefined) throw error;
    return kept;
  }
}

scope.addEventListener("install", (event) => event.waitUntil(keep(first)));
scope.addEventListener("activate", (event) =>
  event.waitUntil(forgetOthers().then(() => scope.clients.claim())),
);
scope.addEventListener("fetch", (event) => {
  const { request } = event;
  const isOurs = new URL(request.url).origin === location.origin && request.method === "GET";
  if (isOurs) event.respondWith(request.mode === "navigate" ? page(request) : file(request));
});
scope.addEventListener("message", (event) => {
  if (event.data !== KEEP_LATER) return;
  event.waitUntil(keep(later).then(() => event.source?.postMessage(ALL_KEPT)));
});
