// webpack as it comes: an entry, an output, no loader, no experiment.
import process from "node:process";
import webpack from "webpack";

const [target, entry] = process.argv.slice(2);
const compiler = webpack({
  mode: "production",
  target,
  entry: { main: entry },
  output: { path: `${process.cwd()}/dist`, ...(target === "node" ? { filename: "main.cjs" } : {}) },
  performance: { hints: false },
});
compiler.run((error, stats) => {
  const failed = error ?? (stats.hasErrors() || stats.hasWarnings());
  if (failed) console.error(error ?? stats.toString());
  compiler.close(() => {
    process.exitCode = failed ? 1 : 0;
  });
});
