// The suites of the tokenizer that need other tokenizers or their data, as data.
import process from "node:process";
import { script } from "./suite-commands.mjs";

export const tokenizerSuites = [
  {
    name: "tokenizers against others",
    why: "pieces and ids of generated texts and of every character, as Hugging Face's tokenizers, tiktoken and gpt-tokenizer give them",
    level: "long",
    uses: ["benches/tokenizers", "tests/common/texts.rs"],
    limitMinutes: 60,
    command: [process.execPath, "benches/tokenizers/parity.mjs"],
  },
  {
    name: "unicode tables",
    why: "the tokenizer's tables are what their script writes",
    level: "long",
    uses: ["src/tokenizer/tables.rs", "src/tokenizer/nfc"],
    command: script("unicode-tables", "--check"),
  },
];
