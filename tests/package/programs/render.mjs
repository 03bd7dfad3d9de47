// What a server does that renders a page: it imports everything and starts nothing. Whatever an import could touch
// tells on it; what is only looked for (`typeof`) does not.

import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const touched = [];
const tells = (name) => () => {
  touched.push(name);
  throw new Error(`an import touched ${name}`);
};
const watched = (name, value) =>
  Object.defineProperty(globalThis, name, { configurable: true, get: value ?? tells(name) });

for (const name of ["document", "window", "self", "navigator", "location", "localStorage"]) watched(name);
for (const name of ["fetch", "Worker", "setTimeout", "setInterval", "queueMicrotask"]) watched(name);
watched("WebAssembly", () => new Proxy({}, { get: tells("WebAssembly") }));
// Node reads scripts in these ways itself.
for (const [owner, name] of [
  [fs, "readFile"],
  [fs, "readFileSync"],
  [fs, "openSync"],
  [fs.promises, "readFile"],
  [fs.promises, "open"],
]) {
  const read = owner[name];
  owner[name] = (file, ...others) => {
    if (String(file).endsWith(".wasm")) tells(name)();
    return read(file, ...others);
  };
}
syncBuiltinESMExports();

const loaded = {};
for (const entry of ["", "/web", "/node", "/inline", "/worker"]) {
  const names = Object.keys(await import(`nucleus-sampler${entry}`));
  loaded[entry] = names.includes("NucleusError") && names.length;
}
console.log(JSON.stringify({ touched, loaded }));
