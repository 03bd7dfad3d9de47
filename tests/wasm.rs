//! The same crate inside WebAssembly, in a browser: what it computes is what it computes natively, bit for bit, and what
//! it throws is what `js/` expects.
//!
//! Natively the tests of numbers run too, so that a checksum is never that of WebAssembly alone.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

mod common;

use common::stable::{OUTPUT, PROMPT, ROW, cases};
use nucleus_sampler::math::{exp, exp_f32, ln, log2, rank_key};
use nucleus_sampler::rng::{Purpose, Words};
use nucleus_sampler::{Options, Rows, Sampler};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

#[cfg(target_arch = "wasm32")]
wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);

/// FNV-1a over words of 64 bits: differs where any bit of any word does.
fn checksum(words: impl Iterator<Item = u64>) -> u64 {
    words.fold(0xcbf2_9ce4_8422_2325, |sum, word| (sum ^ word).wrapping_mul(0x100_0000_01b3))
}

/// Positive floats of every exponent, each with `n` mantissas.
fn every_exponent(n: u64) -> impl Iterator<Item = f64> {
    (0..2047u64).flat_map(move |exponent| {
        (0..n).map(move |i| {
            f64::from_bits(exponent << 52 | i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 12)
        })
    })
}

#[test]
fn exp_f32_has_the_native_bits() {
    let (first, last) = ((-0.0f32).to_bits(), (-64.0f32).to_bits());
    let bits =
        (first..=last).step_by(997).map(|bits| u64::from(exp_f32(f32::from_bits(bits)).to_bits()));
    assert_eq!(checksum(bits), 16_933_280_934_796_674_425);
}

#[test]
fn f64_functions_have_the_native_bits() {
    let grid = (-750_000..=710_000).map(|i| f64::from(i) / 1000.0);
    let found = [
        checksum(grid.map(|x| exp(x).to_bits())),
        checksum(every_exponent(100).map(|x| ln(x).to_bits())),
        checksum(every_exponent(100).map(|x| log2(x).to_bits())),
    ];
    let expected =
        [12_973_275_351_424_481_094, 9_168_165_809_634_214_624, 7_336_067_749_700_158_148];
    assert_eq!(found, expected);
}

#[test]
fn rank_keys_have_the_native_bits() {
    let keys = (0..=u32::MAX).step_by(4093).map(|bits| u64::from(rank_key(f32::from_bits(bits))));
    assert_eq!(checksum(keys), 2_314_464_054_044_542_815);
}

#[test]
fn value_stability() {
    for case in cases() {
        let seed = case.options.seed.or(Some(42));
        let mut sampler = Sampler::new(Options { seed, ..case.options.clone() }).unwrap();
        sampler.prompt(&PROMPT).unwrap();
        OUTPUT.iter().for_each(|token| sampler.accept(*token).unwrap());
        let distribution = sampler.distribution(&ROW).unwrap();
        let best = (1u64 << 44) as f64 / case.mass as f64;
        assert_eq!(
            (distribution.kept_count, distribution.probs[0]),
            (case.kept_count, best),
            "{}",
            case.name
        );
        assert_eq!(sampler.sample_many(&ROW, 16).unwrap(), case.tokens, "{}", case.name);
    }
}

#[test]
fn value_stability_of_words() {
    let mut words = Words::new(42, 0, Purpose::Draw);
    let expected = [
        6_424_161_053_832_095_879,
        5_270_208_426_312_333_099,
        9_102_960_255_288_774_902,
        6_786_414_922_848_728_802,
    ];
    assert_eq!([0, 1, 2, 3].map(|n| words.word(n)), expected);
}

#[test]
fn value_stability_of_a_batch() {
    let mut sampler = Sampler::new(Options { seed: Some(42), ..Options::default() }).unwrap();
    let tokens = sampler.sample_batch(&ROW.repeat(8), Rows::First(8)).unwrap();
    assert_eq!(tokens, [4, 9, 4, 8, 8, 8, 11, 2]);
}

/// A recorded row; inside WebAssembly there are no files.
fn recorded(name: &str) -> Vec<f32> {
    let bytes: &[u8] = match name {
        "capital" => include_bytes!("golden/rows/capital.f32"),
        "once" => include_bytes!("golden/rows/once.f32"),
        "seven" => include_bytes!("golden/rows/seven.f32"),
        "code" => include_bytes!("golden/rows/code.f32"),
        "list" => include_bytes!("golden/rows/list.f32"),
        other => panic!("no row is called {other}"),
    };
    bytes.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
}

/// Every number that describes what a chain leaves of a row.
fn numbers(options: &Options, row: &[f32]) -> Vec<u64> {
    let mut sampler = Sampler::new(Options { seed: Some(42), ..options.clone() }).unwrap();
    sampler.prompt(&PROMPT).unwrap();
    sampler.accept(7042).unwrap();
    let kept = sampler.distribution(row).unwrap();
    let report = sampler.report(row, true).unwrap();
    let logprobs = sampler.logprobs(row, 1000, None).unwrap();
    let ranks = report.tokens.unwrap().rank;
    let reals = kept.probs.iter().chain(&kept.cumulative).chain([&kept.kept_mass, &kept.entropy]);
    // What is off says nothing, and a new stage that is off changes no number.
    let stages = report.stages.iter().filter(|stage| stage.active).flat_map(|stage| {
        [
            stage.mass_removed,
            stage.entropy_before,
            stage.entropy_after,
            stage.threshold.unwrap_or(-1.0),
        ]
    });
    let logprobs = logprobs.raw.iter().chain(&logprobs.kept).map(|item| item.logprob);
    let reals = reals.copied().chain(stages).chain(logprobs).map(f64::to_bits);
    let ids = kept.token_ids.iter().chain(&ranks).map(|id| u64::from(*id));
    let logits = kept.logits.iter().map(|logit| u64::from(logit.to_bits()));
    reals.chain(ids).chain(logits).collect()
}

#[test]
fn every_number_about_the_recorded_rows_has_the_native_bits() {
    let plain = Options::default();
    let chains = [
        plain.clone(),
        Options { temperature: Some(0.0), ..plain.clone() },
        Options { temperature: Some(0.3), top_p: Some(0.99), ..plain.clone() },
        Options { temperature: Some(2.0), top_k: Some(500), min_p: Some(0.001), ..plain.clone() },
        Options {
            top_p: Some(0.9),
            repetition_penalty: Some(1.3),
            frequency_penalty: Some(0.4),
            ..plain
        },
    ];
    let found = chains.map(|options| {
        checksum(common::ROWS.iter().flat_map(|name| numbers(&options, &recorded(name))))
    });
    let expected = [
        7_548_202_551_829_598_973,
        10_030_933_957_724_278_885,
        2_884_248_947_809_364_028,
        11_178_476_796_445_985_912,
        2_811_770_676_169_997_350,
    ];
    assert_eq!(found, expected);
}

#[test]
fn the_recorded_rows_give_the_reference_s_4800_tokens() {
    let golden: serde_json::Value =
        serde_json::from_str(include_str!("golden/draws.json")).unwrap();
    let mut n = 0;
    for case in golden["cases"].as_array().unwrap() {
        let seed = case["seed"].as_str().unwrap().parse().unwrap();
        let options = Options { seed: Some(seed), ..common::options(&case["options"]) };
        let tokens: Vec<u32> = serde_json::from_value(case["tokens"].clone()).unwrap();
        let row = recorded(case["row"].as_str().unwrap());
        n += tokens.len();
        assert_eq!(
            Sampler::new(options).unwrap().sample_many(&row, tokens.len()).unwrap(),
            tokens,
            "{case}"
        );
    }
    assert_eq!(n, 4800);
}

/// What only WebAssembly has: the boundary, called through the JavaScript that is made for it.
#[cfg(target_arch = "wasm32")]
mod javascript {
    use js_sys::{Array, Object, Reflect};
    use wasm_bindgen::prelude::{Closure, wasm_bindgen};
    use wasm_bindgen::{JsCast, JsValue};
    use wasm_bindgen_test::wasm_bindgen_test;

    // The runner serves the bindings of this very module under this name: the classes are those that a user gets.
    #[wasm_bindgen(inline_js = r#"
        import * as bindings from "/wasm-bindgen-test";

        /** What a call throws; undefined when it throws nothing. */
        function thrown(call) {
            try {
                call();
            } catch (error) {
                return error;
            }
        }

        export const thrown_by_options = (options) => thrown(() => new bindings.RawSampler(options));
        export const thrown_by_state = (state) => thrown(() => bindings.RawSampler.fromState(state));
        export function thrown_by_sampling(options, row, mask) {
            const sampler = new bindings.RawSampler(options);
            const buffer = new bindings.LogitsBuffer(2);
            return thrown(() => sampler.sample(buffer, 2, row, mask));
        }
        export const start = () => bindings.start();

        /** What a call says on the console as an error, whether or not it throws. */
        export function said_by(call) {
            const { error } = console;
            const said = [];
            console.error = (...words) => said.push(words.join(" "));
            const broke = thrown(call) instanceof WebAssembly.RuntimeError;
            console.error = error;
            return [broke, ...said];
        }
    "#)]
    extern "C" {
        fn thrown_by_options(options: &JsValue) -> JsValue;
        fn thrown_by_state(state: &JsValue) -> JsValue;
        fn thrown_by_sampling(options: &JsValue, row: u32, mask: Option<Vec<u32>>) -> JsValue;
        fn start();
        fn said_by(call: &Closure<dyn FnMut()>) -> Array;
    }

    fn object(properties: &[(&str, JsValue)]) -> JsValue {
        let object = Object::new();
        for (name, value) in properties {
            Reflect::set(&object, &(*name).into(), value).unwrap();
        }
        object.into()
    }

    /// The error has these properties beside its message, and no other.
    fn assert_thrown(error: &JsValue, expected: &[(&str, JsValue)]) {
        assert!(error.is_instance_of::<js_sys::Error>(), "{error:?}");
        let mut names: Vec<String> = expected.iter().map(|(name, _)| (*name).into()).collect();
        let mut found: Vec<String> = Object::keys(error.unchecked_ref::<Object>())
            .iter()
            .map(|name| name.as_string().unwrap())
            .collect();
        names.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, names);
        for (name, value) in expected {
            assert_eq!(Reflect::get(error, &(*name).into()).unwrap(), *value, "{name}");
        }
    }

    #[wasm_bindgen_test]
    fn options_that_are_not_accepted_throw_errors_with_code_option_and_what_is_accepted() {
        for (name, value, code, accepted) in [
            ("topP", 2.0.into(), "out_of_range", "a number in [0, 1]"),
            ("topP", "1".into(), "wrong_type", "a number in [0, 1]"),
            ("top_p", 1.0.into(), "unknown_option", "topP"),
            ("minKeep", 0.0.into(), "out_of_range", "an integer from 1 to 4294967295"),
        ] {
            let error = thrown_by_options(&object(&[(name, value)]));
            let option = ("option", name.into());
            assert_thrown(&error, &[("code", code.into()), option, ("accepted", accepted.into())]);
        }
    }

    #[wasm_bindgen_test]
    fn an_order_that_cannot_be_run_names_the_stage() {
        let order = Array::of2(&"draw".into(), &"top_k".into());
        let error = thrown_by_options(&object(&[("order", order.into())]));
        let stage = ("stage", "draw".into());
        assert_thrown(&error, &[("code", "bad_order".into()), ("option", "order".into()), stage]);
    }

    #[wasm_bindgen_test]
    fn a_call_that_fails_throws_an_error_with_row_stage_index_or_option() {
        let seed = ("seed", JsValue::from(1));
        let plain = object(std::slice::from_ref(&seed));
        let code = |code: &str| ("code", JsValue::from(code));
        let error = thrown_by_sampling(&plain, 7, None);
        assert_thrown(&error, &[code("row_unknown"), ("row", 7.into())]);
        let error = thrown_by_sampling(&plain, 0, Some(vec![0]));
        assert_thrown(&error, &[code("nothing_left"), ("stage", "mask".into())]);
        let error = thrown_by_sampling(&plain, 0, Some(vec![0, 0]));
        let lengths = [("option", "mask".into()), ("accepted", "1".into())];
        assert_thrown(&error, &[&[code("wrong_length")], lengths.as_slice()].concat());
        let error = thrown_by_sampling(
            &object(&[seed, ("allowedTokens", Array::of1(&9.into()).into())]),
            0,
            None,
        );
        let token = [("option", "allowedTokens".into()), ("index", 9.into())];
        let accepted = ("accepted", "token ids below 2".into());
        assert_thrown(&error, &[&[code("bad_token"), accepted], token.as_slice()].concat());
        assert!(thrown_by_sampling(&plain, 0, None).is_undefined());
    }

    #[wasm_bindgen_test]
    fn a_state_of_another_version_says_which_is_accepted() {
        let error = thrown_by_state(&object(&[("version", 2.into())]));
        assert_thrown(&error, &[("code", "state_version".into()), ("accepted", "1".into())]);
    }

    /// The hook stays: once a panic has ended in a trap, this instance may not change it any more. What another test
    /// says when it fails is then found on the console too.
    #[wasm_bindgen_test]
    fn a_panic_says_on_the_console_where_and_what_it_was() {
        start();
        let breaks = Closure::new(|| panic!("an invariant is broken"));
        let said = said_by(&breaks);
        assert_eq!((said.length(), said.get(0)), (2, JsValue::TRUE), "{said:?}");
        let sentence = said.get(1).as_string().unwrap();
        assert!(sentence.starts_with("nucleus-sampler: "), "{sentence}");
        assert!(
            sentence.contains("tests/wasm.rs") && sentence.contains("an invariant is broken"),
            "{sentence}"
        );
    }
}
