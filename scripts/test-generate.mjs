// The example that generates text, on SmolLM2-135M-Instruct: the same tokens and kept counts as always.
import { readFile, writeFile } from "node:fs/promises";
import process from "node:process";
import { ensureSmollm2, smollm2File } from "./fetch-smollm2.mjs";
import { inRoot, isMain } from "./paths.mjs";
import { must, runMain, StepFailure, say } from "./steps.mjs";

const golden = inRoot("tests/golden/generate-smollm2.txt");

if (isMain(import.meta.url))
  await runMain(async (args) => {
    await ensureSmollm2();
    const command = [inRoot("examples/generate.mjs"), smollm2File, "The capital of France is"];
    const sentence = "examples/generate.mjs failed on SmolLM2: read what it says above";
    const { stdout } = await must(process.execPath, command, { limitSeconds: 300 }, sentence);
    if (args.includes("--write")) await writeFile(golden, stdout);
    if (stdout !== (await readFile(golden, "utf8")))
      throw new StepFailure(
        `examples/generate.mjs writes another text than tests/golden/generate-smollm2.txt: ${JSON.stringify(stdout)}`,
      );
    say(`generate: ${stdout.match(/\[\d+\]/g)?.length ?? 0} tokens, as always`);
  });
