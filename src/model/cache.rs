//! Keys and values of earlier positions, in blocks of fixed size that sequences share.
//!
//! A block holds [`BLOCK`] positions of every layer and every key and value head, from before heads are shared among
//! query heads. A forked sequence has the same blocks; whoever writes into one that others have, too, writes into a copy.
//! So a prompt is computed and stored once, however many continuations it has.

use std::sync::Arc;

use super::config::Config;
use crate::error::{Error, Result};

/// Positions of a block: also the tile of [`attention`](super::attention).
pub(super) const BLOCK: usize = 16;

/// A column of keys at each position, or 16 columns of a value.
pub(super) type Wide = [f32; BLOCK];

/// Keys and values of [`BLOCK`] positions.
#[derive(Debug)]
struct Block {
    /// (n_layers, n_kv_heads, head_dim, BLOCK): positions lie side by side.
    keys: Vec<Wide>,
    /// (n_layers, n_kv_heads, head_dim / 16, BLOCK, 16): columns lie side by side, made up to a multiple of 16.
    values: Vec<Wide>,
}

/// The cache of a sequence.
#[derive(Clone, Debug)]
pub(super) struct Cache {
    blocks: Vec<Arc<Block>>,
    length: usize,
    shape: Shape,
}

#[derive(Clone, Copy, Debug)]
struct Shape {
    n_layers: usize,
    n_kv_heads: usize,
    head_dim: usize,
}

impl Shape {
    /// The rows of values of a head: one a position for each 16 columns.
    fn value_rows(self) -> usize {
        self.head_dim.div_ceil(BLOCK) * BLOCK
    }

    fn block(self) -> Result<Block> {
        let n_heads = self.n_layers * self.n_kv_heads;
        let keys = zeros(n_heads * self.head_dim)?;
        Ok(Block { keys, values: zeros(n_heads * self.value_rows())? })
    }
}

fn no_memory() -> Error {
    Error::NoMemory { what: "keys and values" }
}

fn zeros(n: usize) -> Result<Vec<Wide>> {
    let mut rows = Vec::new();
    rows.try_reserve_exact(n).map_err(|_| no_memory())?;
    rows.resize(n, [0.0; BLOCK]);
    Ok(rows)
}

fn copy(rows: &[Wide]) -> Result<Vec<Wide>> {
    let mut copy = Vec::new();
    copy.try_reserve_exact(rows.len()).map_err(|_| no_memory())?;
    copy.extend_from_slice(rows);
    Ok(copy)
}

impl Cache {
    pub(super) fn new(config: &Config) -> Cache {
        let &Config { n_layers, n_kv_heads, head_dim, .. } = config;
        Cache { blocks: Vec::new(), length: 0, shape: Shape { n_layers, n_kv_heads, head_dim } }
    }

    /// Positions that are stored.
    pub(super) fn length(&self) -> usize {
        self.length
    }

    /// Makes room for `n` more positions, in blocks that no other sequence has. The length stays.
    pub(super) fn reserve(&mut self, n: usize) -> Result<()> {
        if let Some(last) = self.blocks.get_mut(self.length / BLOCK)
            && Arc::get_mut(last).is_none()
        {
            *last = Arc::new(Block { keys: copy(&last.keys)?, values: copy(&last.values)? });
        }
        let needed = (self.length + n).div_ceil(BLOCK);
        while self.blocks.len() < needed {
            self.blocks.push(Arc::new(self.shape.block()?));
        }
        Ok(())
    }

    /// Counts `n` more positions, which were [`store`](Cache::store)d.
    pub(super) fn advance(&mut self, n: usize) {
        self.length += n;
    }

    /// Forgets the positions from `length` on.
    pub(super) fn rewind(&mut self, length: usize) {
        self.length = length.min(self.length);
        self.blocks.truncate(self.length.div_ceil(BLOCK));
    }

    /// Stores the keys and values of a position, both (n_kv_heads, head_dim); there is room for it.
    pub(super) fn store(&mut self, layer: usize, pos: usize, keys: &[f32], values: &[f32]) {
        let Shape { n_kv_heads, head_dim, .. } = self.shape;
        let value_rows = self.shape.value_rows();
        let Some(block) = self.blocks.get_mut(pos / BLOCK).and_then(Arc::get_mut) else { return };
        let p = pos % BLOCK;
        let columns = block.keys.iter_mut().skip(layer * n_kv_heads * head_dim);
        for (column, key) in columns.zip(keys) {
            if let Some(to) = column.get_mut(p) {
                *to = *key;
            }
        }
        let heads = block.values.chunks_exact_mut(value_rows).skip(layer * n_kv_heads);
        for (head, values) in heads.zip(values.chunks_exact(head_dim)) {
            let rows = head.iter_mut().skip(p).step_by(BLOCK);
            for (row, values) in rows.zip(values.chunks(BLOCK)) {
                for (to, value) in row.iter_mut().zip(values) {
                    *to = *value;
                }
            }
        }
    }

    /// Keys and values of a head, block by block: keys (head_dim, BLOCK), values (head_dim / 16, BLOCK, 16).
    pub(super) fn head(&self, layer: usize, h: usize) -> impl Iterator<Item = (&[Wide], &[Wide])> {
        let (n, index) = (self.shape.value_rows(), layer * self.shape.n_kv_heads + h);
        let head_dim = self.shape.head_dim;
        self.blocks.iter().map(move |block| {
            let keys = block.keys.get(index * head_dim..(index + 1) * head_dim);
            let values = block.values.get(index * n..(index + 1) * n);
            (keys.unwrap_or_default(), values.unwrap_or_default())
        })
    }

    /// How many of the blocks another sequence has, too.
    #[cfg(test)]
    pub(super) fn n_shared(&self) -> usize {
        self.blocks.iter().filter(|block| Arc::strong_count(block) > 1).count()
    }
}

#[cfg(test)]
mod tests {
    use super::super::config::{Architecture, Config};
    use super::*;

    fn cache() -> Cache {
        Cache::new(&Config {
            architecture: Architecture::Llama,
            n_vocab: 1,
            n_ctx: 100,
            n_layers: 2,
            dim: 1,
            ffn_dim: 1,
            n_heads: 2,
            n_kv_heads: 2,
            head_dim: 20,
            norm_eps: 1e-5,
            rope_base: 1e4,
            rope_dims: 20,
            rope_scale: 1.0,
        })
    }

    /// Adds `n` positions whose numbers tell layer, position and column.
    fn add(cache: &mut Cache, n: usize, mark: f32) {
        cache.reserve(n).unwrap();
        for pos in cache.length()..cache.length() + n {
            for layer in 0..2 {
                let number = |i: usize| mark + (layer * 100_000 + pos * 100 + i) as f32;
                let keys: Vec<f32> = (0..40).map(number).collect();
                let values: Vec<f32> = (0..40).map(|i| -number(i)).collect();
                cache.store(layer, pos, &keys, &values);
            }
        }
        cache.advance(n);
    }

    /// The mark of every position, after a look at all of its numbers.
    fn marks(cache: &Cache) -> Vec<f32> {
        let mark = |pos: usize| {
            let mut marks = Vec::new();
            for (layer, h) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                let (keys, values) = cache.head(layer, h).nth(pos / BLOCK).unwrap();
                for c in 0..20 {
                    let expected = (layer * 100_000 + pos * 100 + h * 20 + c) as f32;
                    marks.push(keys[c][pos % BLOCK] - expected);
                    let wide = &values[c / BLOCK * BLOCK + pos % BLOCK];
                    marks.push(-wide[c % BLOCK] - expected);
                }
            }
            assert!(marks.iter().all(|mark| *mark == marks[0]), "{pos}: {marks:?}");
            marks[0]
        };
        (0..cache.length()).map(mark).collect()
    }

    #[test]
    fn a_fork_shares_blocks_until_one_of_the_two_writes_into_them() {
        let mut first = cache();
        add(&mut first, 40, 0.0);
        assert_eq!((first.blocks.len(), first.n_shared()), (3, 0));
        let mut second = first.clone();
        assert_eq!(first.n_shared(), 3);
        add(&mut second, 1, 0.5);
        // The third block was begun by both; the first two are full.
        assert_eq!((first.n_shared(), second.n_shared()), (2, 2));
        add(&mut first, 30, 0.25);
        assert_eq!((first.n_shared(), second.blocks.len()), (2, 3));
        assert_eq!(marks(&second), [vec![0.0; 40], vec![0.5]].concat());
        assert_eq!(marks(&first), [vec![0.0; 40], vec![0.25; 30]].concat());
        // Rewound into what is shared, and written again.
        second.rewind(20);
        add(&mut second, 5, 0.75);
        assert_eq!(marks(&second), [vec![0.0; 20], vec![0.75; 5]].concat());
        assert_eq!(marks(&first), [vec![0.0; 40], vec![0.25; 30]].concat());
        drop(second);
        assert_eq!(first.n_shared(), 0);
    }

    #[test]
    fn rewinding_gives_blocks_back() {
        let mut cache = cache();
        add(&mut cache, 33, 0.0);
        cache.rewind(32);
        assert_eq!((cache.length(), cache.blocks.len()), (32, 2));
        cache.rewind(0);
        assert_eq!((cache.length(), cache.blocks.len()), (0, 0));
    }
}
