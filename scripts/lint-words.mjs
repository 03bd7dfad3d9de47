// Words that may not be committed: paths of one machine, hosts of package registries, unfinished or silenced code,
// and, in the crate, the standard library's transcendental functions, whose last bit differs between platforms.
import { isMain } from "./paths.mjs";
import { productCode } from "./rust-source.mjs";
import { conclude, readSources } from "./sources.mjs";
import { runMain } from "./steps.mjs";

const transcendental = [
  ..."exp exp2 exp_m1 ln ln_1p log log2 log10 powf powi cbrt hypot mul_add".split(" "),
  ..."sin cos tan sin_cos asin acos atan atan2 sinh cosh tanh asinh acosh atanh gamma ln_gamma erf erfc".split(
    " ",
  ),
].join("|");

/** Each rule: what it finds, in which files, and what to say. `code` looks at product code only. */
export const rules = [
  {
    pattern: /(?<![\w.~}-])\/(?:root|work|home\/[a-z][\w.-]*|Users\/[A-Za-z][\w.-]*)\//,
    files: /./,
    say: "a path of one machine",
  },
  {
    pattern:
      /\b(?:(?:registry|static|index|files)\.(?:npmjs|crates|pythonhosted)|(?:deb|security|ftp)\.debian|pypi)\.(?:org|io)\b/,
    files: /./,
    say: "the host of a package registry",
  },
  {
    // One letter in brackets keeps the words from finding themselves here.
    pattern: /\b(?:TOD[O]|FIXM[E])\b|\b(?:tod[o]|unimplemente[d])!|@ts-(?:ignor[e]|nochec[k])/,
    files: /\.(rs|m?[jt]sx?|css|html)$/,
    say: "unfinished or silenced code",
  },
  {
    pattern: /\b(?:describe|it|test)\.(?:skip|only|todo)\(|#\[ignore\]/,
    files: /\.(rs|m?[jt]sx?)$/,
    say: "a test that does not run and does not say why",
  },
  {
    pattern: new RegExp(`(?:\\.|\\bf(?:32|64)::)(?:${transcendental})\\(`),
    files: /^src\/.*\.rs$/,
    code: true,
    say: "a transcendental function of the standard library: use the one in math",
  },
];

const notText = /\.(png|f32|bin|gz|wasm|gguf|npy|safetensors|ico|woff2)$/;

/** Findings in one file. */
export function wordFindings(file, text) {
  return rules
    .filter(({ files }) => files.test(file))
    .flatMap(({ pattern, code, say }) => {
      const lines = (code ? productCode(text) : text).split("\n");
      return lines.flatMap((line, index) => {
        const found = line.match(pattern);
        return found ? [{ file, line: index + 1, sentence: `"${found[0].trim()}" is ${say}` }] : [];
      });
    });
}

if (isMain(import.meta.url))
  await runMain(async () => {
    const sources = (await readSources(/./)).filter(({ file }) => !notText.test(file));
    const findings = sources.flatMap(({ file, text }) => wordFindings(file, text));
    return conclude("words", findings, `${sources.length} files, ${rules.length} rules`);
  });
