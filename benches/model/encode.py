"""The weights of a GGUF file encoded anew: encode.py FILE ENCODING OUT

Vectors stay F32. K-quants take 256 numbers of a row at a time: matrices whose rows are no multiple of that become Q8_0. The
K-quants here round to the nearest of evenly spaced values, without a search for better scales: what is measured with
such a file is speed.
"""

import sys

import numpy as np
from gguf import GGMLQuantizationType, GGUFReader, GGUFValueType, GGUFWriter
from gguf.quants import dequantize, quantize

BLOCK = 256


def six_bits(values):
    """Sixteen 6-bit numbers a row, eight scales and eight minima, in the twelve bytes that Q4_K and Q5_K keep them in."""
    scales, minima = values[:, :8], values[:, 8:]
    low = scales[:, :4] | (scales[:, 4:] >> 4 << 6)
    high = minima[:, :4] | (minima[:, 4:] >> 4 << 6)
    rest = (scales[:, 4:] & 15) | (minima[:, 4:] & 15) << 4
    return np.concatenate([low, high, rest], axis=1).astype(np.uint8)


def ranges(blocks, levels):
    """Eight ranges of 32 numbers a block: their numbers in [0, levels], and what they are scaled and shifted by."""
    parts = blocks.reshape(-1, 8, 32)
    lowest = np.minimum(parts.min(axis=2), 0)
    steps = (parts.max(axis=2) - lowest) / levels
    d = (steps.max(axis=1) / 63).astype(np.float16)
    dmin = (-lowest.min(axis=1) / 63).astype(np.float16)

    def sixths(values, unit):
        unit = unit.astype(np.float32)[:, None]
        return np.rint(np.divide(values, unit, out=np.zeros_like(values), where=unit > 0)).clip(0, 63)

    scales, minima = sixths(steps, d), sixths(-lowest, dmin)
    step = (d.astype(np.float32)[:, None] * scales)[:, :, None]
    shifted = parts + (dmin.astype(np.float32)[:, None] * minima)[:, :, None]
    numbers = np.rint(np.divide(shifted, step, out=np.zeros_like(shifted), where=step > 0)).clip(0, levels)
    packed = six_bits(np.concatenate([scales, minima], axis=1).astype(np.uint8))
    units = np.stack([d, dmin], axis=1).view(np.uint8).reshape(-1, 4)
    return numbers.astype(np.uint8), units, packed


def nibbles(numbers):
    """The low four bits: of each pair of ranges the first below, the second above."""
    pairs = (numbers & 15).reshape(-1, 4, 2, 32)
    return (pairs[:, :, 0] | pairs[:, :, 1] << 4).reshape(-1, 128)


def q4_k(blocks):
    numbers, units, packed = ranges(blocks, 15)
    return np.concatenate([units, packed, nibbles(numbers)], axis=1)


def q5_k(blocks):
    numbers, units, packed = ranges(blocks, 31)
    fifth = (numbers >> 4) << np.arange(8, dtype=np.uint8)[:, None]
    return np.concatenate([units, packed, fifth.sum(axis=1, dtype=np.uint8), nibbles(numbers)], axis=1)


def q6_k(blocks):
    parts = blocks.reshape(-1, 16, 16)
    steps = np.abs(parts).max(axis=2) / 31
    d = (steps.max(axis=1) / 127).astype(np.float16)
    unit = d.astype(np.float32)[:, None]
    scales = np.rint(np.divide(steps, unit, out=np.zeros_like(steps), where=unit > 0)).clip(0, 127)
    step = (unit * scales)[:, :, None]
    numbers = np.rint(np.divide(parts, step, out=np.zeros_like(parts), where=step > 0)).clip(-32, 31) + 32
    quarters = numbers.astype(np.uint8).reshape(-1, 2, 4, 32)
    low = quarters[:, :, :2] & 15 | (quarters[:, :, 2:] & 15) << 4
    high = (quarters >> 4) << (2 * np.arange(4, dtype=np.uint8))[:, None]
    high = high.sum(axis=2, dtype=np.uint8)
    return np.concatenate(
        [
            low.reshape(-1, 128),
            high.reshape(-1, 64),
            scales.astype(np.int8).view(np.uint8),
            d.view(np.uint8).reshape(-1, 2),
        ],
        axis=1,
    )


K_QUANTS = {"Q4_K": q4_k, "Q5_K": q5_k, "Q6_K": q6_k}


def encode(weights, encoding):
    """A matrix in an encoding: its bytes, and which encoding it became."""
    if encoding in K_QUANTS and weights.shape[-1] % BLOCK == 0:
        blocks = K_QUANTS[encoding](weights.reshape(-1, BLOCK))
        kind = GGMLQuantizationType[encoding]
        encoded = blocks.reshape(weights.shape[0], -1)
        # Not exact, but the same weights: a layout that went wrong would show.
        error = np.abs(dequantize(encoded, kind) - weights).mean() / np.abs(weights).mean()
        assert error < 0.15, f"{encoding} is off by {error}"
        return encoded, kind
    kind = GGMLQuantizationType["Q8_0" if encoding in K_QUANTS else encoding]
    return quantize(weights, kind), kind


def copy_fields(reader, writer):
    for field in reader.fields.values():
        if field.name.startswith("GGUF.") or field.name == "general.architecture":
            continue
        kind = field.types[0]
        of = field.types[-1] if kind == GGUFValueType.ARRAY else None
        writer.add_key_value(field.name, field.contents(), kind, sub_type=of)


def main(source, encoding, target):
    reader = GGUFReader(source)
    writer = GGUFWriter(target, reader.fields["general.architecture"].contents())
    copy_fields(reader, writer)
    for tensor in reader.tensors:
        weights = dequantize(tensor.data, tensor.tensor_type).reshape([int(n) for n in reversed(tensor.shape)])
        if weights.ndim == 1:
            writer.add_tensor(tensor.name, weights.astype(np.float32))
        else:
            encoded, kind = encode(weights.astype(np.float32), encoding)
            writer.add_tensor(tensor.name, encoded, raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


main(*sys.argv[1:])
