//! The chains of the golden file: every stage and option, in the ways that could tell one build from another.

use serde_json::{Value, json};

use super::golden::{Chain, Use};

fn all(uses: &[Use], options: Vec<Value>) -> Vec<Chain> {
    options.into_iter().map(|options| Chain { options, uses: uses.to_vec() }).collect()
}

/// Every chain.
pub fn chains() -> Vec<Chain> {
    let everything = [Use::History, Use::Bias, Use::Allowed, Use::Mask];
    [
        all(&[], temperatures()),
        all(&[], truncations()),
        all(&[], orders()),
        all(&[], controllers()),
        all(&[Use::History, Use::Mask], vec![
            json!({ "mirostat": { "version": 2, "tau": 1.3 }, "presencePenalty": 0.5, "temperature": 0.8 }),
            json!({ "adaptiveP": { "target": 0.2 }, "repetitionPenalty": 1.2, "minP": 0.01 }),
        ]),
        all(&[Use::History], penalties()),
        all(&[Use::Bias], vec![
            json!({}),
            json!({ "temperature": 0.7, "topP": 0.9 }),
            json!({ "temperature": 1.3, "topK": 20, "order": ["temperature", "top_k", "logit_bias"] }),
            json!({ "temperature": 0.0, "order": ["temperature", "logit_bias"] }),
        ]),
        all(&[Use::Allowed], vec![
            json!({ "temperature": 0.9 }),
            json!({ "topK": 3, "order": ["top_k", "allowed_tokens"] }),
        ]),
        all(&[Use::Second], guided()),
        all(&[Use::Second, Use::Mask], vec![json!({ "guidance": { "scale": 2.5 }, "minP": 0.05 })]),
        all(&[Use::History, Use::Words], vec![json!({ "temperature": 0.8 })]),
        all(&[Use::History, Use::Ends], vec![
            json!({ "minNewTokens": 21 }),
            json!({ "minNewTokens": 20, "topK": 5 }),
        ]),
        all(&[Use::History], repetitions()),
        all(&[], coins()),
        all(&[Use::Mask], vec![
            json!({}),
            json!({ "temperature": 0.8, "topP": 0.95 }),
            json!({ "temperature": 0.0 }),
        ]),
        all(&everything, vec![
            json!({
                "temperature": 0.7, "topK": 30, "topP": 0.97, "minP": 0.01, "minKeep": 2,
                "repetitionPenalty": 1.1, "frequencyPenalty": 0.2, "presencePenalty": 0.1,
            }),
        ]),
    ]
    .concat()
}

/// 1 / T short, long, and past the clamps of the factor.
fn temperatures() -> Vec<Value> {
    let mut list = vec![json!({})];
    for t in [0.5, 2.0, 0.7, 0.8, 0.9, 1.1, 1.3, 3.0, 0.1, 0.05, 17.3, 1e-3, 1e6, 1e31, 5e-324, 0.0]
    {
        list.push(json!({ "temperature": t }));
    }
    list
}

fn truncations() -> Vec<Value> {
    let mut list = Vec::new();
    for k in [1, 2, 40, 1000] {
        list.push(json!({ "topK": k }));
    }
    for p in [0.95, 0.9, 0.55, 0.999, 0.999_999_999, 1e-9, 0.0, 1.0 - f64::EPSILON / 2.0] {
        list.push(json!({ "topP": p }));
    }
    for m in [0.05, 0.5, 1.0, 0.001, 1e-13] {
        list.push(json!({ "minP": m }));
    }
    for t in [0.7, 0.8, 1.3] {
        list.push(json!({ "temperature": t, "topP": 0.95 }));
        list.push(json!({ "temperature": t, "topK": 40, "topP": 0.95 }));
        list.push(json!({ "temperature": t, "topP": 0.95, "minP": 0.05 }));
        list.push(json!({ "temperature": t, "minP": 0.1 }));
    }
    list.push(json!({ "topP": 0.0, "minKeep": 3 }));
    list.push(json!({ "minP": 1.0, "minKeep": 7, "temperature": 0.6 }));
    list.push(json!({ "topK": 1, "minKeep": 20, "topP": 0.3 }));
    list.push(json!({ "temperature": 0.0, "topK": 5, "minKeep": 4 }));
    list
}

fn orders() -> Vec<Value> {
    vec![
        json!({ "temperature": 1.4, "topK": 25, "topP": 0.9, "minP": 0.02,
            "order": ["min_p", "top_p", "top_k", "temperature"] }),
        json!({ "temperature": 0.7, "topP": 0.8, "minP": 0.1,
            "order": ["temperature", "top_p", "temperature", "min_p"] }),
        json!({ "temperature": 1.7, "topP": 0.95, "order": ["top_p", "temperature", "draw"] }),
        json!({ "topK": 10, "topP": 0.9, "order": ["top_k", "top_p", "greedy"] }),
        json!({ "temperature": 0.0, "topP": 0.5, "order": ["top_p", "temperature", "draw"] }),
    ]
}

/// Terminal stages with a controller at its start, after cuts and temperatures, and at temperature 0.
fn controllers() -> Vec<Value> {
    let mirostat = |version: u32, tau: f64| json!({ "version": version, "tau": tau });
    let mut list = Vec::new();
    for version in [1, 2] {
        for tau in [0.0, 0.6, 2.0, 3.7, 5.0, 40.0] {
            list.push(json!({ "mirostat": mirostat(version, tau) }));
        }
        list.push(json!({ "mirostat": mirostat(version, 1.7), "temperature": 0.7 }));
        list.push(json!({ "mirostat": mirostat(version, 1.1), "topP": 0.9, "minKeep": 4 }));
        list.push(json!({ "mirostat": mirostat(version, 3.0), "temperature": 0.0 }));
    }
    for target in [1e-3, 0.1, 0.5, 1.0] {
        list.push(json!({ "adaptiveP": { "target": target }, "minP": 0.02 }));
    }
    list.push(json!({ "adaptiveP": { "target": 0.3, "decay": 0.5 }, "temperature": 1.3 }));
    list.push(json!({ "adaptiveP": { "target": 0.3 }, "temperature": 0.0 }));
    list.push(json!({ "adaptiveP": { "target": 0.4 }, "topK": 12,
        "order": ["temperature", "top_k", "adaptive_p"] }));
    list
}

fn guided() -> Vec<Value> {
    vec![
        json!({ "guidance": { "scale": 1.5 } }),
        json!({ "guidance": { "scale": -0.5 }, "temperature": 0.7, "topP": 0.9 }),
        json!({ "guidance": { "scale": 3 }, "temperature": 0.7, "topK": 30,
            "order": ["top_k", "temperature", "guidance"] }),
    ]
}

/// What the text has said before.
fn repetitions() -> Vec<Value> {
    vec![
        json!({ "noRepeatNgramSize": 1 }),
        json!({ "noRepeatNgramSize": 2, "temperature": 0.7, "topP": 0.95 }),
        json!({ "dry": { "multiplier": 0.8, "allowedLength": 1 } }),
        json!({ "dry": { "multiplier": 2, "base": 1.3, "allowedLength": 0, "lastN": 12 }, "minP": 0.02 }),
        json!({ "dry": { "multiplier": 0.5, "allowedLength": 1, "breakers": [[0], [2, 1]] },
            "temperature": 0.8, "order": ["temperature", "dry"] }),
    ]
}

/// Both sides of the coin, and one.
fn coins() -> Vec<Value> {
    vec![
        json!({ "xtc": { "probability": 0.5, "threshold": 0.05 } }),
        json!({ "xtc": { "probability": 0.3, "protectedTokens": [0, 1, 5] }, "temperature": 0.7, "topP": 0.9 }),
        json!({ "xtc": { "probability": 1, "threshold": 0.001 }, "minKeep": 3, "temperature": 1.3 }),
        json!({ "xtc": { "probability": 0.6 }, "temperature": 0, "order": ["xtc", "temperature"] }),
    ]
}

fn penalties() -> Vec<Value> {
    let three =
        json!({ "repetitionPenalty": 1.3, "frequencyPenalty": 0.4, "presencePenalty": 0.2 });
    let with = |more: Value| {
        let mut options = three.clone();
        let map = options.as_object_mut().unwrap();
        map.extend(more.as_object().unwrap().clone());
        options
    };
    vec![
        json!({ "repetitionPenalty": 1.3 }),
        json!({ "repetitionPenalty": 0.8, "temperature": 0.7 }),
        json!({ "frequencyPenalty": 0.4 }),
        json!({ "frequencyPenalty": -0.3, "topP": 0.9 }),
        json!({ "presencePenalty": 0.6, "temperature": 1.3, "minP": 0.03 }),
        three.clone(),
        with(json!({ "penaltyLastN": 0 })),
        with(json!({ "penaltyLastN": 5, "temperature": 0.7, "topP": 0.95 })),
        with(json!({ "penaltyLastN": 16, "topK": 12, "minKeep": 3 })),
        with(json!({ "temperature": 0.7, "topP": 0.9,
            "order": ["temperature", "repetition_penalty", "top_p", "frequency_penalty", "presence_penalty"] })),
        with(json!({ "temperature": 0.9, "topK": 30, "topP": 0.9,
            "order": ["top_k", "temperature", "presence_penalty", "top_p", "temperature", "frequency_penalty",
                "repetition_penalty"] })),
        json!({ "preset": "textbook", "temperature": 1.1, "topK": 8, "topP": 0.95, "repetitionPenalty": 1.5 }),
        json!({ "repetitionPenalty": 2.0, "temperature": 0.0 }),
        json!({ "frequencyPenalty": 3e38 }),
    ]
}
