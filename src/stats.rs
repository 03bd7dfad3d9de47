//! Statistics of draws: expected counts with intervals, total variation, and the G-test of goodness of fit.
//!
//! Observed counts o_i of n draws against probabilities p_i:
//!
//! - total variation: 1/2 sum |o_i / n - p_i|, in [0, 1];
//! - G = 2 sum o_i ln(o_i / (n p_i)), which follows chi-squared with (bins - 1) degrees of freedom when the draws are
//!   fair; bins that expect fewer than 5 are pooled, for the approximation needs them filled.
//!
//! The probabilities are all there are: their sum is 1, give or take a millionth for their rounding.
//!
//! Reference: Sokal and Rohlf, *Biometry* (1981), chapter 17.

use crate::error::{Error, Result, number_text};
use crate::math::{exp, ln};

/// How well counts fit probabilities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GoodnessOfFit {
    /// The number of draws.
    pub n: u64,
    /// 1/2 sum |o / n - p|, in [0, 1].
    pub total_variation: f64,
    /// G, at least 0; infinity when something of probability 0 was observed.
    pub g: f64,
    /// Degrees of freedom: bins after pooling, less one.
    pub degrees: u64,
    /// The probability of a G at least this large under fair draws, in [0, 1]; 1 when there are no degrees of freedom.
    pub p_value: f64,
}

/// Bins that expect fewer draws than this are pooled.
const LEAST_EXPECTED: f64 = 5.0;

/// Compares counts with probabilities, shape `(n_bins)` both.
///
/// Errors: lengths differ, a probability is not in [0, 1], or their sum is further than 1e-6 from 1.
pub fn goodness_of_fit(counts: &[u64], probs: &[f64]) -> Result<GoodnessOfFit> {
    if counts.len() != probs.len() {
        return Err(Error::WrongLength {
            what: "probs",
            found: probs.len(),
            expected: counts.len(),
        });
    }
    check_distribution(probs)?;
    let n = total_count(counts)?;
    let total = n as f64;
    let (mut g, mut bins, mut distance) = (0.0, 0u64, 0.0);
    let (mut pooled, mut pooled_expected) = (0u64, 0.0);
    for (count, p) in counts.iter().zip(probs) {
        let expected = total * p;
        distance += (*count as f64 - expected).abs();
        if expected < LEAST_EXPECTED && *p > 0.0 {
            pooled += *count;
            pooled_expected += expected;
        } else if *p > 0.0 {
            g += g_term(*count, expected);
            bins += 1;
        } else if *count > 0 {
            g = f64::INFINITY;
        }
    }
    if pooled_expected > 0.0 {
        g += g_term(pooled, pooled_expected);
        bins += 1;
    }
    let degrees = bins.saturating_sub(1);
    let g = (2.0 * g).max(0.0);
    Ok(GoodnessOfFit {
        n,
        total_variation: if n == 0 { 0.0 } else { 0.5 * distance / total },
        g,
        degrees,
        p_value: chi_squared_tail(g, degrees),
    })
}

/// The sum of the counts; an error where it does not fit.
fn total_count(counts: &[u64]) -> Result<u64> {
    let sum = counts.iter().try_fold(0u64, |sum, count| sum.checked_add(*count));
    sum.ok_or(Error::TooLarge { what: "the number of draws", found: u64::MAX, limit: u64::MAX - 1 })
}

fn check_probs(probs: &[f64]) -> Result<()> {
    match probs.iter().find(|p| !(0.0..=1.0).contains(*p)) {
        Some(p) => Err(Error::OutOfRange {
            option: "probs".into(),
            found: number_text(*p),
            accepted: "numbers in [0, 1]".into(),
        }),
        None => Ok(()),
    }
}

/// How far from 1 a sum of probabilities may be: they may come from 32-bit floats.
const MOST_OFF: f64 = 1e-6;

fn check_distribution(probs: &[f64]) -> Result<()> {
    check_probs(probs)?;
    let sum: f64 = probs.iter().sum();
    if (sum - 1.0).abs() <= MOST_OFF {
        return Ok(());
    }
    Err(Error::OutOfRange {
        option: "probs".into(),
        found: ["with the sum ", &number_text(sum)].concat(),
        accepted: "numbers with the sum 1".into(),
    })
}

fn g_term(observed: u64, expected: f64) -> f64 {
    let observed = observed as f64;
    if observed == 0.0 { 0.0 } else { observed * ln(observed / expected) }
}

/// The counts between which a token of probability p stays in 95 of 100 runs of n draws.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CountInterval {
    /// n p.
    pub expected: f64,
    /// The 2.5% quantile of the binomial distribution.
    pub low: u64,
    /// The 97.5% quantile.
    pub high: u64,
}

/// The 95% interval of counts for each probability.
///
/// Quantiles are exact where n p or n (1 - p) is at most 100, and from the normal approximation beyond.
///
/// Errors: a probability is not in [0, 1].
pub fn count_intervals(probs: &[f64], n: u64) -> Result<Vec<CountInterval>> {
    check_probs(probs)?;
    Ok(probs.iter().map(|p| count_interval(*p, n)).collect())
}

fn count_interval(p: f64, n: u64) -> CountInterval {
    let total = n as f64;
    let expected = total * p;
    let (low, high) = if expected <= EXACT_UP_TO && p <= 0.5 {
        (binomial_quantile(p, n, 0.025), binomial_quantile(p, n, 0.975))
    } else if total - expected <= EXACT_UP_TO && p > 0.5 {
        // By counting failures. P(X <= k) >= share is P(failures > n - k - 1) >= share.
        let rare = 1.0 - p;
        (n - binomial_quantile(rare, n, 0.975), n - binomial_quantile(rare, n, 0.025))
    } else {
        let half = 1.959_963_984_540_054 * (expected * (1.0 - p)).sqrt();
        ((expected - half).round().max(0.0) as u64, (expected + half).round().min(total) as u64)
    };
    CountInterval { expected, low, high }
}

/// The largest mean for which the binomial distribution is summed term by term.
const EXACT_UP_TO: f64 = 100.0;
/// More terms than any mean up to [`EXACT_UP_TO`] needs.
const MOST_TERMS: u64 = 1000;

/// The least k with P(X <= k) >= share, for p at most 1/2 and a mean of at most [`EXACT_UP_TO`].
fn binomial_quantile(p: f64, n: u64, share: f64) -> u64 {
    let odds = p / (1.0 - p);
    let mut term = exp(n as f64 * ln_1_minus(p));
    let mut sum = term;
    let mut k = 0;
    while sum < share && k < n.min(MOST_TERMS) {
        term *= odds * (n - k) as f64 / (k + 1) as f64;
        sum += term;
        k += 1;
    }
    k
}

/// ln(1 - p) for p at most 1/2, without the rounding of 1 - p where p is small.
fn ln_1_minus(p: f64) -> f64 {
    if p < 1e-4 { -p * (1.0 + p * (0.5 + p * (1.0 / 3.0 + p * 0.25))) } else { ln(1.0 - p) }
}

/// P(X >= x) for chi-squared with these degrees of freedom.
pub fn chi_squared_tail(x: f64, degrees: u64) -> f64 {
    if x == f64::INFINITY {
        return 0.0;
    }
    if degrees == 0 || x <= 0.0 {
        return 1.0;
    }
    let (a, x) = (degrees as f64 / 2.0, x / 2.0);
    let scale = exp(a * ln(x) - x - ln_gamma(a));
    if x < a + 1.0 { 1.0 - scale * lower_series(a, x) } else { scale * upper_fraction(a, x) }
        .clamp(0.0, 1.0)
}

/// The series of the lower incomplete gamma function over x^a e^-x.
fn lower_series(a: f64, x: f64) -> f64 {
    let mut term = 1.0 / a;
    let mut sum = term;
    let mut n = a;
    while term > sum * f64::EPSILON {
        n += 1.0;
        term *= x / n;
        sum += term;
    }
    sum
}

/// The continued fraction of the upper incomplete gamma function over x^a e^-x, by Lentz's method.
fn upper_fraction(a: f64, x: f64) -> f64 {
    let tiny = 1e-300;
    let mut b = x + 1.0 - a;
    let mut c = 1.0 / tiny;
    let mut d = 1.0 / b;
    let mut fraction = d;
    for i in 1..100_000 {
        let i = f64::from(i);
        let numerator = -i * (i - a);
        b += 2.0;
        d = numerator * d + b;
        d = 1.0 / if d.abs() < tiny { tiny } else { d };
        c = b + numerator / c;
        c = if c.abs() < tiny { tiny } else { c };
        let step = c * d;
        fraction *= step;
        if (step - 1.0).abs() < f64::EPSILON {
            break;
        }
    }
    fraction
}

/// ln of the gamma function for a > 0: Stirling's series, after the recurrence has lifted a above 10.
fn ln_gamma(mut a: f64) -> f64 {
    let mut product = 1.0;
    while a < 10.0 {
        product *= a;
        a += 1.0;
    }
    let square = 1.0 / (a * a);
    let series =
        (1.0 / 12.0 - square * (1.0 / 360.0 - square * (1.0 / 1260.0 - square / 1680.0))) / a;
    // ln sqrt(2 pi)
    (a - 0.5) * ln(a) - a + 0.918_938_533_204_672_7 + series - ln(product)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance * b.abs().max(1e-300), "{a} against {b}");
    }

    #[test]
    fn chi_squared_tails_are_those_of_the_tables() {
        // Upper 5%, 1% and 0.1% points.
        for (x, degrees, p) in [
            (3.841_458_820_694_124, 1, 0.05),
            (6.634_896_601_021_214, 1, 0.01),
            (18.307_038_053_275_15, 10, 0.05),
            (124.342_113_404_004, 100, 0.05),
            (1_074.679_449_2, 1000, 0.05),
        ] {
            close(chi_squared_tail(x, degrees), p, 1e-6);
        }
        assert_eq!(chi_squared_tail(0.0, 5), 1.0);
        assert_eq!(chi_squared_tail(f64::INFINITY, 5), 0.0);
        assert_eq!(chi_squared_tail(f64::INFINITY, 0), 0.0);
        assert_eq!(chi_squared_tail(7.0, 0), 1.0);
        // Two degrees: exactly e^(-x / 2).
        close(chi_squared_tail(30.0, 2), 3.059_023_205_018_258e-7, 1e-10);
    }

    #[test]
    fn counts_that_fit_have_no_distance_and_no_surprise() {
        let fit = goodness_of_fit(&[500, 300, 200], &[0.5, 0.3, 0.2]).unwrap();
        assert_eq!((fit.n, fit.degrees, fit.total_variation), (1000, 2, 0.0));
        close(fit.p_value, 1.0, 1e-9);
    }

    #[test]
    fn a_token_of_probability_0_that_was_drawn_is_impossible() {
        let fit = goodness_of_fit(&[10, 1], &[1.0, 0.0]).unwrap();
        assert_eq!((fit.g, fit.p_value), (f64::INFINITY, 0.0));
    }

    #[test]
    fn bins_that_expect_fewer_than_5_are_pooled() {
        let fit = goodness_of_fit(&[96, 1, 2, 1], &[0.96, 0.02, 0.01, 0.01]).unwrap();
        assert_eq!(fit.degrees, 1);
    }

    #[test]
    fn intervals_hold_95_of_100_at_every_size() {
        // Exact binomial quantiles.
        for (p, n, low, high) in
            [(0.5, 10, 2, 8), (0.1, 100, 5, 16), (0.001, 100, 0, 1), (0.99, 100, 97, 100)]
        {
            let interval = count_interval(p, n);
            assert_eq!((interval.low, interval.high), (low, high), "p {p}, n {n}");
        }
        let wide = count_interval(0.5, 1_000_000);
        assert_eq!((wide.low, wide.high), (499_020, 500_980));
        assert_eq!(count_interval(0.0, 100), CountInterval { expected: 0.0, low: 0, high: 0 });
        assert_eq!(
            count_interval(1.0, 100),
            CountInterval { expected: 100.0, low: 100, high: 100 }
        );
    }

    #[test]
    fn what_does_not_fit_together_is_an_error() {
        assert!(matches!(goodness_of_fit(&[1], &[0.5, 0.5]), Err(Error::WrongLength { .. })));
        assert!(matches!(goodness_of_fit(&[1], &[f64::NAN]), Err(Error::OutOfRange { .. })));
        for probs in [[1.0, 1.0], [0.5, 0.499_998], [0.0, 0.0]] {
            assert!(matches!(goodness_of_fit(&[1, 1], &probs), Err(Error::OutOfRange { .. })));
        }
        assert!(goodness_of_fit(&[1, 1], &[0.5, 0.500_000_9]).is_ok());
        assert!(matches!(count_intervals(&[1.5], 3), Err(Error::OutOfRange { .. })));
    }
}
