// Just enough of Rust's grammar for the checks: text without comments and strings, test code, functions.

const prose = new RegExp(
  [
    String.raw`//[^\n]*`,
    String.raw`/\*[\s\S]*?\*/`,
    String.raw`(?<!\w)(?:b|c)?r(#*)"[\s\S]*?"\1`,
    String.raw`(?<!\w)(?:b|c)?"(?:\\[\s\S]|[^"\\])*"`,
    String.raw`(?<!\w)b?'(?:\\(?:u\{[\da-fA-F_]+\}|x[\da-fA-F]{2}|.)|[^\\'\n])'`,
  ].join("|"),
  "gu",
);

const spaces = (text) => text.replace(/[^\n]/gu, (character) => " ".repeat(character.length));

/** The text with comments, strings and characters as spaces: every other character keeps its place. */
export const withoutProse = (text) => text.replace(prose, spaces);

/** The position just past the brace that closes the one at `open`. */
export function pastClosing(code, open) {
  let depth = 0;
  for (let i = open; i < code.length; i++) {
    if (code[i] === "{") depth++;
    else if (code[i] === "}" && --depth === 0) return i + 1;
  }
  return code.length;
}

/** Where an item's body opens, or where it ends without one: the first `{` or `;` outside other brackets. */
function bodyStart(code, from) {
  let depth = 0;
  for (let i = from; i < code.length; i++) {
    if ("([".includes(code[i])) depth++;
    else if (")]".includes(code[i])) depth--;
    else if (depth === 0 && "{;".includes(code[i])) return i;
  }
  return code.length;
}

const testAttribute = /#\[cfg\((?:test|all\(test\b[^\]]*)\)\]/g;

/** `[start, end]` of every item under `#[cfg(test)]`, and the names of test modules in files of their own. */
export function testItems(code) {
  const spans = [];
  const files = [];
  for (const match of code.matchAll(testAttribute)) {
    const attributesEnd = match.index + match[0].length;
    const body = bodyStart(code, attributesEnd);
    spans.push([match.index, code[body] === "{" ? pastClosing(code, body) : body + 1]);
    const module = code.slice(attributesEnd, body).match(/\bmod\s+(\w+)\s*$/);
    if (module && code[body] === ";") files.push(module[1]);
  }
  return { spans, files };
}

/** The files of a crate that hold nothing but tests: those of `#[cfg(test)] mod name;`, and what lies below them. */
export function testFiles(sources) {
  const roots = sources.flatMap(({ file, text }) => {
    const folder = file.replace(/(?:\/(?:mod|lib|main))?\.rs$/, "");
    return testItems(withoutProse(text)).files.map((name) => `${folder}/${name}`);
  });
  return new Set(
    sources
      .map(({ file }) => file)
      .filter((file) => roots.some((test) => file === `${test}.rs` || file.startsWith(`${test}/`))),
  );
}

/** Code without prose and without test items: what the architecture and the length limits are about. */
export function productCode(text) {
  let code = withoutProse(text);
  for (const [start, end] of testItems(code).spans)
    code = code.slice(0, start) + spaces(code.slice(start, end)) + code.slice(end);
  return code;
}

/** The 1-based line of a position. */
export const lineAt = (text, position) => text.slice(0, position).split("\n").length;

/** Every function with a body in product code: `{ name, line, lines }`, from its `fn` to its closing brace. */
export function functions(code) {
  const found = [];
  for (const match of code.matchAll(/\bfn\s+(\w+)/g)) {
    const body = bodyStart(code, match.index + match[0].length);
    if (code[body] !== "{") continue;
    const lines = code.slice(match.index, pastClosing(code, body)).split("\n").length;
    found.push({ name: match[1], line: lineAt(code, match.index), lines });
  }
  return found;
}

/** The inline modules that enclose a position, outermost first. */
export function enclosingModules(code, position) {
  const enclosing = [];
  for (const match of code.matchAll(/\bmod\s+(\w+)\s*\{/g)) {
    const open = match.index + match[0].length - 1;
    if (open < position && position < pastClosing(code, open)) enclosing.push(match[1]);
  }
  return enclosing;
}
