// The tests that need SmolLM2-135M-Instruct: fetches it, then runs them, and the example with it.
import { ensureSmollm2, smollm2File } from "./fetch-smollm2.mjs";
import { isMain } from "./paths.mjs";
import { must, runMain } from "./steps.mjs";
import { testExample } from "./test-example.mjs";

const test = ["test", "--locked", "--release", "--features", "serde,model", "--test", "smollm2"];

if (isMain(import.meta.url))
  await runMain(async () => {
    await ensureSmollm2();
    const args = [...test, "--", "--ignored", "--nocapture", "--test-threads", "1"];
    const sentence = "The model differs from its reference: read what the tests say above";
    const { stdout } = await must("cargo", args, { limitSeconds: 1800 }, sentence);
    console.log(stdout);
    await testExample(smollm2File);
  });
