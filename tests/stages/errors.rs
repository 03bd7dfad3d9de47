//! What options accept: the last value inside a range and the first outside, and what the error says.

use nucleus_sampler::parameter::Accepts;
use nucleus_sampler::value::Value;
use nucleus_sampler::{Error, Options, Window};

use crate::{above, below};

/// Numbers that an option accepts and refuses.
fn ranges() -> Vec<(&'static str, Vec<f64>, Vec<f64>)> {
    let (max, tiny) = (f64::MAX, f64::from_bits(1));
    let unit = (vec![0.0, -0.0, tiny, 0.5, below(1.0), 1.0], vec![-tiny, -0.1, above(1.0), 2.0]);
    let signed = (vec![-max, -0.5, 0.0, 0.5, max], vec![]);
    let at_least_0 = (vec![0.0, -0.0, tiny, 1.0, max], vec![-tiny, -1.0]);
    let units = ["topH", "typicalP", "topA", "tailFree", "epsilonCutoff", "etaCutoff"];
    let units = units.map(|key| (key, unit.0.clone(), unit.1.clone()));
    let from_0 = ["topNSigma", "smoothing.factor", "dynamicTemperature.range"];
    let from_0 = from_0.map(|key| (key, at_least_0.0.clone(), at_least_0.1.clone()));
    let real = [
        ("dynamicTemperature.exponent", at_least_0.0, at_least_0.1),
        ("smoothing.curve", vec![1.0, above(1.0), max], vec![below(1.0), 0.0, -1.0]),
        ("temperature", vec![0.0, -0.0, tiny, 1.0, max], vec![-tiny, -1.0]),
        ("topP", unit.0.clone(), unit.1.clone()),
        ("minP", unit.0, unit.1),
        ("repetitionPenalty", vec![tiny, 0.5, 1.0, max], vec![0.0, -0.0, -tiny, -1.0]),
        ("frequencyPenalty", signed.0.clone(), signed.1.clone()),
        ("presencePenalty", signed.0, signed.1),
    ];
    let whole = f64::from(u32::MAX);
    let fractions = vec![-1.0, 0.5, 1.5, whole + 1.0, 1e300];
    let integer = [
        ("topK", vec![0.0, 1.0, whole], fractions.clone()),
        ("penaltyLastN", vec![0.0, 1.0, whole], fractions.clone()),
        ("stream", vec![0.0, 1.0, whole], fractions.clone()),
        ("minKeep", vec![1.0, 2.0, whole], [fractions, vec![0.0]].concat()),
        (
            "seed",
            vec![0.0, 42.0, 9_007_199_254_740_991.0],
            vec![-1.0, 0.5, 9_007_199_254_740_992.0, 1e300],
        ),
    ];
    real.into_iter().chain(units).chain(from_0).chain(integer).collect()
}

fn read(key: &str, value: Value) -> Result<Options, Error> {
    // A group's options are read inside it.
    let given = key.rsplit('.').fold(value, |value, name| Value::map([(name, value)]));
    Options::from_value(&given)
}

#[test]
fn every_number_has_the_range_of_the_contract() {
    for (key, accepted, refused) in ranges() {
        for value in accepted {
            assert!(read(key, Value::Number(value)).is_ok(), "{key} refuses {value}");
        }
        for value in refused.into_iter().chain([f64::NAN, f64::INFINITY, f64::NEG_INFINITY]) {
            let error = read(key, Value::Number(value)).expect_err(key);
            assert_eq!(error.code(), "out_of_range", "{key} {value}");
            assert_eq!(error.option(), Some(key));
            assert!(error.accepted().is_some_and(|text| !text.is_empty()));
        }
    }
}

/// The same ranges hold for options made in Rust, when they are used.
#[test]
fn options_made_in_rust_are_checked_when_they_are_used() {
    let plain = Options::default();
    for options in [
        Options { temperature: Some(-1.0), ..plain.clone() },
        Options { temperature: Some(f64::NAN), ..plain.clone() },
        Options { top_p: Some(above(1.0)), ..plain.clone() },
        Options { top_p: Some(-0.1), ..plain.clone() },
        Options { min_p: Some(2.0), ..plain.clone() },
        Options { repetition_penalty: Some(0.0), ..plain.clone() },
        Options { frequency_penalty: Some(f64::INFINITY), ..plain.clone() },
        Options { presence_penalty: Some(f64::NAN), ..plain.clone() },
        Options { min_keep: Some(0), ..plain.clone() },
        Options { logit_bias: Some(vec![(0, f64::INFINITY)]), ..plain.clone() },
        Options { logit_bias: Some(vec![(0, f64::NAN)]), ..plain.clone() },
        Options { logit_bias: Some(vec![(5, 1.0), (2, 0.0), (5, 2.0)]), ..plain.clone() },
    ] {
        let error = nucleus_sampler::Sampler::new(options.clone()).unwrap_err();
        assert_eq!(error.code(), "out_of_range", "{options:?}");
    }
    let none = Options { allowed_tokens: Some(Vec::new()), ..plain };
    assert_eq!(nucleus_sampler::Sampler::new(none).unwrap_err().code(), "empty");
}

#[test]
fn messages_are_one_sentence_that_names_the_option_the_value_and_what_is_accepted() {
    for (key, value, message) in [
        ("topP", Value::Number(2.0), "topP must be a number in [0, 1], not 2"),
        ("topP", Value::Number(f64::NAN), "topP must be a number in [0, 1], not NaN"),
        (
            "temperature",
            Value::Number(-1.0),
            "temperature must be a finite number at least 0, not -1",
        ),
        (
            "repetitionPenalty",
            Value::Number(0.0),
            "repetitionPenalty must be a finite number above 0, not 0",
        ),
        (
            "presencePenalty",
            Value::Number(f64::INFINITY),
            "presencePenalty must be a finite number, not Infinity",
        ),
        ("topK", Value::Number(1.5), "topK must be an integer from 0 to 4294967295, not 1.5"),
        ("minKeep", Value::Unsigned(0), "minKeep must be an integer from 1 to 4294967295, not 0"),
        ("topP", Value::Text("high".into()), "topP must be a number in [0, 1], not a string"),
        ("topP", Value::Null, "topP must be a number in [0, 1], not null"),
        (
            "preset",
            Value::Text("gpt".into()),
            "preset must be one of nucleus, textbook, not \"gpt\"",
        ),
    ] {
        assert_eq!(read(key, value).unwrap_err().to_string(), message);
    }
}

#[test]
fn a_value_of_another_type_is_wrong_type_for_every_option() {
    for (key, accepts) in nucleus_sampler::options::PARAMETERS {
        let other = match accepts {
            Accepts::Flag => Value::Number(1.0),
            _ => Value::Bool(true),
        };
        for value in [Value::Null, other] {
            let error = read(key, value).expect_err(key);
            assert_eq!((error.code(), error.option()), ("wrong_type", Some(*key)));
        }
    }
    for group in ["dynamicTemperature", "smoothing", "xtc", "dry", "guidance", "mirostat"] {
        for value in [Value::Null, Value::Number(1.0), Value::List(Vec::new())] {
            let error = read(group, value).expect_err(group);
            assert_eq!((error.code(), error.option()), ("wrong_type", Some(group)));
        }
    }
    assert_eq!(Options::from_value(&Value::Null).unwrap_err().code(), "wrong_type");
    assert_eq!(Options::from_value(&Value::List(Vec::new())).unwrap_err().code(), "wrong_type");
}

#[test]
fn unknown_options_are_errors_that_name_the_nearest_or_all() {
    for (given, nearest) in [
        ("top_k", "topK"),
        ("minp", "minP"),
        ("repeat_penalty", "repetitionPenalty"),
        ("sed", "seed"),
    ] {
        let error = read(given, Value::Number(1.0)).unwrap_err();
        assert_eq!((error.code(), error.option()), ("unknown_option", Some(given)));
        assert_eq!(
            error.to_string(),
            format!("unknown option {given:?}: did you mean {nearest:?}?")
        );
    }
    for given in ["beams", "watermark", "noSuchThing", ""] {
        let said = read(given, Value::Number(1.0)).unwrap_err().to_string();
        assert!(said.contains(": the options are temperature, "), "{said}");
        assert!(said.contains(", topK, topP, ") && said.ends_with(", stream"), "{said}");
    }
    for wrong in ["topP.x", "smoothing.factor", "x.topP"] {
        let dotted = Value::map([(wrong, Value::Number(1.0))]);
        assert_eq!(Options::from_value(&dotted).unwrap_err().code(), "unknown_option");
    }
}

#[test]
fn an_unknown_name_inside_a_group_is_an_error_that_names_the_nearest() {
    for (group, given, nearest) in [
        ("smoothing", "faktor", "smoothing.factor"),
        ("dynamicTemperature", "ranges", "dynamicTemperature.range"),
    ] {
        let error = read(group, Value::map([(given, Value::Number(1.0))])).unwrap_err();
        let name = format!("{group}.{given}");
        assert_eq!((error.code(), error.option()), ("unknown_option", Some(name.as_str())));
        assert_eq!(error.accepted().as_deref(), Some(nearest));
    }
}

#[test]
fn a_seed_is_a_safe_number_an_integer_below_2_to_the_64_or_1_to_20_digits() {
    let seed = |value| read("seed", value).map(|options| options.seed.unwrap());
    let text = |text: &str| Value::Text(text.into());
    assert_eq!(seed(text("0")), Ok(0));
    assert_eq!(seed(text("00000000000000000042")), Ok(42));
    assert_eq!(seed(text("18446744073709551615")), Ok(u64::MAX));
    assert_eq!(seed(Value::Unsigned(u64::MAX)), Ok(u64::MAX));
    for wrong in [
        "",
        "-1",
        "+1",
        " 1",
        "1.0",
        "1e3",
        "0x10",
        "18446744073709551616",
        "000000000000000000042",
        "\u{661}",
    ] {
        assert_eq!(seed(text(wrong)).unwrap_err().code(), "out_of_range", "{wrong:?}");
    }
    assert_eq!(seed(Value::List(Vec::new())).unwrap_err().code(), "wrong_type");
}

#[test]
fn a_bias_is_pairs_or_a_map_each_id_once() {
    let bias = |value| read("logitBias", value).map(|options| options.logit_bias.unwrap());
    let pair = |id: f64, bias: f64| Value::List(vec![Value::Number(id), Value::Number(bias)]);
    assert_eq!(bias(Value::List(vec![pair(3.0, 0.5)])), Ok(vec![(3, 0.5)]));
    assert_eq!(bias(Value::map([("3", Value::Number(0.5))])), Ok(vec![(3, 0.5)]));
    let ban = Value::List(vec![pair(1.0, f64::NEG_INFINITY)]);
    assert_eq!(bias(ban), Ok(vec![(1, f64::NEG_INFINITY)]));
    // Only a state writes numbers that JSON cannot hold as texts.
    let text = Value::List(vec![Value::Unsigned(1), Value::Text("-Infinity".into())]);
    assert_eq!(bias(Value::List(vec![text])).unwrap_err().code(), "wrong_type");
    for (value, code) in [
        (Value::List(vec![pair(3.0, 0.5), pair(3.0, 0.5)]), "out_of_range"),
        (Value::List(vec![pair(0.5, 0.5)]), "out_of_range"),
        (Value::List(vec![pair(-1.0, 0.5)]), "out_of_range"),
        (Value::List(vec![pair(1.0, f64::INFINITY)]), "out_of_range"),
        (Value::List(vec![pair(1.0, f64::NAN)]), "out_of_range"),
        (Value::map([("x", Value::Number(0.5))]), "out_of_range"),
        (Value::map([("-1", Value::Number(0.5))]), "out_of_range"),
        (Value::map([("4294967296", Value::Number(0.5))]), "out_of_range"),
        (Value::List(vec![Value::Number(1.0)]), "wrong_type"),
        (Value::List(vec![Value::List(vec![Value::Number(1.0)])]), "wrong_type"),
        (Value::Number(1.0), "wrong_type"),
    ] {
        assert_eq!(bias(value.clone()).unwrap_err().code(), code, "{value:?}");
    }
}

#[test]
fn an_order_is_a_list_of_stage_names_without_the_mask() {
    let order = |names: &[&str]| {
        read("order", Value::List(names.iter().map(|name| Value::Text((*name).into())).collect()))
    };
    assert!(order(&[]).is_ok());
    assert!(order(&["temperature", "top_k", "temperature", "greedy"]).is_ok());
    for wrong in ["topK", "Top_k", "", "mask", "nucleus"] {
        let error = order(&["top_p", wrong]).unwrap_err();
        assert_eq!((error.code(), error.option()), ("out_of_range", Some("order")), "{wrong}");
    }
}

#[test]
fn a_window_of_every_size_is_accepted() {
    for n in [0, 1, u32::MAX] {
        let options = Options { penalty_last_n: Some(Window(n)), ..Options::default() };
        assert_eq!(options.check(), Ok(()));
    }
}
