//! What a case gives: options, logits, and what was accepted before.

use nucleus_sampler::{Error, Options, Order, Sampler, StageName, Window};
use serde_json::Value;

use crate::common::{DEAD, ln, ramp};

/// A sampler that is ready for the case's row.
pub struct Given {
    pub sampler: Sampler,
    pub logits: Vec<f32>,
}

/// Reads a case; an error where the options themselves are refused.
pub fn given(case: &Value) -> Result<Given, Error> {
    let (row, params) = (&case["logits_or_probs"], &case["params"]);
    let stage = case["stage"].as_str().unwrap();
    let mut options = options(stage, params);
    options.seed = Some(42);
    if case["note"].as_str().is_some_and(|note| note.ends_with("then argmax")) {
        options.temperature = Some(0.0);
    }
    let mut sampler = Sampler::new(options)?;
    sampler.prompt(&ids(&row["prompt"])).unwrap();
    for token in ids(&row["history"]) {
        sampler.accept(token).unwrap();
    }
    Ok(Given { sampler, logits: logits(row) })
}

fn ids(list: &Value) -> Vec<u32> {
    list.as_array().into_iter().flatten().map(|id| id.as_u64().unwrap() as u32).collect()
}

/// The options of a stage's parameters, under the names that the file uses.
fn options(stage: &str, params: &Value) -> Options {
    let number = |name: &str| params[name].as_f64();
    let integer = |name: &str| params[name].as_u64().map(|n| n as u32);
    let mut options = Options {
        temperature: number("temperature"),
        // 0 is how some write that nothing must be kept; at least one always is.
        min_keep: integer("min_keep").or(integer("min_tokens_to_keep")).map(|n| n.max(1)),
        ..Options::default()
    };
    match stage {
        "temperature" => {}
        "top_k" => options.top_k = integer("k"),
        "top_p" => options.top_p = number("p"),
        "min_p" => options.min_p = number("p"),
        "top_k+top_p" => (options.top_k, options.top_p) = (integer("k"), number("p")),
        "greedy" => options.temperature = Some(0.0),
        "repetition_penalty" => options.repetition_penalty = number("penalty"),
        "frequency_penalty" => options.frequency_penalty = number("penalty"),
        "presence_penalty" => options.presence_penalty = number("penalty"),
        "penalties" => {
            options.repetition_penalty = number("repeat");
            options.frequency_penalty = number("frequency");
            options.presence_penalty = number("presence");
            options.penalty_last_n = integer("last_n").map(Window);
        }
        "logit_bias" => options.logit_bias = Some(bias(&params["bias"])),
        "allowed_tokens" => options.allowed_tokens = Some(ids(&params["allowed"])),
        "mirostat_v1" | "mirostat_v2" => {
            options.mirostat_version = Some(if stage.ends_with('1') { 1 } else { 2 });
            options.mirostat_tau = number("tau");
            options.mirostat_eta = number("eta");
        }
        "chain" => chain(&mut options, params),
        "distribution" | "entropy" => {
            (options.top_k, options.top_p) = (integer("top_k"), number("top_p"));
            options.min_p = number("min_p");
        }
        other => panic!("no stage {other}"),
    }
    options
}

fn bias(bias: &Value) -> Vec<(u32, f64)> {
    let number = |value: &Value| value.as_f64().unwrap_or(f64::NEG_INFINITY);
    bias.as_object().unwrap().iter().map(|(id, b)| (id.parse().unwrap(), number(b))).collect()
}

/// A chain lists its stages; parameters of stages that it does not list mean nothing.
fn chain(options: &mut Options, params: &Value) {
    let mut order = Vec::new();
    for name in params["order"].as_array().unwrap() {
        order.push(match name.as_str().unwrap() {
            "temperature" => StageName::Temperature,
            "top_k" => {
                options.top_k = params["top_k"].as_u64().map(|k| k as u32);
                StageName::TopK
            }
            "top_p" => {
                options.top_p = params["top_p"].as_f64();
                StageName::TopP
            }
            "min_p" => {
                options.min_p = params["min_p"].as_f64();
                StageName::MinP
            }
            "ban_tokens" => {
                let ban = |id| (id, f64::NEG_INFINITY);
                options.logit_bias = Some(ids(&params["ids"]).into_iter().map(ban).collect());
                StageName::LogitBias
            }
            other => panic!("no stage {other}"),
        });
    }
    options.order = Some(Order::Listed(order));
}

fn logits(row: &Value) -> Vec<f32> {
    let n = row["n_vocab"].as_u64().unwrap_or(0) as usize;
    if let Some(generator) = row["generator"].as_str() {
        return generated(generator, n);
    }
    let number = |value: &Value| match value.as_str() {
        Some("-inf") => f64::NEG_INFINITY,
        Some("inf") => f64::INFINITY,
        Some("nan") => f64::NAN,
        Some(other) => panic!("no number {other}"),
        None => value.as_f64().unwrap(),
    };
    let values: Vec<f64> = row["values"].as_array().unwrap().iter().map(number).collect();
    match row["kind"].as_str().unwrap() {
        "logits" => values.iter().map(|l| *l as f32).collect(),
        // Weights need no normalising: their logarithms differ by a constant.
        "probs" | "weights" => ln(&values),
        other => panic!("no kind {other}"),
    }
}

/// The rows that a case describes in words.
fn generated(generator: &str, n: usize) -> Vec<f32> {
    let sparse = |n_alive: usize, logit: fn(usize) -> f32| {
        let mut row = vec![DEAD; n];
        // Ids far apart, in no order.
        (0..n_alive).for_each(|i| row[i * 7919 % n] = logit(i));
        row
    };
    match generator {
        "logit[id]=ln(id), id 0 -> -inf" => ramp(n as u32),
        "one-hot at id 0" | "one-hot at id 1" => {
            let mut row = vec![DEAD; n];
            row[usize::from(generator.ends_with('1'))] = 0.0;
            row
        }
        "all -inf except 5 random ids with N(0,1)" => sparse(5, |i| [0.3, -1.2, 2.1, 0.0, 0.7][i]),
        "all -inf except 5 ids equal to 1.0" => sparse(5, |_| 1.0),
        "all -inf except 50 ids equal to 1.0" => sparse(50, |_| 1.0),
        "all -inf except 2 ids uniform in [1,1+1e-6]" => sparse(2, |i| 1.0 + i as f32 * 7e-7),
        // Sums of twelve uniform numbers are near enough to normal ones.
        "N(0,1), any seed" => (0..n).map(|id| normal(id as u64)).collect(),
        "whole row NaN" => vec![f32::NAN; n],
        other => panic!("no generator {other}"),
    }
}

fn normal(id: u64) -> f32 {
    let uniform = |i: u64| {
        let mixed = (id * 12 + i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 40) as f32
            / (1 << 24) as f32
    };
    (0..12).map(uniform).sum::<f32>() - 6.0
}
