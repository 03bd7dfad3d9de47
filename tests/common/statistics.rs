//! The G-test of goodness of fit, with the tail of the chi-squared distribution by the incomplete gamma function.
//!
//! References: Sokal and Rohlf, *Biometry* (1981), chapter 17; Abramowitz and Stegun, *Handbook of mathematical
//! functions* (1964), 6.5.29 and 6.5.31.
#![allow(clippy::disallowed_methods, reason = "a test's statistics may use the platform's library")]

/// Bins that expect fewer draws are pooled, for the approximation by chi-squared needs them filled.
const LEAST_EXPECTED: f64 = 5.0;

/// How often each token of the vocabulary was drawn.
pub fn counts(tokens: &[u32], n_vocab: usize) -> Vec<u64> {
    let mut counts = vec![0; n_vocab];
    tokens.iter().for_each(|token| counts[*token as usize] += 1);
    counts
}

/// The probability of counts at least this far from `probabilities`, when draws are fair.
///
/// A count where the probability is 0 gives 0.
pub fn p_value(counts: &[u64], probabilities: &[f64]) -> f64 {
    tail(counts, probabilities, |_| 1.0)
}

/// As [`p_value`], with G divided by Williams' correction: without it G is too large by 1 / (6 expected) a bin, which
/// tens of thousands of thinly filled bins add up to a false alarm.
///
/// Reference: D. A. Williams, *Improved likelihood ratio tests for complete contingency tables* (1976).
pub fn corrected_p_value(counts: &[u64], probabilities: &[f64]) -> f64 {
    tail(counts, probabilities, |bins| {
        let n: f64 = bins.iter().map(|(_, expected)| expected).sum();
        let sum: f64 = bins.iter().map(|(_, expected)| 1.0 / expected).sum();
        1.0 + (sum - 1.0 / n) / (6.0 * (bins.len() as f64 - 1.0))
    })
}

fn tail(counts: &[u64], probabilities: &[f64], correction: impl Fn(&[(f64, f64)]) -> f64) -> f64 {
    let Some(bins) = bins(counts, probabilities) else { return 0.0 };
    if bins.len() < 2 {
        return 1.0;
    }
    let term = |(count, expected): &(f64, f64)| {
        if *count > 0.0 { count * (count / expected).ln() } else { 0.0 }
    };
    let g = 2.0 * bins.iter().map(term).sum::<f64>();
    chi_squared_tail(g / correction(&bins), bins.len() as f64 - 1.0)
}

/// Counts with what is expected of them, thin bins pooled; none where something impossible was counted.
fn bins(counts: &[u64], probabilities: &[f64]) -> Option<Vec<(f64, f64)>> {
    assert_eq!(counts.len(), probabilities.len());
    let n = counts.iter().sum::<u64>() as f64;
    let (mut bins, mut rest) = (Vec::new(), (0.0, 0.0));
    for (count, p) in counts.iter().zip(probabilities) {
        let (count, expected) = (*count as f64, n * p);
        if expected >= LEAST_EXPECTED {
            bins.push((count, expected));
        } else if expected == 0.0 && count > 0.0 {
            return None;
        } else {
            rest = (rest.0 + count, rest.1 + expected);
        }
    }
    if rest.1 >= LEAST_EXPECTED {
        bins.push(rest);
    } else if let Some(last) = bins.last_mut() {
        *last = (last.0 + rest.0, last.1 + rest.1);
    }
    Some(bins)
}

/// The probability that chi-squared with so many degrees of freedom is at least `x`: Q(degrees / 2, x / 2).
pub fn chi_squared_tail(x: f64, degrees: f64) -> f64 {
    let (a, x) = (degrees / 2.0, x / 2.0);
    if x <= 0.0 {
        return 1.0;
    }
    let front = (a * x.ln() - x - ln_gamma(a)).exp();
    if x < a + 1.0 { 1.0 - front * series(a, x) } else { front * fraction(a, x) }
}

/// The sum of x^n / (a (a + 1) ... (a + n)).
fn series(a: f64, x: f64) -> f64 {
    let (mut term, mut sum, mut n) = (1.0 / a, 1.0 / a, a);
    while term > sum * 1e-16 {
        n += 1.0;
        term *= x / n;
        sum += term;
    }
    sum
}

/// The continued fraction of the upper part, by Lentz's method.
fn fraction(a: f64, x: f64) -> f64 {
    let tiny = 1e-300;
    let mut b = x + 1.0 - a;
    let (mut c, mut d) = (1.0 / tiny, 1.0 / b);
    let mut h = d;
    for i in 1..100_000 {
        let i = f64::from(i);
        let an = -i * (i - a);
        b += 2.0;
        d = 1.0 / nonzero(an * d + b, tiny);
        c = nonzero(b + an / c, tiny);
        h *= d * c;
        if (d * c - 1.0).abs() < 1e-15 {
            break;
        }
    }
    h
}

fn nonzero(x: f64, tiny: f64) -> f64 {
    if x.abs() < tiny { tiny } else { x }
}

/// ln of the gamma function of a positive number: Stirling's series, from 10 on.
fn ln_gamma(a: f64) -> f64 {
    if a < 10.0 {
        return ln_gamma(a + 1.0) - a.ln();
    }
    let s = 1.0 / (a * a);
    let series = (1.0 / 12.0 - s * (1.0 / 360.0 - s * (1.0 / 1260.0 - s / 1680.0))) / a;
    (a - 0.5) * a.ln() - a + 0.5 * (2.0 * std::f64::consts::PI).ln() + series
}
