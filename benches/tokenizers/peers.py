"""What Python's tokenizers answer. Lists are as in src/lib.rs; RULE is one of ours by name.

pieces RULE TEXTS OUT         where Hugging Face's pre-tokenizers cut
ids TOKENIZER TEXTS OUT       of Hugging Face's tokenizers, from a tokenizer.json or the keys of a GGUF file
tiktoken RULE RANKS TEXTS OUT of tiktoken, from a .tiktoken file
speed TOKENIZER TEXTS SECONDS
tiktoken-speed RULE RANKS TEXTS SECONDS
gguf FILE OUT                 the keys of a GGUF file's vocabulary as JSON
"""

import json
import struct
import sys
import time
from array import array

CASELESS = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
LLAMA3 = CASELESS + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
CASED = r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]"
UNCASED = r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
EXPRESSIONS = {
    "gpt-2": r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
    "llama-bpe": LLAMA3,
    "qwen2": LLAMA3.replace("{1,3}", ""),
    "gpt-4o": f"{CASED}*{UNCASED}+{CASELESS}?|{CASED}+{UNCASED}*{CASELESS}?"
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    # Oniguruma has $ before a last line break as well, fancy-regex and JavaScript at the very end only.
    "cl100k": r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++\z|\s*[\r\n]|\s+(?!\S)|\s",
}


def pre_tokenizer(rule):
    from tokenizers import Regex, pre_tokenizers

    if rule == "smollm":
        digits = pre_tokenizers.Digits(individual_digits=True)
        split = pre_tokenizers.Split(Regex(EXPRESSIONS["gpt-2"]), "isolated")
        return pre_tokenizers.Sequence([digits, split])
    return pre_tokenizers.Split(Regex(EXPRESSIONS[rule]), "isolated")


def texts(path):
    with open(path, "rb") as file:
        data = file.read()
    at, found = 0, []
    while at < len(data):
        (length,) = struct.unpack_from("<I", data, at)
        found.append(data[at + 4 : at + 4 + length].decode())
        at += 4 + length
    return found


def write(path, lists):
    numbers = array("I")
    for ids in lists:
        numbers.append(len(ids))
        numbers.extend(ids)
    with open(path, "wb") as file:
        numbers.tofile(file)


def pieces(rule, path, out):
    split = pre_tokenizer(rule)
    write(out, ([len(piece.encode()) for piece, _ in split.pre_tokenize_str(text)] for text in texts(path)))


def load(path):
    """A tokenizer.json, or the keys of a GGUF vocabulary. Texts are text: what looks like a special token is none."""
    from tokenizers import Tokenizer, models, pre_tokenizers

    with open(path, encoding="utf-8") as file:
        keys = json.load(file)
    if "model" in keys:
        # Those added are found in every text, but for the special ones among them if told so.
        return Tokenizer.from_str(json.dumps({**keys, "added_tokens": [], "post_processor": None}))
    tokens = keys["tokenizer.ggml.tokens"]
    merges = [tuple(merge.split(" ")) for merge in keys["tokenizer.ggml.merges"]]
    tokenizer = Tokenizer(models.BPE(vocab={text: id for id, text in enumerate(tokens)}, merges=merges))
    byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    digits = pre_tokenizers.Digits(individual_digits=True)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([digits, byte_level])
    return tokenizer


def ids(path, list_path, out):
    tokenizer = load(path)
    found, every = [], texts(list_path)
    for start in range(0, len(every), 1000):
        batch = every[start : start + 1000]
        found += [encoding.ids for encoding in tokenizer.encode_batch(batch, add_special_tokens=False)]
    write(out, found)


def load_tiktoken(rule, path):
    import base64

    import tiktoken

    with open(path, "rb") as file:
        lines = [line.split() for line in file if line.strip()]
    ranks = {base64.b64decode(token): int(rank) for token, rank in lines}
    # Its expressions are in fancy-regex's own words.
    expression = EXPRESSIONS[rule].replace(r"\z", "$")
    return tiktoken.Encoding(rule, pat_str=expression, mergeable_ranks=ranks, special_tokens={})


def tiktoken_ids(rule, path, list_path, out):
    encoding = load_tiktoken(rule, path)
    write(out, (encoding.encode_ordinary(text) for text in texts(list_path)))


def measure(encode, list_path, seconds):
    """The fastest of all rounds, on one thread."""
    every = texts(list_path)
    n_bytes = sum(len(text.encode()) for text in every)
    best, began = float("inf"), time.perf_counter()
    while time.perf_counter() - began < float(seconds):
        start = time.perf_counter()
        n_ids = sum(len(encode(text)) for text in every)
        best = min(best, time.perf_counter() - start)
    print(json.dumps({"megabytesASecond": n_bytes / 1e6 / best, "ids": n_ids}))


def speed(path, list_path, seconds):
    tokenizer = load(path)
    measure(lambda text: tokenizer.encode(text, add_special_tokens=False), list_path, seconds)


def tiktoken_speed(rule, path, list_path, seconds):
    measure(load_tiktoken(rule, path).encode_ordinary, list_path, seconds)


def chat(source, messages, next):
    """A conversation by a template, in Jinja as model files mean it."""
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
    without = {"enable_thinking": False} if next == "without_thinking" else {}
    return environment.from_string(source).render(
        messages=messages,
        add_generation_prompt=next != "nothing",
        bos_token="<|begin_of_text|>",
        **without,
    )


def gguf(path, out):
    from gguf import GGUFReader

    fields = GGUFReader(path).fields.items()
    keys = {name: field.contents() for name, field in fields if name.startswith("tokenizer.")}
    with open(out, "w", encoding="utf-8") as file:
        json.dump(keys, file, ensure_ascii=False)


COMMANDS = {
    "pieces": pieces,
    "ids": ids,
    "tiktoken": tiktoken_ids,
    "speed": speed,
    "tiktoken-speed": tiktoken_speed,
    "gguf": gguf,
}

if __name__ == "__main__":
    COMMANDS[sys.argv[1]](*sys.argv[2:])
