import assert from "node:assert/strict";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import http from "node:http";
import path from "node:path";
import { after, before, test } from "node:test";
import zlib from "node:zlib";
import { contentSecurityPolicy } from "../policy.mjs";
import { serve } from "../serve.mjs";
import { temporaryFolder } from "./fakes.mjs";

const text = "token ".repeat(500);
let server;
let outside;

before(async () => {
  const root = await temporaryFolder();
  outside = await temporaryFolder();
  await writeFile(path.join(outside, "secret.txt"), "secret");
  await mkdir(path.join(root, "data"));
  await symlink(path.join(outside, "secret.txt"), path.join(root, "link.txt"));
  for (const name of [
    "index.html",
    "app.js",
    "data/index.html",
    "module.wasm",
    "row.f32",
    "row.gz",
    ".hidden",
    "icon.svg",
  ])
    await writeFile(path.join(root, name), text);
  await writeFile(path.join(root, "app.webmanifest"), "{}");
  server = await serve({ root });
});

after(() => server.close());

// Node's own client: it sends a path exactly as given, and decodes nothing.
function ask(target, { method = "GET", ...headers } = {}) {
  return new Promise((resolve, reject) => {
    const request = http.request(
      { port: server.port, host: "127.0.0.1", path: target, method, headers },
      (response) => {
        const chunks = [];
        response.on("data", (chunk) => chunks.push(chunk));
        response.on("end", () =>
          resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }),
        );
      },
    );
    request.on("error", reject);
    request.end();
  });
}

test("every answer carries the policy headers, also errors and worker scripts", async () => {
  for (const target of ["/", "/app.js", "/module.wasm", "/none"]) {
    const { headers } = await ask(target);
    assert.equal(headers["content-security-policy"], contentSecurityPolicy, target);
    assert.equal(headers["x-content-type-options"], "nosniff", target);
    assert.equal(headers["referrer-policy"], "no-referrer", target);
    assert.equal(headers["cross-origin-opener-policy"], "same-origin", target);
  }
});

test("the policy allows wasm, refuses inline code and other hosts, and lets anyone frame the page", () => {
  assert.match(contentSecurityPolicy, /(^|; )script-src 'self' 'wasm-unsafe-eval'(;|$)/);
  assert.match(contentSecurityPolicy, /^default-src 'none'/);
  assert.doesNotMatch(contentSecurityPolicy, /unsafe-inline|'unsafe-eval'|https?:|\*|frame-ancestors/);
});

test("files have the types that browsers insist on", async () => {
  const expected = {
    "/": "text/html; charset=utf-8",
    "/data/": "text/html; charset=utf-8",
    "/app.js": "text/javascript; charset=utf-8",
    "/module.wasm": "application/wasm",
    "/icon.svg": "image/svg+xml",
    "/app.webmanifest": "application/manifest+json",
    "/row.f32": "application/octet-stream",
    "/row.gz": "application/octet-stream",
  };
  for (const [target, type] of Object.entries(expected)) {
    const { status, headers } = await ask(target);
    assert.equal(status, 200, target);
    assert.equal(headers["content-type"], type, target);
  }
});

test("text and wasm are compressed as the client accepts; data is sent as it is", async () => {
  const expected = [
    ["/app.js", "gzip, deflate, br", "br", zlib.brotliDecompressSync],
    ["/module.wasm", "gzip", "gzip", zlib.gunzipSync],
    ["/app.js", "br;q=0, gzip;q=0.5", "gzip", zlib.gunzipSync],
    ["/app.js", "identity", undefined, (bytes) => bytes],
    ["/row.f32", "br", undefined, (bytes) => bytes],
    ["/row.gz", "br", undefined, (bytes) => bytes],
  ];
  for (const [target, accepted, encoding, decode] of expected) {
    const { headers, body } = await ask(target, { "accept-encoding": accepted });
    assert.equal(headers["content-encoding"], encoding, `${target} for ${accepted}`);
    assert.equal(Number(headers["content-length"]), body.length);
    assert.equal(decode(body).toString(), text);
  }
});

test("a tag that still holds is answered with 304 and no body; another encoding has another tag", async () => {
  const first = await ask("/app.js", { "accept-encoding": "br" });
  const again = await ask("/app.js", {
    "accept-encoding": "br",
    "if-none-match": `"x", ${first.headers.etag}`,
  });
  assert.equal(again.status, 304);
  assert.equal(again.body.length, 0);
  assert.equal(again.headers["content-security-policy"], contentSecurityPolicy);
  const other = await ask("/app.js", { "accept-encoding": "gzip", "if-none-match": first.headers.etag });
  assert.equal(other.status, 200);
});

test("HEAD is answered as GET without a body; other methods are refused", async () => {
  const head = await ask("/app.js", { method: "HEAD" });
  assert.equal(head.status, 200);
  assert.equal(Number(head.headers["content-length"]), text.length);
  assert.equal(head.body.length, 0);
  const post = await ask("/app.js", { method: "POST" });
  assert.equal(post.status, 405);
  assert.equal(post.headers.allow, "GET, HEAD");
});

test("a query does not change the file", async () => {
  assert.equal((await ask("/?embed")).status, 200);
});

test("paths that leave the folder, hidden files, links outwards and broken escapes are refused", async () => {
  const name = path.basename(outside);
  for (const target of [
    `/../${name}/secret.txt`,
    `/%2e%2e/${name}/secret.txt`,
    `/data/..%2f..%2f${name}/secret.txt`,
    `/..%5c${name}%5csecret.txt`,
    "//etc/passwd",
    "/link.txt",
    "/.hidden",
    "/%00",
    "/%zz",
    "/data",
    "/index.html/",
  ])
    assert.equal((await ask(target)).status, 404, target);
});

test("a file that changes on disk is read again", async () => {
  const root = await temporaryFolder();
  const file = path.join(root, "index.html");
  await writeFile(file, "one");
  const other = await serve({ root });
  const read = async () => (await fetch(other.url)).text();
  assert.equal(await read(), "one");
  await writeFile(file, "three");
  assert.equal(await read(), "three");
  await other.close();
});

test("serve({ port }) fails when the port is taken, and with tryNext takes a later one", async () => {
  const root = await temporaryFolder();
  await assert.rejects(serve({ root, port: server.port }), { code: "EADDRINUSE" });
  const next = await serve({ root, port: server.port, tryNext: true });
  assert.ok(next.port > server.port);
  await next.close();
});
