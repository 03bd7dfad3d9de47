"""The contract in NumPy: confirms every kept set and every token of same.json without any code of the crate.

Written from the contract's rules and docs/exp.md alone, one rule after the other; slow and plain. NumPy's float32
arithmetic is IEEE 754, masses are Python's integers, shares are fractions, words come from ChaCha8 as it is defined.

    python tests/golden/reference.py

Prints one line of JSON: how many tokens were compared, and how many cases differ.
"""

import json
import math
import struct
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent
F32, F64, U32 = np.float32, np.float64, np.uint32
DEFAULT_ORDER = [
    "guidance", "logit_bias", "allowed_tokens", "bad_words", "min_new_tokens", "repetition_penalty", "frequency_penalty",
    "presence_penalty", "no_repeat_ngram", "dry", "temperature", "top_k", "top_p", "min_p", "xtc",
]
TEXTBOOK_ORDER = ["temperature", "top_k", "top_p", "repetition_penalty"]
TERMINAL = ["mirostat", "adaptive_p", "greedy", "draw"]


class Failure(Exception):
    """A call that the contract answers with an error; the argument is its code."""


# Rows, masks and digests: the integer rules in README.md.


def spread(x):
    x = (x ^ (x >> U32(16))) * U32(0x85EBCA6B)
    x = (x ^ (x >> U32(13))) * U32(0xC2B2AE35)
    return x ^ (x >> U32(16))


def mix(seed, i):
    return spread(spread(np.asarray(i, U32) ^ U32(0x9E3779B9)) + np.asarray(seed, U32))


def logits_of(row):
    made = row.get("synthetic")
    if made is None:
        return np.fromfile(FOLDER / "rows" / f"{row['name']}.f32", "<f4")
    i = np.arange(row["n"], dtype=U32)
    a, b, c = (mix(made["seed"], U32(3) * i + U32(k)) for k in range(3))
    low = U32(0xFFFF)
    halves = (a & low) + (a >> U32(16)) + (b & low) + (b >> U32(16))
    # frexp's exponent is the number of bits of an integer.
    leading_zeros = 32 - np.frexp(c.astype(F64))[1].astype(np.int64)
    v = made["spread"] * (halves.astype(np.int64) - 131070) + made["boost"] * leading_zeros
    v -= v % max(made["step"], 1)
    if made["limit"]:
        v = np.clip(v, -made["limit"], made["limit"])
    logits = (v / 2 ** made["shift"]).astype(F32)
    if made["dead"]:
        logits[c % U32(made["dead"]) == 0] = -np.inf
    return logits


def allowed_by(mask, n):
    seed, keep = mask
    return (mix(seed, np.arange(n, dtype=U32)) & U32(15)) < keep


def digest(words):
    return int(np.sum(mix(words, np.arange(len(words), dtype=U32)), dtype=np.uint64)) % 2**32


# Stream: ChaCha8, key = the seed, stream number = the row's stream, word n = the n-th 64 bits (rule 10).


def chacha8_block(seed, counter, stream):
    start = list(struct.unpack("<16I", b"expand 32-byte k" + struct.pack("<Q24xQQ", seed, counter, stream)))
    x = start[:]

    def quarter(a, b, c, d):
        for turn_d, turn_b in ((16, 12), (8, 7)):
            x[a] = (x[a] + x[b]) % 2**32
            x[d] ^= x[a]
            x[d] = (x[d] << turn_d | x[d] >> 32 - turn_d) % 2**32
            x[c] = (x[c] + x[d]) % 2**32
            x[b] ^= x[c]
            x[b] = (x[b] << turn_b | x[b] >> 32 - turn_b) % 2**32

    for _ in range(4):
        for i in range(4):
            quarter(i, 4 + i, 8 + i, 12 + i)
        for i in range(4):
            quarter(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4)
    return [(end + begin) % 2**32 for end, begin in zip(x, start)]


def word(seed, stream, position):
    block = chacha8_block(seed, position // 8, stream)
    low, high = block[position % 8 * 2 : position % 8 * 2 + 2]
    return low | high << 32


# Weights (rules 4 and 5, docs/exp.md).


def exponential(x):
    t = x * F32(1.4426950408889634) + F32(12582912)
    n = t - F32(12582912)
    f = (x - n * F32(0.693359375)) - n * F32(-2.12194440e-4)
    g = f * f
    c2, c3, c4, c5, c6 = np.array([0x3EFFFFFE, 0x3E2AAA49, 0x3D2AAC79, 0x3C091D10, 0x3AB511E8], U32).view(F32)
    p = (((c6 * g + (c5 * f + c4)) * g + (c3 * f + c2)) * g + f) + F32(1)
    return (p.view(U32) + (t.view(U32) << U32(23))).view(F32)


def weights(logits, factor):
    """Weights of tokens alive, highest logit first or not."""
    high = F32(factor)
    low = F32(factor - F64(high))
    top = logits.max()
    d = logits - top
    # Far below, products overflow to -infinity or are no number; there x is -64.
    with np.errstate(over="ignore", invalid="ignore"):
        y = d * high
        x = np.where(y >= F32(-64), y + d * low, F32(-64))
    x[logits == top] = 0
    return np.rint(exponential(x).astype(F64) * 2.0**44).astype(np.uint64)


def ceil_share(share, mass):
    return math.ceil(Fraction(share) * mass)


# The chain.


class Alive:
    """The tokens alive by ascending id, and the temperature factor."""

    def __init__(self, logits):
        if len(logits) > 524288:
            raise Failure("too_large")
        if np.any(np.isnan(logits) | (logits == np.inf)):
            raise Failure("not_finite")
        self.n_vocab = len(logits)
        self.ids = np.flatnonzero(logits > -np.inf)
        self.logits = logits[self.ids] + F32(0)
        self.factor = F64(1)
        self.decided = False
        # The first truncating stage's weights, by id: what kept mass is a share of.
        self.entered = None
        self.check()

    def check(self):
        if len(self.ids) == 0:
            raise Failure("nothing_left")

    def keep(self, chosen):
        """chosen: a mask over the tokens alive, or places."""
        self.ids, self.logits = self.ids[chosen], self.logits[chosen]

    def ranked(self):
        return np.lexsort((self.ids, -self.logits))

    def weights(self):
        return weights(self.logits, self.factor)

    def mask(self, allowed):
        self.keep(allowed[self.ids])
        self.check()

    def truncate(self, count, min_keep):
        """Keeps a prefix by rank; count(ranked weights) says how many."""
        w = self.enter()
        order = self.ranked()
        n = max(count(w[order]), min_keep)
        self.keep(np.sort(order[:n]))

    def enter(self):
        """Takes the weights, and remembers the first truncating stage's."""
        w = self.weights()
        if self.entered is None:
            self.entered = (self.ids, w)
        return w

    def decide(self):
        """Temperature 0 truncates to one, whatever min_keep is."""
        self.truncate(lambda w: 1, 1)
        self.decided = True

    def write(self, ids, change):
        """Writes the factor into every logit, then change(logit, id) into those of ids."""
        if self.decided:
            return
        with np.errstate(over="ignore"):
            self.logits = (self.logits.astype(F64) * self.factor).astype(F32) + F32(0)
            self.factor = F64(1)
            self.finite()
            for place in np.flatnonzero(np.isin(self.ids, list(ids))):
                self.logits[place] = F32(change(F64(self.logits[place]), int(self.ids[place]))) + F32(0)
        self.finite()

    def finite(self):
        if not np.all(np.isfinite(self.logits)):
            raise Failure("not_finite")


class Row:
    """One row of a sampler: its options, what was accepted, its stream and its position."""

    def __init__(self, options, prompt=(), output=(), stream=0, position=0):
        self.options, self.prompt, self.output = options, list(prompt), list(output)
        self.stream, self.position = stream, position

    def order(self):
        textbook = self.options.get("preset") == "textbook"
        order = self.options.get("order", TEXTBOOK_ORDER if textbook else DEFAULT_ORDER)
        return order if order[-1:] and order[-1] in TERMINAL else order + ["mirostat", "adaptive_p"]

    def run(self, logits, mask=None, second=None):
        alive = Alive(logits)
        self.second = second
        if any(token >= len(logits) for token in self.prompt + self.output):
            raise Failure("bad_token")
        if mask is not None:
            alive.mask(mask)
        for stage in self.order():
            getattr(self, f"stage_{stage}")(alive)
        return alive

    def draw(self, alive):
        reads_word = not alive.decided
        token = alive.ids[0]
        if reads_word:
            w = alive.weights()
            ends = np.cumsum(w, dtype=np.uint64)
            target = word(int(self.options["seed"]), self.stream, self.position) * int(ends[-1]) >> 64
            token = alive.ids[np.searchsorted(ends, np.uint64(target), side="right")]
        self.position += 1
        return int(token)

    # Stages, each by its name (rules 3, 8, 14, 16, 17, 18).

    def stage_logit_bias(self, alive):
        bias = {token: float(b) for token, b in self.options.get("logitBias", [])}
        if any(token >= alive.n_vocab for token in bias):
            raise Failure("bad_token")
        added = {token: b for token, b in bias.items() if b > -math.inf}
        if added:
            alive.write(added, lambda l, token: l + F64(added[token]))
        if len(added) < len(bias):
            banned = [token for token in bias if token not in added]
            alive.keep(~np.isin(alive.ids, banned))
            alive.check()

    def stage_allowed_tokens(self, alive):
        allowed = self.options.get("allowedTokens")
        if allowed is None:
            return
        if max(allowed) >= alive.n_vocab:
            raise Failure("bad_token")
        alive.keep(np.isin(alive.ids, allowed))
        alive.check()

    def stage_guidance(self, alive):
        scale = F64(self.options.get("guidance", {}).get("scale", 1))
        if scale == 1:
            return
        ids, u_row = alive.ids, self.second
        alive.write([], None)
        if alive.decided:
            return

        def log_sum(row):
            return F64(math.log(int(np.sum(weights(row, F64(1)), dtype=np.uint64))) - 44 * math.log(2))

        c = (alive.logits.astype(F64) - F64(alive.logits.max())) - log_sum(alive.logits)
        finite = u_row[u_row > -np.inf]
        top, total = (F64(finite.max()), log_sum(finite)) if len(finite) else (F64(0), F64(0))
        u = (u_row[ids].astype(F64) - top) - total
        with np.errstate(invalid="ignore"):
            moved = np.where(u_row[ids] == -np.inf, c, u + scale * (c - u))
        places = {int(token): place for place, token in enumerate(ids)}
        alive.write(places, lambda _, token: moved[places[token]])

    def ban(self, alive, tokens):
        alive.keep(~np.isin(alive.ids, list(tokens)))
        alive.check()

    def stage_bad_words(self, alive):
        words = self.options.get("badWords", [])
        if any(token >= alive.n_vocab for word in words for token in word):
            raise Failure("bad_token")
        text = self.prompt + self.output
        self.ban(alive, [w[-1] for w in words if len(w) == 1 or text[1 - len(w) :] == w[:-1]])

    def stage_min_new_tokens(self, alive):
        n, ends = self.options.get("minNewTokens", 0), self.options.get("eosTokenIds", [])
        if n > 0 and any(token >= alive.n_vocab for token in ends):
            raise Failure("bad_token")
        if len(self.output) < n:
            self.ban(alive, ends)

    def stage_no_repeat_ngram(self, alive):
        n, text = self.options.get("noRepeatNgramSize", 0), self.prompt + self.output
        if n == 0:
            return
        grams = [text[i : i + n] for i in range(len(text) - n + 1)]
        self.ban(alive, [gram[-1] for gram in grams if n == 1 or gram[:-1] == text[1 - n :]])

    def stage_dry(self, alive):
        dry = self.options.get("dry", {})
        multiplier, last = F64(dry.get("multiplier", 0)), dry.get("lastN", 2**32 - 1)
        if multiplier == 0 or last == 0:
            return
        text = self.prompt + self.output
        text = text[max(len(text) - last, 0) :]
        base, allowed = F64(dry.get("base", 1.75)), dry.get("allowedLength", 2)
        breakers = dry.get("breakers", [])
        ended = [end for b in breakers for end in range(len(b), len(text) + 1) if text[end - len(b) : end] == b]
        limit = len(text) - max(ended, default=0)
        longest = {}
        for place in range(1, len(text)):
            same = 0
            while same < min(place, limit) and text[place - 1 - same] == text[-1 - same]:
                same += 1
            longest[text[place]] = max(same, longest.get(text[place], 0))
        longest = {t: n for t, n in longest.items() if n >= max(allowed, 1) and [t] not in breakers}

        def penalty(length):
            power, square, left = F64(1), base, length - allowed
            with np.errstate(over="ignore"):
                while left > 0:
                    power = power * square if left & 1 else power
                    square, left = square * square, left >> 1
                return multiplier * min(power, F64(np.finfo(F32).max))

        lowest = F64(np.finfo(F32).min)
        alive.write(longest, lambda l, token: max(l - penalty(longest[token]), lowest))

    def stage_xtc(self, alive):
        xtc = self.options.get("xtc", {})
        probability = Fraction(xtc.get("probability", 0))
        if probability == 0:
            return
        w = alive.enter()
        coin = word(int(self.options["seed"]), self.stream + 2**48, self.position)
        if coin >= math.ceil(probability * 2**64):
            return
        least = ceil_share(xtc.get("threshold", 0.1), int(np.sum(w, dtype=np.uint64)))
        order = alive.ranked()
        protected = np.isin(alive.ids, xtc.get("protectedTokens", []))
        top = order[((w >= np.uint64(least)) & ~protected)[order]][:-1]
        if len(alive.ids) - len(top) >= self.min_keep():
            stays = np.ones(len(alive.ids), bool)
            stays[top] = False
            alive.keep(stays)

    def window(self):
        """The tokens of the penalties' window: all of them, and the output alone."""
        last = self.options.get("penaltyLastN", 2**32 - 1)
        text = [(token, False) for token in self.prompt] + [(token, True) for token in self.output]
        text = text[max(len(text) - last, 0) :]
        return [token for token, _ in text], [token for token, output in text if output]

    def penalty(self, alive, value, off, seen, change):
        if value != off and self.options.get("penaltyLastN") != 0:
            alive.write(set(seen), change)

    def stage_repetition_penalty(self, alive):
        r = F64(self.options.get("repetitionPenalty", 1))
        self.penalty(alive, r, 1, self.window()[0], lambda l, _: l / r if l > 0 else l * r)

    def stage_frequency_penalty(self, alive):
        f, seen = F64(self.options.get("frequencyPenalty", 0)), self.window()[1]
        self.penalty(alive, f, 0, seen, lambda l, token: l - F64(seen.count(token)) * f)

    def stage_presence_penalty(self, alive):
        q = F64(self.options.get("presencePenalty", 0))
        self.penalty(alive, q, 0, self.window()[1], lambda l, _: l - q)

    def stage_temperature(self, alive):
        t = F64(self.options.get("temperature", 1))
        if t == 0:
            alive.decide()
        elif t != 1:
            with np.errstate(over="ignore"):
                alive.factor = np.clip(alive.factor * (F64(1) / t), F64(1e-30), F64(3e38))

    def min_keep(self):
        return self.options.get("minKeep", 1)

    def stage_top_k(self, alive):
        k = self.options.get("topK", 0)
        if k > 0:
            alive.truncate(lambda w: k, self.min_keep())

    def stage_top_p(self, alive):
        p = self.options.get("topP", 1)
        if p == 1:
            return

        def reach(w):
            sums = np.cumsum(w, dtype=np.uint64)
            target = ceil_share(p, int(sums[-1]))
            return int(np.searchsorted(sums, np.uint64(target), side="left")) + 1 if target > 0 else 0

        alive.truncate(reach, self.min_keep())

    def stage_min_p(self, alive):
        m = self.options.get("minP", 0)
        if m > 0:
            alive.truncate(lambda w: int(np.count_nonzero(w >= np.uint64(ceil_share(m, 2**44)))), self.min_keep())

    # Terminal stages (rules 14 and 19), their controllers where they start.

    def stage_mirostat(self, alive):
        given = {"version": 0, "tau": 5.0, **self.options.get("mirostat", {})}
        mu, version = 2 * F64(given["tau"]), given["version"]
        if version == 2:
            surprise = lambda w: -np.log2(np.maximum(w, 1).astype(F64) / F64(int(np.sum(w, dtype=np.uint64))))
            alive.truncate(lambda w: int(np.count_nonzero((surprise(w) <= mu) & (w > 0))), self.min_keep())
        elif version == 1:
            k = zipf_count(np.sort(alive.logits.astype(F64))[::-1] * alive.factor, mu)
            alive.truncate(lambda w: k, self.min_keep())

    def stage_adaptive_p(self, alive):
        target = F64(self.options.get("adaptiveP", {}).get("target", 0))
        if target == 0 or alive.decided:
            return
        alive.write([], None)
        w = alive.weights()
        d = np.abs(w.astype(F64) / F64(int(np.sum(w, dtype=np.uint64))) - target) / F64(0.3)
        alive.logits = (F64(5) - F64(10) * (d * d) / (F64(1) + d)).astype(F32)

    def stage_greedy(self, alive):
        alive.decide()

    def stage_draw(self, alive):
        """Listed or not, the draw is the caller's."""


def zipf_count(ranked, mu):
    """How many tokens mirostat 1 keeps, of logits (times the factor) from the highest on."""
    n = len(ranked)
    if n == 1:
        return 1
    t = np.log(np.arange(2, min(n, 100) + 1) / np.arange(1, min(n, 100)))
    s = float(np.sum(t * -np.diff(ranked[:100])) / np.sum(t * t))
    y = (s - 1) * math.log(n)
    h = math.log(n) * (1 - y / 2 if abs(y) < 1e-5 else -math.expm1(-y) / y)
    log_k = mu * math.log(2) - math.log(h)
    if log_k >= s * math.log(n):
        return n
    return max(1, int(math.exp(log_k / s))) if s > 0 else 1


# What the file says of what is kept.


def halves(numbers):
    return np.asarray(numbers, "<f8").view("<u4")


def described(alive):
    """Kept count, kept mass, entropy (not to the last bit), digest."""
    order, w = alive.ranked(), alive.weights()
    mass = int(np.sum(w, dtype=np.uint64))
    ranked = w[order]
    probs = ranked.astype(F64) / F64(mass)
    cumulative = np.cumsum(ranked, dtype=np.uint64).astype(F64) / F64(mass)
    limit = F64(np.finfo(F32).max)
    scaled = np.clip(alive.logits[order].astype(F64) * alive.factor, -limit, limit).astype(F32) + F32(0)
    words = [alive.ids[order].astype(U32), scaled.view(U32), halves(probs), halves(cumulative)]
    kept_mass = F64(1)
    if alive.entered is not None:
        ids, entering = alive.entered
        left = int(np.sum(entering[np.isin(ids, alive.ids)], dtype=np.uint64))
        kept_mass = F64(left) / F64(int(np.sum(entering, dtype=np.uint64)))
    # Log probabilities come from the logits, not from the rounded weights (rule 5).
    d = alive.logits[order].astype(F64) - F64(alive.logits.max())
    log_probs = d * alive.factor - (math.log(mass) - 44 * math.log(2))
    entropy = float(-np.sum((probs * log_probs)[probs > 0]))
    return len(alive.ids), kept_mass, entropy, digest(np.concatenate(words))


def hexadecimal(x):
    return struct.pack(">d", x).hex()


def number(text):
    return struct.unpack(">d", bytes.fromhex(text))[0]


def case_differs(golden, case, logits):
    row, chain = golden["rows"][case[0]], golden["chains"][case[1]]
    options, uses = dict(chain["options"], seed=case[2]), chain["uses"]
    if "bias" in uses:
        options["logitBias"] = row["bias"]
    if "allowed" in uses:
        options["allowedTokens"] = row["allowed"]
    if "words" in uses:
        (a0, a1, a2, a3, a4), (o2, o1) = row["allowed"][:5], row["output"][-2:]
        options["badWords"] = [[a0], [o1, a1], [o2, o1, a2], [a3, a4]]
    if "ends" in uses:
        options["eosTokenIds"] = row["allowed"][5:7]
    history = (row["prompt"], row["output"]) if "history" in uses else ((), ())
    sampler = Row(options, *history, stream=case[3] or 0, position=case[4])
    try:
        allowed = allowed_by(row["mask"], row["n"]) if "mask" in uses else None
        second = np.roll(logits, -1) if "second" in uses else None
        alive = sampler.run(logits, allowed, second)
    except Failure as failure:
        return [case[5], len(case)] != [failure.args[0], 6]
    if len(case) != 10:
        return True
    count, kept_mass, entropy, found_digest = described(alive)
    tokens = []
    for _ in case[9]:
        # The coin of each position: the chain is run anew where there is one.
        drawn = sampler.run(logits, allowed, second) if 0 < options.get("xtc", {}).get("probability", 0) < 1 else alive
        tokens.append(sampler.draw(drawn))
    exact = [count, hexadecimal(kept_mass), found_digest, tokens] == [case[5], case[6], case[8], case[9]]
    return not (exact and abs(entropy - number(case[7])) <= 1e-12 * (1 + entropy))


def batch_differs(golden, batch, logits):
    rows, differs = {}, False
    given = dict(enumerate([{}] + batch["added"]))
    for call in batch["calls"]:
        ids = range(call["rows"]) if isinstance(call["rows"], int) else call["rows"]
        masks = call.get("masks") or [None] * len(ids)
        for i, mask, expected in zip(ids, masks, call["tokens"]):
            own = given.get(i, {})
            if i not in rows:
                stream = own.get("stream", 0 if "seed" in own else i)
                rows[i] = Row({**batch["options"], **own}, stream=stream)
            row = logits[batch["rows"][i % len(batch["rows"])]]
            try:
                alive = rows[i].run(row, None if mask is None else allowed_by(mask, len(row)))
                token = rows[i].draw(alive)
            except Failure:
                token = 2**32 - 1
            differs |= token != expected
    return differs


def main():
    golden = json.loads((FOLDER / "same.json").read_text())
    logits = [logits_of(row) for row in golden["rows"]]
    draws, differing = 0, []
    for case in golden["cases"]:
        draws += len(case[9]) if len(case) == 10 else 0
        if case_differs(golden, case, logits[case[0]]):
            differing.append(json.dumps([golden["rows"][case[0]]["name"], golden["chains"][case[1]], case]))
    for batch in golden["batches"]:
        draws += sum(len(call["tokens"]) for call in batch["calls"])
        if batch_differs(golden, batch, logits):
            differing.append(json.dumps(batch))
    print(json.dumps({"draws": draws, "differing": len(differing), "first": differing[:3]}))
    sys.exit(1 if differing else 0)


main()
