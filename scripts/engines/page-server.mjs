// A server for one comparison in a page: the built package, the golden file, one module; the page sends its outcome.
import { readFile } from "node:fs/promises";
import http from "node:http";
import path from "node:path";
import { inRoot } from "../paths.mjs";

const types = { ".js": "text/javascript", ".mjs": "text/javascript", ".json": "application/json" };
const served = /^\/(?:dist|tests\/engines|tests\/golden)\/[\w/-]+\.(?:js|mjs|json|f32)$/;
const page = `<!doctype html><meta charset="utf-8"><title>The same everywhere</title>
<script type="module" src="/tests/engines/page.mjs"></script>`;

const bodyOf = async (request) => {
  let text = "";
  for await (const part of request.setEncoding("utf8")) text += part;
  return JSON.parse(text);
};

async function answer(request, module) {
  const { pathname } = new URL(request.url, "http://localhost");
  if (pathname === "/") return { type: "text/html", body: page };
  if (pathname === "/module.wasm") return { type: "application/wasm", body: await readFile(module) };
  if (!served.test(pathname)) return undefined;
  const type = types[path.extname(pathname)] ?? "application/octet-stream";
  return { type, body: await readFile(inRoot(pathname.slice(1))) };
}

/** Serves `module`; resolves to `{ url, outcome, close }`, where `outcome` is a promise of what the page sends. */
export async function servePage(module) {
  const { promise: outcome, resolve: sent } = promised();
  const server = http.createServer(async (request, response) => {
    if (request.method === "POST") {
      sent(await bodyOf(request));
      return response.writeHead(204).end();
    }
    const found = await answer(request, module).catch(() => undefined);
    if (!found) return response.writeHead(404).end();
    return response.writeHead(200, { "Content-Type": found.type }).end(found.body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${server.address().port}/`, outcome, close };
}

function promised() {
  let resolve;
  const promise = new Promise((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
