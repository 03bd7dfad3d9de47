//! What quantised formats share: packing four rows into a panel, and going through panels.
//!
//! A block of a row is H halves (f16) and W words; a panel of four rows has, block after block, each half of the four
//! rows, then each word of them.

use super::dot::Masks;
use super::{Operations, PANEL};
use crate::error::{Error, Result};
use crate::lanes::{F32x4, I32x4, Lanes};
use crate::model::activations::{AFTER, Activations, Block};

/// A quantised format whose blocks are H halves and W words.
pub(super) trait Format<const H: usize, const W: usize> {
    /// Parts of 32 columns in a block.
    const PARTS: usize;

    /// The halves and words of a block as the file has it.
    fn pack(block: &[u8]) -> Option<([u16; H], [u32; W])>;

    /// The numbers of a block, (32 PARTS).
    fn unpack(halves: [f32; H], words: &[u32; W], values: &mut [f32]);

    /// Adds a block's products for four rows of weights, in lanes, and P rows of activations; halves come as 2^-112 of
    /// themselves, and sums are 2^-48 of what they are.
    fn add<const P: usize>(
        halves: [F32x4; H],
        words: &[[u8; 16]; W],
        masks: &Masks,
        x: &[[Block; P]],
        sums: &mut [F32x4; P],
    );
}

/// The bytes of a block of one row.
const fn block_bytes(h: usize, w: usize) -> usize {
    2 * h + 4 * w
}

/// The operations of a format.
pub(super) fn operations<F: Format<H, W>, const H: usize, const W: usize>() -> Operations {
    Operations {
        pack: pack::<F, H, W>,
        row: row::<F, H, W>,
        multiply: multiply::<F, H, W>,
        decode: decode::<F, H, W>,
    }
}

/// The number of a half-precision pattern that is not infinite.
fn half(bits: u16) -> f32 {
    let [low, high] = bits.to_le_bytes();
    let [number, ..] = F32x4::from_f16(&[low, high, 0, 0, 0, 0, 0, 0]).to_array();
    number
}

fn is_finite(half: u16) -> bool {
    half & 0x7c00 != 0x7c00
}

fn pack<F: Format<H, W>, const H: usize, const W: usize>(
    data: &mut [u8],
    columns: usize,
) -> Result<()> {
    let n_blocks = columns / (32 * F::PARTS);
    let row_bytes = n_blocks * block_bytes(H, W);
    if row_bytes == 0 {
        return Ok(());
    }
    let mut rows = Vec::with_capacity(PANEL * row_bytes);
    for panel in data.chunks_exact_mut(PANEL * row_bytes) {
        rows.clear();
        rows.extend_from_slice(panel);
        for (r, row) in rows.chunks_exact(row_bytes).enumerate() {
            let blocks = panel.chunks_exact_mut(PANEL * block_bytes(H, W));
            for (to, block) in blocks.zip(row.chunks_exact(block_bytes(H, W))) {
                let Some((halves, words)) = F::pack(block) else { continue };
                if !halves.into_iter().all(is_finite) {
                    return Err(Error::OutOfRange {
                        option: "a scale".into(),
                        found: "infinite or no number".into(),
                        accepted: "finite".into(),
                    });
                }
                put(to, r, halves, words);
            }
        }
    }
    Ok(())
}

/// Lays a row's block into the panel's.
fn put<const H: usize, const W: usize>(to: &mut [u8], r: usize, halves: [u16; H], words: [u32; W]) {
    let (first, second) = to.split_at_mut(2 * PANEL * H);
    for (to, half) in first.as_chunks_mut::<2>().0.iter_mut().skip(r).step_by(PANEL).zip(halves) {
        *to = half.to_le_bytes();
    }
    for (to, word) in second.as_chunks_mut::<4>().0.iter_mut().skip(r).step_by(PANEL).zip(words) {
        *to = word.to_le_bytes();
    }
}

/// A row's halves and words out of the panel's block.
fn pick<const H: usize, const W: usize>(from: &[u8], r: usize) -> ([f32; H], [u32; W]) {
    let (mut halves, mut words) = ([0.0; H], [0; W]);
    let (first, second) = from.split_at(2 * PANEL * H);
    for (to, bits) in halves.iter_mut().zip(first.as_chunks::<2>().0.iter().skip(r).step_by(PANEL))
    {
        *to = half(u16::from_le_bytes(*bits));
    }
    for (to, bits) in words.iter_mut().zip(second.as_chunks::<4>().0.iter().skip(r).step_by(PANEL))
    {
        *to = u32::from_le_bytes(*bits);
    }
    (halves, words)
}

fn row<F: Format<H, W>, const H: usize, const W: usize>(
    data: &[u8],
    columns: usize,
    row: usize,
    values: &mut [f32],
) {
    let block = 32 * F::PARTS;
    let panel_bytes = PANEL * columns / block * block_bytes(H, W);
    let panel = data.get(row / PANEL * panel_bytes..).unwrap_or_default();
    let blocks = panel.chunks_exact(PANEL * block_bytes(H, W));
    for (values, from) in values.chunks_exact_mut(block).zip(blocks) {
        let (halves, words) = pick(from, row % PANEL);
        F::unpack(halves, &words, values);
    }
}

fn decode<F: Format<H, W>, const H: usize, const W: usize>(row: &[u8], values: &mut [f32]) {
    let blocks = row.chunks_exact(block_bytes(H, W));
    for (values, block) in values.chunks_exact_mut(32 * F::PARTS).zip(blocks) {
        if let Some((halves, words)) = F::pack(block) {
            F::unpack(halves.map(half), &words, values);
        }
    }
}

fn multiply<F: Format<H, W>, const H: usize, const W: usize>(
    data: &[u8],
    rows: usize,
    x: &Activations,
    y: &mut [f32],
) {
    let n_blocks = x.columns / (32 * F::PARTS);
    let panel_bytes = PANEL * n_blocks * block_bytes(H, W);
    let n_parts = n_blocks * F::PARTS;
    if panel_bytes == 0 {
        return;
    }
    let n_fours = x.fours.len() / n_parts;
    for (i, panel) in data.chunks_exact(panel_bytes).enumerate() {
        for (g, x) in x.fours.chunks_exact(n_parts).enumerate() {
            store(y, rows, 4 * g, i, products::<F, H, W, 4>(panel, x));
        }
        for (t, x) in x.ones.chunks_exact(n_parts).enumerate() {
            store(y, rows, 4 * n_fours + t, i, products::<F, H, W, 1>(panel, x));
        }
    }
}

/// Stores sums of panel `i` for P rows of activations from row `t`.
fn store<const P: usize>(y: &mut [f32], rows: usize, t: usize, i: usize, sums: [F32x4; P]) {
    for (y, sums) in y.chunks_exact_mut(rows).skip(t).zip(sums) {
        let left = y.get_mut(PANEL * i..).unwrap_or_default();
        for (y, sum) in left.iter_mut().zip(sums.mul(F32x4::splat(AFTER)).to_array()) {
            *y = sum;
        }
    }
}

/// The products of a panel with P rows of activations: four sums each.
fn products<F: Format<H, W>, const H: usize, const W: usize, const P: usize>(
    panel: &[u8],
    x: &[[Block; P]],
) -> [F32x4; P] {
    let mut sums = [F32x4::splat(0.0); P];
    let masks = Masks::new();
    for (block, x) in panel.chunks_exact(PANEL * block_bytes(H, W)).zip(x.chunks_exact(F::PARTS)) {
        let (halves, words) = block.split_at(2 * PANEL * H);
        let (halves, words) =
            (halves.as_chunks().0.first_chunk(), words.as_chunks().0.first_chunk());
        if let (Some(halves), Some(words)) = (halves, words) {
            let halves: &[[u8; 8]; H] = halves;
            let mut tiny = [F32x4::splat(0.0); H];
            for (tiny, four) in tiny.iter_mut().zip(halves) {
                *tiny = I32x4::load_halves(four).half_bits().bits_as_f32();
            }
            F::add(tiny, words, &masks, x, &mut sums);
        }
    }
    sums
}
