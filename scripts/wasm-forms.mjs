// The forms in which the package has a module: the file itself, what TypeScript is told of it, and the same bytes as
// text, for programs that can neither read nor fetch a file.
import { writeFile } from "node:fs/promises";

const fileType = `/** What bundlers for edge platforms make of the file; others give its address or its bytes, and \`init\` takes each. */
declare const module: { readonly [Symbol.toStringTag]?: "WebAssembly.Module" };
export default module;
`;

/** The files of one module, as text or bytes by what follows the stem of its name. */
export const formsOf = (bytes) => ({
  ".wasm": bytes,
  ".wasm.d.ts": fileType,
  ".base64.js": `export default "${bytes.toString("base64")}";\n`,
  ".base64.d.ts": "declare const base64: string;\nexport default base64;\n",
});

/** Writes every form of a module beside `file`, its own. */
export async function publishModule(bytes, file) {
  for (const [ending, content] of Object.entries(formsOf(bytes)))
    await writeFile(file.replace(/\.wasm$/, ending), content);
}
