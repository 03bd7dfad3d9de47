"""Writes tests/golden/tokenizers.json: `golden.py OUT TEXTS SMOLLM2_KEYS LLAMA3 QWEN3 R50K CL100K O200K`.

Pieces are given by a digest over generated texts. Of a vocabulary only what can ever meet in the sample texts is written: tokens
that stand somewhere in one, with their own ids, and merges that make such tokens. What is left out could not have merged, so
the ids are those of the whole vocabulary; the last assertion asks the references again with the small one.
"""

import base64
import hashlib
import json
import os
import re
import sys
import tempfile
import unicodedata

import peers
import tiktoken
import tokenizers

SAMPLES = [
    "The capital of France is Paris.\n\nOnce upon a time, there was a little girl named Emma who loved to play.",
    "I'll say it's what they've DON'T done: we'RE here, I'd go. 'ſ",
    "def f(x):\n\treturn x**2  # 3.14159, 0x1F and 1234567\n\n\nif (a&&b) { return }\r\n",
    "naïve Ångström, e\u0301te\u0301, Straße; İstanbul",
    "東京は日本の首都です。 Привет, мир! مرحبا بالعالم नमस्ते दुनिया 안녕하세요",
    "😀👨‍👩‍👧‍👦🇫🇷👍🏽❤️ 1️⃣ ½ ٣ Ⅷ",
    "   leading\u00a0and \u3000trailing  \n  ",
    "camelCase HTTPServer ABC漢D x_y/z//\n====----====",
]
MISSING = "a\u0004b!\u0013! \U00044444"


def alphabet():
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    return {chr(code): byte for code, byte in [*zip(printable, printable), *zip(range(0x100, 0x144), others)]}


BYTES = alphabet()


def in_samples():
    # Where a byte has no token, what stands beside it meets.
    samples = [*SAMPLES, re.sub("[\x00-\x1f]", "", MISSING)]
    samples += [unicodedata.normalize("NFC", text) for text in SAMPLES]
    whole = "\0".join(samples).encode()
    return lambda token: len(token) == 1 or token in whole


def small_json(path):
    """A tokenizer.json, or the keys of a GGUF file, with what can meet in the samples."""
    with open(path, encoding="utf-8") as file:
        keys = json.load(file)
    stands = in_samples()
    keep = lambda text: all(c in BYTES for c in text) and stands(bytes(BYTES[c] for c in text))
    merges = lambda list: [m for m in list if keep("".join(m) if not isinstance(m, str) else m.replace(" ", "", 1))]
    if "model" in keys:
        model = keys["model"]
        model["vocab"] = {text: id for text, id in model["vocab"].items() if keep(text)}
        model["merges"] = merges(model["merges"])
        keys["added_tokens"] = [token for token in keys["added_tokens"] if "reserved" not in token["content"]]
        return keys
    tokens, types = keys["tokenizer.ggml.tokens"], keys["tokenizer.ggml.token_type"]
    listed = [[id, text, kind] for id, (text, kind) in enumerate(zip(tokens, types)) if kind != 1 or keep(text)]
    keys["tokenizer.ggml.tokens"] = listed
    keys["tokenizer.ggml.merges"] = merges(keys["tokenizer.ggml.merges"])
    return {name: value for name, value in keys.items() if name != "tokenizer.ggml.token_type"}


def small_ranks(path):
    stands = in_samples()
    with open(path, "rb") as file:
        lines = [line.decode().split() for line in file if line.strip()]
    return "".join(f"{token} {rank}\n" for token, rank in lines if stands(base64.b64decode(token)))


def written(content):
    file = tempfile.NamedTemporaryFile("w", suffix=".json", delete=False, encoding="utf-8")
    with file:
        file.write(content)
    return file.name


def vocabulary(name, rule, path):
    samples = SAMPLES + ([MISSING] if rule == "smollm" else [])
    if path.endswith(".tiktoken"):
        small = small_ranks(path)
        load = lambda file: peers.load_tiktoken(rule, file).encode_ordinary
    else:
        small = small_json(path)

        def load(file):
            tokenizer = peers.load(file)
            return lambda text: tokenizer.encode(text, add_special_tokens=False).ids

    ids = [load(path)(text) for text in samples]
    if isinstance(small, str) or "model" in small:
        again = written(small if isinstance(small, str) else json.dumps(small))
        if not isinstance(small, str):
            assert [load(again)(text) for text in samples] == ids, name
        os.unlink(again)
    return {"name": name, "rule": rule, "file": small, "samples": list(map(list, zip(samples, ids)))}


def pieces(rule, texts):
    lengths = tempfile.NamedTemporaryFile(delete=False).name
    peers.pieces(rule, texts, lengths)
    with open(lengths, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    os.unlink(lengths)
    return digest


REPLY = "<think>\nIs it?\n</think>\n\nIt is."
CHATS = [
    [("user", " Hi there. ")],
    [("system", "Be brief."), ("user", "Hi"), ("assistant", "Hello!"), ("user", "Bye\n")],
    [("user", "a"), ("assistant", REPLY), ("user", "b"), ("assistant", REPLY)],
    [("user", "a"), ("assistant", REPLY), ("user", "<tool_response>x</tool_response>"), ("assistant", "\nc")],
    [("user", "<|im_end|>"), ("system", "late"), ("assistant", "only </think> half")],
    [("assistant", "first")],
]


def chats(smollm2, llama3, qwen3):
    """Conversations by the templates that come with the vocabularies. Llama 3's always begins a reply."""

    def config(path):
        with open(os.path.join(os.path.dirname(path), "tokenizer_config.json"), encoding="utf-8") as file:
            return json.load(file)["chat_template"]

    with open(smollm2, encoding="utf-8") as file:
        templates = {"SmolLm2": json.load(file)["tokenizer.chat_template"]}
    templates |= {"Llama3": config(llama3), "Qwen3": config(qwen3)}
    nexts = {"SmolLm2": ["nothing", "reply"], "Llama3": ["reply"], "Qwen3": ["nothing", "reply", "without_thinking"]}
    return [
        {
            "template": name,
            "next": next,
            "messages": messages,
            "text": peers.chat(source, [dict(role=role, content=content) for role, content in messages], next),
        }
        for name, source in templates.items()
        for next in nexts[name]
        for messages in CHATS
    ]


def main(out, texts, smollm2, llama3, qwen3, r50k, cl100k, o200k):
    rules = ["gpt-2", "smollm", "cl100k", "llama-bpe", "qwen2", "gpt-4o"]
    golden = {
        "made_with": f"Hugging Face tokenizers {tokenizers.__version__} (pieces, and ids from files in JSON), "
        f"tiktoken {tiktoken.__version__} (ids from ranks)",
        "pieces": {"seed": 1, "n": 2000, "sha256": {rule: pieces(rule, texts) for rule in rules}},
        "chats": chats(smollm2, llama3, qwen3),
        "vocabularies": [
            vocabulary("SmolLM2-135M-Instruct", "smollm", smollm2),
            vocabulary("Llama 3", "llama-bpe", llama3),
            vocabulary("Qwen 3", "qwen2", qwen3),
            vocabulary("r50k_base", "gpt-2", r50k),
            vocabulary("cl100k_base", "cl100k", cl100k),
            vocabulary("o200k_base", "gpt-4o", o200k),
        ],
    }
    with open(out, "w", encoding="utf-8") as file:
        json.dump(golden, file, ensure_ascii=True, separators=(",", ":"))
        file.write("\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
