//! Dropout: each number is 0 with probability `rate`, else divided by 1 - rate. Which, depends on seed and place alone,
//! so that the backward pass is the same call.

/// Applies it in place.
pub fn dropout(x: &mut [f32], rate: f32, seed: u32) {
    if rate <= 0.0 {
        return;
    }
    let threshold = (f64::from(rate) * 4_294_967_296.0) as u32;
    let scale = 1.0 / (1.0 - rate);
    for (i, x) in (0u32..).zip(x) {
        *x *= if mix(i ^ seed) >= threshold { scale } else { 0.0 };
    }
}

/// A bijection of 32-bit words without visible pattern.
#[inline(always)]
fn mix(word: u32) -> u32 {
    let word = (word ^ (word >> 16)).wrapping_mul(0x85eb_ca6b);
    let word = (word ^ (word >> 13)).wrapping_mul(0xc2b2_ae35);
    word ^ (word >> 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drops_the_share_it_should_and_keeps_the_mean() {
        let mut x = vec![1.0; 100_000];
        dropout(&mut x, 0.2, 7);
        let zeros = x.iter().filter(|&&x| x == 0.0).count();
        assert!((19_500..20_500).contains(&zeros), "{zeros}");
        assert!(x.iter().all(|&x| x == 0.0 || x == 1.25));
        let mut other = vec![1.0; 100_000];
        dropout(&mut other, 0.2, 8);
        assert_ne!(x, other);
    }
}
