//! ChaCha with eight rounds, four blocks at once: the block function alone.
//!
//! A block is 16 words of 32 bits: four constants, the 256-bit key, a 64-bit block number and a 64-bit stream number, mixed
//! by four double rounds and added to themselves. Lane j of every vector below belongs to block j. `tests/rng.rs` holds
//! it against the crate `rand_chacha`, and against the definition.
//!
//! Reference: D. J. Bernstein, *ChaCha, a variant of Salsa20* (2008).

use super::quad::Quad;

/// "expand 32-byte k".
const CONSTANTS: [u32; 4] = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];

/// Blocks made at once.
const BLOCKS: u64 = 4;
/// 64-bit words of four blocks.
pub(super) const WORDS: usize = 32;

type Row = [Quad; 4];

/// The words of the four blocks from number 4 `group` on, in the order of the stream.
///
/// The key is `seed` in little-endian order, padded with zeros.
#[inline(never)]
pub(super) fn words(seed: u64, stream: u64, group: u64) -> [u64; WORDS] {
    let all = |word: u32| Quad::new([word; 4]);
    let first = group.wrapping_mul(BLOCKS);
    let numbers = [first, first + 1, first + 2, first + 3];
    let input: [Row; 4] = [
        CONSTANTS.map(all),
        [all(seed as u32), all((seed >> 32) as u32), all(0), all(0)],
        [all(0); 4],
        [
            Quad::new(numbers.map(|number| number as u32)),
            Quad::new(numbers.map(|number| (number >> 32) as u32)),
            all(stream as u32),
            all((stream >> 32) as u32),
        ],
    ];
    let mut rows = input;
    for _ in 0..4 {
        rows = double_round(rows);
    }
    let mut words = [0; WORDS];
    let pairs = rows.as_flattened().chunks(2).zip(input.as_flattened().chunks(2));
    for (i, (mixed, input)) in pairs.enumerate() {
        if let ([low, high], [low_input, high_input]) = (mixed, input) {
            let (low, high) = (low.add(*low_input).to_array(), high.add(*high_input).to_array());
            let of_blocks = words.iter_mut().skip(i).step_by(WORDS / BLOCKS as usize);
            for ((word, low), high) in of_blocks.zip(low).zip(high) {
                *word = u64::from(low) | u64::from(high) << 32;
            }
        }
    }
    words
}

/// Quarter-rounds over the columns, then over the diagonals.
#[inline(always)]
fn double_round(rows: [Row; 4]) -> [Row; 4] {
    let [a, [b0, b1, b2, b3], [c0, c1, c2, c3], [d0, d1, d2, d3]] = quarter_rounds(rows);
    let turned = [a, [b1, b2, b3, b0], [c2, c3, c0, c1], [d3, d0, d1, d2]];
    let [a, [b1, b2, b3, b0], [c2, c3, c0, c1], [d3, d0, d1, d2]] = quarter_rounds(turned);
    [a, [b0, b1, b2, b3], [c0, c1, c2, c3], [d0, d1, d2, d3]]
}

/// The four quarter-rounds over the columns.
#[inline(always)]
fn quarter_rounds([a, b, c, d]: [Row; 4]) -> [Row; 4] {
    let (a, d) = half::<16>(a, b, d);
    let (c, b) = half::<12>(c, d, b);
    let (a, d) = half::<8>(a, b, d);
    let (c, b) = half::<7>(c, d, b);
    [a, b, c, d]
}

/// a += b; d = (d ^ a) <<< N, in each column.
#[inline(always)]
fn half<const N: u32>(a: Row, b: Row, d: Row) -> (Row, Row) {
    let ([a0, a1, a2, a3], [b0, b1, b2, b3], [d0, d1, d2, d3]) = (a, b, d);
    let [a0, a1, a2, a3] = [a0.add(b0), a1.add(b1), a2.add(b2), a3.add(b3)];
    let d = [d0.mix::<N>(a0), d1.mix::<N>(a1), d2.mix::<N>(a2), d3.mix::<N>(a3)];
    ([a0, a1, a2, a3], d)
}
