// The same weights in every encoding that the model takes, made by Python's `gguf` once and kept with the tools.
import { existsSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import path from "node:path";
import { findProgram, inRoot, toolsFolder } from "../../scripts/paths.mjs";
import { must, StepFailure, step } from "../../scripts/steps.mjs";

const folder = path.join(toolsFolder, "models");
const home = path.join(toolsFolder, "gguf");
const python = path.join(home, "bin", "python");

/** As GGUF names them; Q4_1 is how the file comes. */
export const encodings = ["Q4_0", "Q8_0", "Q4_K", "Q5_K", "Q6_K", "F16", "BF16", "F32"];

const ensurePython = () =>
  step({
    title: "Python's gguf",
    why: "installing what benches/model/requirements.txt names",
    done: async () => existsSync(python) && "here",
    run: async () => {
      const found = findProgram(["python3", "python"]);
      if (!found) throw new StepFailure("No Python is in PATH: install Python 3.9 or later.");
      await must(found, ["-m", "venv", home], { limitSeconds: 120 }, "Python could not make an environment");
      const args = ["-m", "pip", "install", "--quiet", "-r", inRoot("benches/model/requirements.txt")];
      await must(python, args, { limitSeconds: 900 }, "pip could not install gguf");
    },
  });

const ensureFile = (encoding, from, to) =>
  step({
    title: `SmolLM2-135M-Instruct, ${encoding}`,
    why: "encoding the weights anew",
    done: async () => existsSync(to) && "there",
    run: async () => {
      await mkdir(folder, { recursive: true });
      const args = [inRoot("benches/model/encode.py"), from, encoding, `${to}.part`];
      await must(python, args, { limitSeconds: 900 }, `The weights could not be encoded as ${encoding}`);
      await rename(`${to}.part`, to);
    },
  });

/** Makes what is missing; the files by name. */
export async function ensureEncodings(from) {
  const files = {};
  await ensurePython();
  for (const encoding of encodings) {
    files[encoding] = path.join(folder, `SmolLM2-135M-Instruct.${encoding}.gguf`);
    await ensureFile(encoding, from, files[encoding]);
  }
  return files;
}
