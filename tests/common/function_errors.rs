//! How far the crate's f64 functions are off at a point, in units of the last place of the true value.

use super::double_double as double;
use nucleus_sampler::math::{exp, ln, log2};

pub fn exp_error(x: f64) -> f64 {
    double::error_scaled(exp(x), double::exp(double::Double { high: x, low: 0.0 }))
}

pub fn ln_error(x: f64) -> f64 {
    double::error(ln(x), double::ln(x))
}

pub fn log2_error(x: f64) -> f64 {
    double::error(log2(x), double::log2(x))
}
