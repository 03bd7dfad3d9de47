// A static server for the built page: the policy headers on every answer, right types, compressed bodies, tags.
// It is what `npm start` runs and what the browser tests open, so that both see the headers of a real host.
import { realpath, stat } from "node:fs/promises";
import http from "node:http";
import path from "node:path";
import { policyHeaders } from "./policy.mjs";
import { chooseEncoding, createFileCache } from "./served-file.mjs";

const loopback = "127.0.0.1";

/**
 * The file that a request's target names, or undefined. The path is read as sent: a browser resolves `..` before
 * it asks, so a path that still has one comes from something else and is refused, as are links out of the folder.
 */
async function resolveTarget(root, target) {
  let name;
  try {
    name = decodeURIComponent(target.replace(/[?#].*$/s, ""));
  } catch {
    return undefined;
  }
  if (!name.startsWith("/") || /[\0\\]/.test(name) || name.split("/").some((part) => part.startsWith(".")))
    return undefined;
  try {
    let file = await realpath(path.join(root, name));
    if ((await stat(file)).isDirectory())
      file = name.endsWith("/") ? await realpath(path.join(file, "index.html")) : "";
    return file.startsWith(root + path.sep) ? file : undefined;
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG"].includes(error.code)) return undefined;
    throw error;
  }
}

function sendText(response, status, text, headers = {}) {
  response.writeHead(status, {
    ...policyHeaders,
    "Content-Type": "text/plain; charset=utf-8",
    "Content-Length": Buffer.byteLength(text),
    ...headers,
  });
  response.end(response.req.method === "HEAD" ? undefined : text);
}

const namesTag = (header, tag) =>
  (header ?? "").split(",").some((item) => ["*", tag].includes(item.trim().replace(/^W\//, "")));

async function sendFile(request, response, file, load) {
  const entry = await load(file);
  const encoding = entry.compressible ? chooseEncoding(request.headers["accept-encoding"]) : "identity";
  const tag = entry.tag(encoding);
  const headers = {
    ...policyHeaders,
    ETag: tag,
    // Kept, but asked for again each time: the answer is a 304 until the page is built anew.
    "Cache-Control": "no-cache",
    ...(entry.compressible ? { Vary: "Accept-Encoding" } : {}),
  };
  if (namesTag(request.headers["if-none-match"], tag)) {
    response.writeHead(304, headers);
    return response.end();
  }
  const body = await entry.body(encoding);
  response.writeHead(200, {
    ...headers,
    "Content-Type": entry.type,
    "Content-Length": body.length,
    ...(encoding === "identity" ? {} : { "Content-Encoding": encoding }),
  });
  return response.end(request.method === "HEAD" ? undefined : body);
}

async function answer(request, response, root, load) {
  if (!["GET", "HEAD"].includes(request.method))
    return sendText(response, 405, "Only GET and HEAD are answered here.\n", { Allow: "GET, HEAD" });
  const file = await resolveTarget(root, request.url);
  if (!file) return sendText(response, 404, "There is no such file here.\n");
  return sendFile(request, response, file, load);
}

const listen = (server, port) =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, loopback, () => resolve(server.address().port));
  });

/**
 * Serves a folder on the loopback address. `port` 0 takes any free one; `tryNext` goes on to the following ports
 * while one is taken. Resolves to `{ url, port, close }`.
 */
export async function serve({ root, port = 0, tryNext = false }) {
  const folder = await realpath(root);
  const load = createFileCache();
  const server = http.createServer((request, response) => {
    answer(request, response, folder, load).catch((error) => {
      if (!response.headersSent) sendText(response, 500, "The server could not read that file.\n");
      else response.destroy(error);
    });
  });
  let bound;
  for (let candidate = port; bound === undefined; candidate++) {
    try {
      bound = await listen(server, candidate);
    } catch (error) {
      if (error.code !== "EADDRINUSE" || !tryNext || candidate >= port + 100) throw error;
    }
  }
  return {
    port: bound,
    url: `http://${loopback}:${bound}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}
