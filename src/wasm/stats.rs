//! Statistics of draws, for whoever shows them.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::convert::Fields;
use super::error::Result;
use crate::stats;

/// How well counts fit probabilities.
#[wasm_bindgen(js_name = goodnessOfFit)]
pub fn goodness_of_fit(counts: &[u32], probs: &[f64]) -> Result<JsValue> {
    let counts: Vec<u64> = counts.iter().map(|count| u64::from(*count)).collect();
    let fit = stats::goodness_of_fit(&counts, probs)?;
    Ok(Fields::default()
        .with("n", JsValue::from(fit.n as f64))
        .with("totalVariation", fit.total_variation.into())
        .with("g", fit.g.into())
        .with("degrees", JsValue::from(fit.degrees as f64))
        .with("pValue", fit.p_value.into())
        .into())
}

/// The 95% interval of counts for each probability: expected, low, high, expected, ...
#[wasm_bindgen(js_name = countIntervals)]
pub fn count_intervals(probs: &[f64], n: f64) -> Result<Vec<f64>> {
    let intervals = stats::count_intervals(probs, n as u64)?;
    let three = |i: &stats::CountInterval| [i.expected, i.low as f64, i.high as f64];
    Ok(intervals.iter().flat_map(three).collect())
}
