// TypeScript and JavaScript through the bundler's own parser: functions with their lengths, and imports.
import { parseSync } from "vite";

const functionTypes = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);

// The name that a reader knows a function by: its own, or that of what holds it.
const nameOf = (node, holder) =>
  node.id?.name ?? holder?.key?.name ?? holder?.id?.name ?? holder?.left?.property?.name ?? "(anonymous)";

function visit(node, holder, see) {
  if (Array.isArray(node)) {
    for (const item of node) visit(item, holder, see);
    return;
  }
  if (node === null || typeof node !== "object") return;
  see(node, holder);
  for (const value of Object.values(node)) if (typeof value === "object") visit(value, node, see);
}

function parse(file, text) {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new SyntaxError(`${file}: ${errors[0].message}`);
  return program;
}

const lineAt = (text, position) => text.slice(0, position).split("\n").length;

/** Every function: `{ name, line, lines }`. */
export function functions(file, text) {
  const found = [];
  visit(parse(file, text), null, (node, holder) => {
    if (!functionTypes.has(node.type)) return;
    const line = lineAt(text, node.start);
    found.push({ name: nameOf(node, holder), line, lines: lineAt(text, node.end) - line + 1 });
  });
  return found;
}

const importTypes = new Set([
  "ImportDeclaration",
  "ExportNamedDeclaration",
  "ExportAllDeclaration",
  "ImportExpression",
  "TSImportType",
]);

// `new URL("./worker.ts", import.meta.url)` is how a worker or an asset is imported.
const isAssetUrl = (node) =>
  node.type === "NewExpression" &&
  node.callee.name === "URL" &&
  node.arguments.length === 2 &&
  node.arguments[1].object?.type === "MetaProperty";

/** Every import, export-from, dynamic import and asset address: `{ specifier, line, asset }`. */
export function imports(file, text) {
  const found = [];
  visit(parse(file, text), null, (node) => {
    const source = isAssetUrl(node)
      ? node.arguments[0]
      : importTypes.has(node.type)
        ? (node.source ?? node.argument)
        : null;
    const specifier = source?.value ?? source?.literal?.value;
    if (typeof specifier !== "string") return;
    found.push({ specifier, line: lineAt(text, node.start), asset: isAssetUrl(node) });
  });
  return found;
}
