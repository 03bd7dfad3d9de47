//! Bracketing: two logits between which the prefix of some mass probably ends.
//!
//! The mass below a threshold, summed in f32 over all places or over every so many blocks, is followed down to what the
//! prefix leaves out: by interpolation in the logarithm of that mass, which is close to a straight line below the
//! thick of a row. What this says steers the search for the cut and never decides it.

use super::BLOCK;
use super::lanes::{F32s, Lanes, WIDTH};
use super::split::Range;
use super::weigh::UNIT;
use crate::math::exp_f32;

/// Sums tried before what is known has to do.
const TRIES: usize = 20;
/// After so many, the threshold is near enough to say how far a sum can be trusted.
const NEAR_AFTER: usize = 3;
/// After so many sums a sample is asked what it may be off by.
const ASKED_AFTER: [usize; 3] = [NEAR_AFTER, 5, 8];
/// How many tokens may well be left on either side of the cut.
const FEW: f64 = 4.0;

/// The places looked at: every `step`-th block of these, one place standing for `scale` of the row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'a> {
    pub logits: &'a [f32],
    pub exps: &'a [f32],
    pub step: usize,
    pub scale: f64,
    /// The highest logit of the row.
    pub max: f32,
    /// The temperature factor.
    pub factor: f64,
    /// The variance of what is wanted, where that is an estimate too.
    pub variance: f64,
}

/// A threshold, and the mass below it in units of the highest weight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    pub threshold: f32,
    pub below: f64,
}

impl<'a> View<'a> {
    /// All of these places; `scale` is the highest logit and the factor that e was taken with.
    pub(crate) fn of(logits: &'a [f32], exps: &'a [f32], scale: (f32, f64)) -> View<'a> {
        let (max, factor) = scale;
        View { logits, exps, step: 1, scale: 1.0, max, factor, variance: 0.0 }
    }

    /// Looks at an even sample of about so many places where there are more.
    pub(crate) fn sampled(self, looked_at: usize) -> View<'a> {
        let step = (self.logits.len() / looked_at).max(1);
        let looked_at = self.logits.len().div_ceil(BLOCK).div_ceil(step) * BLOCK;
        let scale = if step == 1 { 1.0 } else { self.logits.len() as f64 / looked_at as f64 };
        View { step, scale, ..self }
    }

    /// Two thresholds, the first lower, between which the mass below probably passes `wanted`.
    ///
    /// `under` and `over` are points on either side of it. No more places than needed lie between.
    pub(crate) fn bracket(self, under: Point, over: Point, wanted: f64) -> (f32, f32) {
        let slack = 1e-5 * wanted;
        let latest = over.threshold;
        Search { view: self, low: under, high: over, middle: None, latest, slack }.run(wanted)
    }

    /// The mass below a threshold.
    fn below(self, threshold: f32) -> f64 {
        self.sum(threshold, |e| e, |e| e)
    }

    /// How far from the wanted mass a point should be to count as clear of it: a few tokens, and two and a half
    /// standard deviations of what a sample may be off by.
    fn slack(self, threshold: f32) -> f64 {
        let x = ((f64::from(threshold) - f64::from(self.max)) * self.factor).clamp(-64.0, 0.0);
        let few = FEW * f64::from(exp_f32(x as f32));
        if self.scale == 1.0 {
            return few;
        }
        let squares = self.sum(threshold, |e| e.mul(e), |e| e * e);
        few.max(2.5 * (self.scale * squares + self.variance).max(0.0).sqrt())
    }

    /// The mass of all, and the variance of that where this is a sample.
    pub(crate) fn whole(self) -> (f64, f64) {
        let squares = self.sum(f32::INFINITY, |e| e.mul(e), |e| e * e);
        (self.below(f32::INFINITY), self.scale * squares)
    }

    /// The sum over places below a threshold of a function of e.
    #[inline(always)]
    fn sum(self, threshold: f32, of: impl Fn(F32s) -> F32s, of_one: impl Fn(f32) -> f32) -> f64 {
        let limit = F32s::splat(threshold);
        let (mut a, mut b) = (F32s::splat(0.0), F32s::splat(0.0));
        let mut rest = 0.0;
        let blocks = self.logits.chunks(BLOCK).zip(self.exps.chunks(BLOCK)).step_by(self.step);
        for (logits, exps) in blocks {
            let (pairs, odd) = logits.as_chunks::<{ 2 * WIDTH }>();
            let (exp_pairs, exp_odd) = exps.as_chunks::<{ 2 * WIDTH }>();
            for (logits, exps) in pairs.iter().zip(exp_pairs) {
                if let (([l, m], []), ([e, f], [])) =
                    (logits.as_chunks::<WIDTH>(), exps.as_chunks::<WIDTH>())
                {
                    a = a.add(of(F32s::load(e)).where_below(F32s::load(l), limit));
                    b = b.add(of(F32s::load(f)).where_below(F32s::load(m), limit));
                }
            }
            let odd = odd.iter().zip(exp_odd).filter(|(logit, _)| **logit < threshold);
            rest += odd.map(|(_, e)| of_one(*e)).sum::<f32>();
        }
        let lanes: f32 = a.add(b).to_array().iter().sum();
        self.scale * f64::from(lanes + rest)
    }
}

/// Below this x = (l - max) r every weight is 0.
const DEEPEST: f64 = 31.5;

/// Where the prefix of a row of this mass probably ends.
pub(super) fn bracket(view: View<'_>, mass: u64, target: u64) -> Range {
    let out = mass.saturating_sub(target);
    bracket_of(view, mass as f64 / UNIT, out as f64 / UNIT)
}

/// Where the mass below probably passes `wanted`.
pub(super) fn bracket_of(view: View<'_>, whole: f64, wanted: f64) -> Range {
    let View { max, factor, .. } = view;
    let deepest = ((f64::from(max) - DEEPEST / factor) as f32).max(f32::MIN);
    let under = Point { threshold: deepest, below: 0.0 };
    let over = Point { threshold: max.next_up(), below: whole };
    let (low, high) = view.bracket(under, over, wanted);
    Range { low, high }
}

/// The state of a search: points clear of the slack on either side, and one within it.
struct Search<'a> {
    view: View<'a>,
    low: Point,
    high: Point,
    middle: Option<Point>,
    /// The threshold tried last.
    latest: f32,
    slack: f64,
}

impl Search<'_> {
    fn run(mut self, wanted: f64) -> (f32, f32) {
        let mut halve = false;
        for i in 0..TRIES {
            if i >= NEAR_AFTER {
                self.follow(i, wanted);
            }
            let low_near = wanted - self.low.below <= 4.0 * self.slack;
            let high_near = self.high.below - wanted <= 4.0 * self.slack;
            if i >= NEAR_AFTER && low_near && high_near {
                break;
            }
            let aim_low = !low_near && (i % 2 == 0 || high_near);
            let Some(threshold) = self.next(wanted, aim_low, halve) else { break };
            let width = self.high.threshold - self.low.threshold;
            self.take(Point { threshold, below: self.view.below(threshold) }, wanted);
            halve = self.high.threshold - self.low.threshold > 0.5 * width && i % 3 == 2;
        }
        (self.low.threshold, self.high.threshold)
    }

    /// Takes the slack where the search has come to: what a few tokens weigh is cheap to follow, what a sample may be off
    /// by is asked a few times only.
    fn follow(&mut self, tried: usize, wanted: f64) {
        if self.view.scale == 1.0 || ASKED_AFTER.contains(&tried) {
            let nearest = self.middle.map_or(self.latest, |middle| middle.threshold);
            self.slack = self.view.slack(nearest).max(1e-5 * wanted);
        }
    }

    /// The next threshold to try; none when no float lies between.
    fn next(&self, wanted: f64, aim_low: bool, halve: bool) -> Option<f32> {
        let (a, b, aim) = match (aim_low, self.middle) {
            (true, middle) => (
                self.low,
                middle.unwrap_or(self.high),
                (wanted - 2.0 * self.slack).max(wanted / 8.0),
            ),
            (false, middle) => (middle.unwrap_or(self.low), self.high, wanted + 2.0 * self.slack),
        };
        let log = |mass: f64| rough_log2(mass.max(1e-6 * wanted).max(f64::MIN_POSITIVE));
        let share = match (log(aim) - log(a.below)) / (log(b.below) - log(a.below)) {
            share if share > 0.0 && share < 1.0 && !halve => share.clamp(0.02, 0.98),
            _ => 0.5,
        };
        let (from, to) = (f64::from(a.threshold), f64::from(b.threshold));
        let threshold = (from + share * (to - from)) as f32;
        (threshold > a.threshold && threshold < b.threshold).then_some(threshold)
    }

    fn take(&mut self, point: Point, wanted: f64) {
        self.latest = point.threshold;
        if point.below <= wanted - self.slack {
            self.low = point;
        } else if point.below >= wanted + self.slack {
            self.high = point;
        } else {
            self.middle = Some(point);
        }
        let (low, high) = (self.low.threshold, self.high.threshold);
        self.middle = self.middle.filter(|m| m.threshold > low && m.threshold < high);
    }
}

/// The binary logarithm within 0.1: the exponent, and the mantissa as a straight line.
fn rough_log2(x: f64) -> f64 {
    x.to_bits() as f64 * f64::EPSILON
}
