// The suites of models.
import { script } from "./suite-commands.mjs";

export const modelSuites = [
  {
    name: "tiny model",
    why: "its card, its golden texts and what was measured are those of the file",
    level: "test",
    uses: ["models/tiny.gguf", "docs/model.md"],
    needs: ["packages", "package"],
    command: script("tiny-model"),
  },
  {
    name: "example",
    why: "text from the tiny model, with kept counts, as the example's first lines say",
    level: "test",
    uses: ["examples/generate.mjs", "models/tiny.gguf"],
    needs: ["packages", "package"],
    command: script("test-example"),
  },
  {
    name: "SmolLM2 against its reference",
    why: "logits within 0.01 and the same greedy texts as transformers has with the same weights; the example on it",
    level: "long",
    uses: ["tests/smollm2.rs", "tests/golden/smollm2_reference.json", "examples/generate.mjs"],
    needs: ["packages", "package"],
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
