// A plain server for the benchmark's folder. Not the page's own: its policy forbids the workers that wllama makes of blobs.
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import http from "node:http";
import path from "node:path";

const types = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".wasm": "application/wasm",
};

/** Serves the files of a folder on the loopback: `{ url, close() }`. */
export async function serveFolder(folder) {
  const server = http.createServer(async (request, response) => {
    const name = decodeURIComponent(new URL(request.url, "http://page").pathname).replace(
      /\/$/,
      "/index.html",
    );
    const file = path.join(folder, path.normalize(name));
    try {
      const { size } = await stat(file);
      const type = types[path.extname(file)] ?? "application/octet-stream";
      response.writeHead(200, { "Content-Type": type, "Content-Length": size });
      createReadStream(file).pipe(response);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
