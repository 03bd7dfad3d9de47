//! Rows and masks from integers: the same in every language that has 32-bit integers and exact f32 division by powers
//! of two. `tests/golden/README.md` prints the rule.

use serde::{Deserialize, Serialize};

/// A bijection of 32-bit words that spreads every bit: the finaliser of MurmurHash3.
fn spread(mut x: u32) -> u32 {
    x = (x ^ (x >> 16)).wrapping_mul(0x85eb_ca6b);
    x = (x ^ (x >> 13)).wrapping_mul(0xc2b2_ae35);
    x ^ (x >> 16)
}

/// Word `i` of the sequence `seed`.
pub fn mix(seed: u32, i: u32) -> u32 {
    spread(spread(i ^ 0x9e37_79b9).wrapping_add(seed))
}

/// How the logits of a synthetic row are made; what is not given is off.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Synthetic {
    pub seed: u32,
    /// Multiplies the bell-shaped part.
    pub spread: i32,
    /// Added for each leading zero of a word: a long tail upwards.
    pub boost: i32,
    /// A power of two to whose multiples integers are rounded down: ties.
    pub step: i32,
    /// Integers are clamped to [-limit, limit]; 0 is off.
    pub limit: i32,
    /// One token in so many is -infinity; 0 is none.
    pub dead: u32,
    /// Logits are integers over 2^shift.
    pub shift: u32,
}

impl Synthetic {
    /// The logit of token `i`.
    pub fn logit(&self, i: u32) -> f32 {
        let [a, b, c] = [0, 1, 2].map(|k| mix(self.seed, 3 * i + k));
        if self.dead > 0 && c.is_multiple_of(self.dead) {
            return f32::NEG_INFINITY;
        }
        let halves = (a & 0xffff) + (a >> 16) + (b & 0xffff) + (b >> 16);
        let bell = halves as i32 - 131_070;
        let mut v = self.spread * bell + self.boost * c.leading_zeros() as i32;
        v &= -self.step.max(1);
        if self.limit > 0 {
            v = v.clamp(-self.limit, self.limit);
        }
        v as f32 / (1u32 << self.shift) as f32
    }
}

/// The words of a mask over `n` tokens: token i is allowed where the low four bits of word i of `seed` are below `keep`.
pub fn mask([seed, keep]: [u32; 2], n: usize) -> Vec<u32> {
    let mut words = vec![0; n.div_ceil(32)];
    for i in (0..n as u32).filter(|i| mix(seed, *i) & 15 < keep) {
        words[i as usize / 32] |= 1 << (i % 32);
    }
    words
}

/// The sum of the words, each mixed with its place: differs where a word or the order does.
pub fn digest(words: impl Iterator<Item = u32>) -> u32 {
    words.zip(0..).fold(0, |sum: u32, (word, i)| sum.wrapping_add(mix(word, i)))
}
