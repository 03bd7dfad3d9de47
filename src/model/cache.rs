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
