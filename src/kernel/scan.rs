//! The first pass: validity, the maximum of every block and how many places are dead.

use super::{BLOCK, LANES};

/// What the first pass over a row found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scan {
    /// The highest logit; -infinity when every place is dead.
    pub max: f32,
    /// Places that hold -infinity.
    pub n_dead: usize,
}

/// Reads the row once and fills `block_max`; NaN or +infinity gives the lowest such place as the error.
pub(crate) fn scan(row: &[f32], block_max: &mut Vec<f32>) -> Result<Scan, usize> {
    block_max.clear();
    let mut max = f32::NEG_INFINITY;
    let mut n_dead = 0;
    let mut valid = true;
    for block in row.chunks(BLOCK) {
        let found = scan_block(block);
        block_max.push(found.max);
        max = max.max(found.max);
        n_dead += found.n_dead as usize;
        valid &= found.valid;
    }
    if valid {
        return Ok(Scan { max, n_dead });
    }
    Err(row.iter().position(|l| l.is_nan() || *l == f32::INFINITY).unwrap_or_default())
}

struct BlockScan {
    max: f32,
    n_dead: u32,
    valid: bool,
}

fn scan_block(block: &[f32]) -> BlockScan {
    let mut max = [f32::NEG_INFINITY; LANES];
    let mut n_dead = [0u32; LANES];
    // NaN compares false with everything, so it is not counted here.
    let mut n_valid = [0u32; LANES];
    let (chunks, rest) = block.as_chunks::<LANES>();
    for chunk in chunks.iter().map(|chunk| chunk.as_slice()).chain([rest]) {
        let lanes = chunk.iter().zip(&mut max).zip(&mut n_dead).zip(&mut n_valid);
        for (((l, max), dead), valid) in lanes {
            *max = if *l > *max { *l } else { *max };
            *dead += u32::from(*l == f32::NEG_INFINITY);
            *valid += u32::from(*l < f32::INFINITY);
        }
    }
    BlockScan {
        max: max.into_iter().fold(f32::NEG_INFINITY, f32::max),
        n_dead: n_dead.iter().sum(),
        valid: n_valid.iter().sum::<u32>() as usize == block.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_maximum_and_the_dead_at_every_length() {
        for n in 1..600 {
            let row: Vec<f32> = (0..n)
                .map(
                    |i| if i % 7 == 3 { f32::NEG_INFINITY } else { ((i * 37) % 101) as f32 - 50.0 },
                )
                .collect();
            let mut block_max = Vec::new();
            let found = scan(&row, &mut block_max).unwrap();
            assert_eq!(found.max, row.iter().copied().fold(f32::NEG_INFINITY, f32::max));
            assert_eq!(found.n_dead, row.iter().filter(|l| **l == f32::NEG_INFINITY).count());
            let expected: Vec<f32> = row
                .chunks(BLOCK)
                .map(|b| b.iter().copied().fold(f32::NEG_INFINITY, f32::max))
                .collect();
            assert_eq!(block_max, expected);
        }
    }

    #[test]
    fn names_the_lowest_invalid_place() {
        for bad in [f32::NAN, -f32::NAN, f32::INFINITY] {
            for (n, places) in
                [(1, vec![0]), (300, vec![299]), (1000, vec![999, 511, 512]), (9, vec![8, 7])]
            {
                let mut row = vec![0.5; n];
                for place in &places {
                    row[*place] = bad;
                }
                assert_eq!(scan(&row, &mut Vec::new()), Err(*places.iter().min().unwrap()));
            }
        }
    }
}
