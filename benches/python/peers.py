"""NumPy, and Hugging Face's processors on torch: what is installed, against the two-pass limit in the same process.

Arguments: a list of rows (lines of shape, name, number of logits and file, with tabs between), rounds, milliseconds to run
in, milliseconds of a group, and last the limit as a shared library. Records are printed one JSON object a line.
"""

import ctypes
import json
import sys
import time

TEMPERATURE, TOP_K, TOP_P, MIN_P = 0.8, 40, 0.95, 0.05
CHAINS = {
    "top-p": {"top_p": TOP_P},
    "top-k + top-p": {"top_k": TOP_K, "top_p": TOP_P},
    "top-p + min-p": {"top_p": TOP_P, "min_p": MIN_P},
}
DRAWN = 30
# A call that takes longer than this takes part in each fourth round only.
SLOW_SECONDS = 0.005


def numpy_sampler(np):
    generator = np.random.default_rng(42)

    def sample(row, top_p, top_k=None, min_p=0.0):
        scaled = (row - row.max()) / np.float32(TEMPERATURE)
        if top_k is None:
            order = np.argsort(-scaled)
        else:
            best = np.argpartition(-scaled, top_k)[:top_k]
            order = best[np.argsort(-scaled[best])]
        weights = np.exp(scaled[order])
        mass = np.cumsum(weights, dtype=np.float64)
        count = int(np.searchsorted(mass, top_p * mass[-1])) + 1
        if min_p > 0:
            count = min(count, int(np.count_nonzero(weights >= min_p * weights[0])))
        rank = np.searchsorted(mass[:count], generator.random() * mass[count - 1], side="right")
        return int(order[min(rank, count - 1)])

    return {chain: lambda row, with_=settings: sample(row, **with_) for chain, settings in CHAINS.items()}


def torch_sampler(torch, transformers):
    torch.set_num_threads(1)
    torch.manual_seed(42)
    made = {
        "top_k": transformers.TopKLogitsWarper,
        "top_p": transformers.TopPLogitsWarper,
        "min_p": transformers.MinPLogitsWarper,
    }

    def sampler(settings):
        order = [name for name in made if name in settings]
        processors = transformers.LogitsProcessorList(
            [transformers.TemperatureLogitsWarper(TEMPERATURE)] + [made[name](settings[name]) for name in order]
        )

        def sample(row):
            scores = processors(None, torch.from_numpy(row)[None, :])
            return int(torch.multinomial(torch.softmax(scores, dim=-1), 1))

        return sample

    return {chain: sampler(settings) for chain, settings in CHAINS.items()}


def load():
    """The samplers that are installed, their versions, and who is missing and why."""
    import numpy as np

    peers, versions, missing = {"NumPy": numpy_sampler(np)}, {"NumPy": np.__version__}, []
    who = "Hugging Face processors on torch, 1 thread"
    try:
        import torch
        import transformers

        peers[who] = torch_sampler(torch, transformers)
        versions.update({"torch": torch.__version__, "transformers": transformers.__version__})
    except ImportError as error:
        missing.append({"who": who, "why": f"not installed: {error}"})
    return np, peers, versions, missing


def read_rows(np, path):
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            shape, name, n, file = line.rstrip("\n").split("\t")
            row = np.fromfile(file, dtype="<f4")
            assert len(row) == int(n), f"{file} has {len(row)} logits and not {n}"
            yield shape, name, row


def timed(call, count):
    began = time.perf_counter()
    for _ in range(count):
        call()
    return (time.perf_counter() - began) / count


def warmed(call, warm, group):
    """How many calls make a group, and how long one takes."""
    end, took = time.perf_counter() + warm, timed(call, 1)
    while time.perf_counter() < end:
        took = timed(call, 1)
    return max(1, round(group / took)), took


def median(values):
    return sorted(values)[len(values) // 2]


def measure(limit, tasks, rounds, warm, group):
    """Milliseconds, multiple of the limit and rounds of each task; the limit is measured before each."""
    limit_count, _ = warmed(limit, warm, group)
    plans = {name: (call, *warmed(call, warm, group)) for name, call in tasks.items()}
    seen = {name: [] for name in tasks}
    for i in range(rounds):
        for name, (call, count, took) in plans.items():
            if took > SLOW_SECONDS and i % 4 != 0:
                continue
            yardstick = timed(limit, limit_count)
            seconds = timed(call, count)
            seen[name].append((seconds, seconds / yardstick))
    for name, pairs in seen.items():
        yield name, median([s for s, _ in pairs]) * 1000, median([r for _, r in pairs]), len(pairs)


def limit_on(library, row):
    address = row.ctypes.data_as(ctypes.POINTER(ctypes.c_float))
    factor = ctypes.c_float(1 / TEMPERATURE)
    return lambda: library.two_passes_at(address, len(row), factor)


def main(rows, rounds, warm, group, *more):
    np, peers, versions, missing = load()
    library = ctypes.CDLL(more[-1])
    library.two_passes_at.argtypes = [ctypes.POINTER(ctypes.c_float), ctypes.c_size_t, ctypes.c_float]
    library.two_passes_at.restype = ctypes.c_float
    seconds = float(warm) / 1000, float(group) / 1000
    print(json.dumps({"versions": {"Python": sys.version.split()[0], **versions}, "missing": missing}))
    for shape, name, row in read_rows(np, rows):
        facts = {"shape": shape, "row": name, "n": len(row), "temperature": TEMPERATURE}
        tasks = {
            (who, chain): lambda call=call, row=row: call(row)
            for who, chains in peers.items()
            for chain, call in chains.items()
        }
        for (who, chain), ms, limits, done in measure(limit_on(library, row), tasks, int(rounds), *seconds):
            record = {"who": who, "chain": chain, **facts, "milliseconds": ms, "limits": limits, "rounds": done}
            print(json.dumps(record))
        for (who, chain), call in tasks.items():
            drawn = [call() for _ in range(DRAWN)]
            print(json.dumps({"who": who, "chain": chain, "row": name, "n": len(row), "drawn": drawn}))


if __name__ == "__main__":
    main(*sys.argv[1:])
