// The suites of models.
import { script } from "./suite-commands.mjs";

export const modelSuites = [
  {
    name: "SmolLM2 against its reference",
    why: "logits within 0.01 and the same greedy texts as transformers has with the same weights",
    level: "long",
    uses: ["tests/smollm2.rs", "tests/golden/smollm2_reference.json"],
    reader: "cargo",
    limitMinutes: 30,
    command: script("test-smollm2"),
  },
  {
    name: "text from SmolLM2",
    why: "the example that generates text, token by token, through the package",
    level: "long",
    uses: ["examples/generate.mjs", "tests/golden/generate-smollm2.txt"],
    needs: ["packages", "package"],
    limitMinutes: 20,
    command: script("test-generate"),
  },
];
