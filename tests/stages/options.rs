//! Every option changes what it says it changes, and options may be given as plain data.

use nucleus_sampler::options::PARAMETERS;
use nucleus_sampler::value::Value;
use nucleus_sampler::{GuardPolicy, Input, Options, Order, PresetName, Sampler, StageName, Window};

use crate::common::sampler;
use crate::ordered;

const ROW: [f32; 6] = [2.0, 1.5, 1.0, 0.5, -0.5, -1.0];

/// A second row, for what moves away from one.
const OTHER: [f32; 6] = [1.0, 1.0, 0.5, 2.0, 0.0, -3.0];

/// What can be seen of a sampler: what it keeps, twenty draws, and a hundred of which each is accepted.
fn seen(options: &Options) -> (Vec<u32>, Vec<f32>, Vec<f64>, Vec<u32>) {
    let mut sampler = sampler(options);
    sampler.prompt(&[0, 1]).unwrap();
    [1, 2, 1].into_iter().for_each(|token| sampler.accept(token).unwrap());
    let input = Input { unconditional: Some(&OTHER), ..Input::from(&ROW) };
    let found = sampler.distribution(input).unwrap();
    let mut draws = sampler.sample_many(input, 20).unwrap();
    for _ in 0..100 {
        // In the end no sequence of two may be left.
        let Ok(token) = sampler.sample(input) else { break };
        sampler.accept(token).unwrap();
        draws.push(token);
    }
    (found.token_ids, found.logits, found.probs, draws)
}

/// What an option changes: options without it, and the same with it.
#[derive(Clone, Debug)]
pub struct Change {
    pub key: &'static str,
    pub without: Options,
    pub with: Options,
}

impl Change {
    /// Of an option that needs no other.
    pub fn from_none(key: &'static str, with: Options) -> Change {
        Change { key, without: Options::default(), with }
    }
}

/// What every option changes; each stage's test file says it of the stage's own, but for the first ones.
fn changes() -> Vec<Change> {
    [
        general_changes(),
        text_changes(),
        coin_changes(),
        guard_changes(),
        crate::adaptive_p::changes(),
        crate::dynamic_temperature::changes(),
        crate::epsilon_cutoff::changes(),
        crate::eta_cutoff::changes(),
        crate::mirostat::changes(),
        crate::p_less::changes(),
        crate::smoothing::changes(),
        crate::tail_free::changes(),
        crate::top_a::changes(),
        crate::top_h::changes(),
        crate::top_n_sigma::changes(),
        crate::typical_p::changes(),
    ]
    .concat()
}

fn general_changes() -> Vec<Change> {
    let plain = Options::default();
    let penalty = Options { repetition_penalty: Some(2.0), ..plain.clone() };
    let two_stages = Options { temperature: Some(0.5), top_p: Some(0.6), ..plain.clone() };
    // Penalised by 5 before top_k, token 0 no longer leads; after it, it does.
    let textbook = Options { repetition_penalty: Some(5.0), top_k: Some(2), ..plain.clone() };
    let swapped = ordered(&[StageName::TopP, StageName::Temperature], two_stages.clone());
    let one = Options { top_k: Some(1), ..plain.clone() };
    let of = Change::from_none;
    let more = |key, without: &Options, with| Change { key, without: without.clone(), with };
    vec![
        of("temperature", Options { temperature: Some(0.5), ..plain.clone() }),
        of("topK", Options { top_k: Some(3), ..plain.clone() }),
        of("topP", Options { top_p: Some(0.6), ..plain.clone() }),
        of("minP", Options { min_p: Some(0.4), ..plain.clone() }),
        of("repetitionPenalty", penalty.clone()),
        of("frequencyPenalty", Options { frequency_penalty: Some(0.7), ..plain.clone() }),
        of("presencePenalty", Options { presence_penalty: Some(0.7), ..plain.clone() }),
        of("logitBias", Options { logit_bias: Some(vec![(4, 3.0)]), ..plain.clone() }),
        of("allowedTokens", Options { allowed_tokens: Some(vec![1, 4]), ..plain.clone() }),
        of("stream", Options { stream: Some(1), ..plain.clone() }),
        of("seed", Options { seed: Some(2), ..plain }),
        more("penaltyLastN", &penalty, {
            Options { penalty_last_n: Some(Window(1)), ..penalty.clone() }
        }),
        more("minKeep", &one, Options { min_keep: Some(3), ..one.clone() }),
        more("order", &two_stages, swapped),
        more("preset", &textbook, {
            Options { preset: Some(PresetName::Textbook), ..textbook.clone() }
        }),
    ]
}

/// Of the stages that look at the text 0 1 1 2 1, and at the second row.
fn text_changes() -> Vec<Change> {
    let plain = Options::default();
    let dry = Options { dry_multiplier: Some(1.0), dry_allowed_length: Some(1), ..plain.clone() };
    let grown = Options { dry_allowed_length: Some(0), ..dry.clone() };
    let end = Options { eos_token_ids: Some(vec![0]), ..plain.clone() };
    let late = Options { min_new_tokens: Some(5), ..end.clone() };
    let of = Change::from_none;
    let more = |key, without: &Options, with| Change { key, without: without.clone(), with };
    vec![
        of("guidance.scale", Options { guidance_scale: Some(1.5), ..plain.clone() }),
        of("badWords", Options { bad_words: Some(vec![vec![2, 1, 3]]), ..plain.clone() }),
        of("noRepeatNgramSize", Options { no_repeat_ngram_size: Some(2), ..plain }),
        more("minNewTokens", &end, late.clone()),
        more("eosTokenIds", &late, Options { eos_token_ids: Some(vec![0, 1]), ..late.clone() }),
        more("dry.multiplier", &Options { dry_multiplier: None, ..dry.clone() }, dry.clone()),
        more("dry.base", &grown, Options { dry_base: Some(3.0), ..grown.clone() }),
        more("dry.allowedLength", &dry, grown.clone()),
        more("dry.lastN", &dry, Options { dry_last_n: Some(Window(2)), ..dry.clone() }),
        more("dry.breakers", &dry, Options { dry_breakers: Some(vec![vec![1]]), ..dry.clone() }),
    ]
}

fn coin_changes() -> Vec<Change> {
    let xtc = Options { xtc_probability: Some(1.0), ..Options::default() };
    let more = |key, with| Change { key, without: xtc.clone(), with };
    vec![
        Change::from_none("xtc.probability", xtc.clone()),
        more("xtc.threshold", Options { xtc_threshold: Some(0.3), ..xtc.clone() }),
        more("xtc.protectedTokens", {
            Options { xtc_protected_tokens: Some(vec![0]), ..xtc.clone() }
        }),
    ]
}

fn guard_changes() -> Vec<Change> {
    let steep = Options { min_p: Some(1.0), ..Options::default() };
    let relaxed = Options { guard_policy: Some(GuardPolicy::Relax), ..steep.clone() };
    let tripping = Options { guard_max_masked_mass: Some(0.1), ..relaxed.clone() };
    let more = |key, without: &Options, with| Change { key, without: without.clone(), with };
    vec![
        more("guard.policy", &Options { guard_max_masked_mass: Some(0.1), ..steep }, {
            tripping.clone()
        }),
        more("guard.maxMaskedMass", &relaxed, tripping.clone()),
        more("guard.maxSteps", &tripping, Options { guard_max_steps: Some(1), ..tripping.clone() }),
        more("guard.breaker.trips", &tripping, {
            Options { guard_breaker_trips: Some(1), ..tripping.clone() }
        }),
        more("guard.breaker.positions", &tripping, {
            Options { guard_breaker_positions: Some(2), ..tripping.clone() }
        }),
    ]
}

#[test]
fn every_option_changes_something() {
    let changes = changes();
    for (key, _) in PARAMETERS {
        let of_key: Vec<&Change> = changes.iter().filter(|change| change.key == *key).collect();
        assert!(!of_key.is_empty(), "{key} has no case: add one where its stage is tested");
        for Change { without, with, .. } in of_key {
            assert_ne!(seen(with), seen(without), "{key} changes nothing");
        }
    }
}

#[test]
fn a_seed_and_a_stream_change_the_draws_and_nothing_else() {
    for key in ["seed", "stream"] {
        let changes = changes();
        let change = changes.iter().find(|change| change.key == key).unwrap();
        let (a, b) = (seen(&change.without), seen(&change.with));
        assert_eq!((a.0, a.1, a.2), (b.0, b.1, b.2), "{key}");
        assert_ne!(a.3, b.3, "{key}");
    }
}

#[test]
fn the_textbook_preset_is_temperature_top_k_top_p_repetition_penalty_draw() {
    let preset = Options {
        preset: Some(PresetName::Textbook),
        temperature: Some(0.7),
        top_k: Some(5),
        top_p: Some(0.9),
        repetition_penalty: Some(1.5),
        ..Options::default()
    };
    use StageName::{Draw, RepetitionPenalty, Temperature, TopK, TopP};
    let listed = Options { preset: None, ..preset.clone() };
    let listed = ordered(&[Temperature, TopK, TopP, RepetitionPenalty, Draw], listed);
    assert_eq!(seen(&preset), seen(&listed));
}

#[test]
fn a_preset_keeps_what_was_ever_given_and_lacks_the_stages_that_it_does_not_list() {
    let mut sampler = sampler(&Options { top_k: Some(2), ..Options::default() });
    let textbook = Options { preset: Some(PresetName::Textbook), ..Options::default() };
    sampler.update(&textbook, None).unwrap();
    assert_eq!(sampler.settings().top_k, 2);
    let min_p = Options { min_p: Some(0.1), ..Options::default() };
    assert_eq!(sampler.update(&min_p, None).unwrap_err().code(), "bad_order");
    let nucleus = Options { preset: Some(PresetName::Nucleus), ..min_p };
    sampler.update(&nucleus, None).unwrap();
    assert_eq!((sampler.settings().top_k, sampler.settings().min_p), (2, 0.1));
}

#[test]
fn every_default_is_neutral() {
    let settings = sampler(&Options::default()).settings();
    assert_eq!((settings.temperature, settings.top_k, settings.top_p), (1.0, 0, 1.0));
    assert_eq!((settings.min_p, settings.min_keep), (0.0, 1));
    let penalties =
        (settings.repetition_penalty, settings.frequency_penalty, settings.presence_penalty);
    assert_eq!(penalties, (1.0, 0.0, 0.0));
    assert_eq!((settings.penalty_last_n, settings.order), (Window::ALL, Order::Default));
    assert!(settings.logit_bias.is_empty() && settings.allowed_tokens.is_empty());
    assert_eq!((settings.dynamic_temperature_range, settings.smoothing_factor), (0.0, 0.0));
    assert_eq!((settings.top_h, settings.typical_p, settings.tail_free), (1.0, 1.0, 1.0));
    assert_eq!((settings.top_n_sigma, settings.top_a, settings.p_less), (0.0, 0.0, false));
    assert_eq!((settings.epsilon_cutoff, settings.eta_cutoff), (0.0, 0.0));
    assert_eq!((settings.xtc_probability, settings.dry_multiplier), (0.0, 0.0));
    assert_eq!((settings.no_repeat_ngram_size, settings.min_new_tokens), (0, 0));
    assert_eq!((settings.guidance_scale, settings.mirostat_version), (1.0, 0));
    assert!(settings.bad_words.is_empty() && settings.adaptive_p_target == 0.0);
}

#[test]
fn a_seed_that_was_not_given_is_fresh_safe_and_can_be_read_back() {
    let seeds: Vec<u64> =
        (0..20).map(|_| Sampler::new(Options::default()).unwrap().settings().seed).collect();
    assert!(seeds.iter().all(|seed| *seed < 1 << 53), "{seeds:?}");
    assert!(seeds.iter().collect::<std::collections::BTreeSet<_>>().len() == 20, "{seeds:?}");
    let mut fresh = Sampler::new(Options::default()).unwrap();
    let seed = Some(fresh.settings().seed);
    let mut again = Sampler::new(Options { seed, ..Options::default() }).unwrap();
    assert_eq!(fresh.sample_many(&ROW, 50), again.sample_many(&ROW, 50));
}

fn ids(ids: &[u32]) -> Value {
    Value::List(ids.iter().map(|id| Value::Unsigned(u64::from(*id))).collect())
}

#[test]
fn options_given_as_plain_data_are_the_same_options() {
    let number = Value::Number;
    let plain = Value::map([
        ("temperature", number(0.7)),
        ("topK", number(40.0)),
        ("topP", Value::Unsigned(1)),
        ("minP", number(0.05)),
        ("repetitionPenalty", number(1.1)),
        ("frequencyPenalty", number(-0.5)),
        ("presencePenalty", number(0.25)),
        ("penaltyLastN", Value::Unsigned(64)),
        ("logitBias", Value::map([("7", number(1.5)), ("3", number(f64::NEG_INFINITY))])),
        ("allowedTokens", Value::List(vec![Value::Unsigned(1), number(2.0)])),
        ("minKeep", Value::Unsigned(2)),
        ("order", Value::List(vec![Value::Text("top_p".into()), Value::Text("draw".into())])),
        ("preset", Value::Text("textbook".into())),
        ("seed", Value::Text("18446744073709551615".into())),
        ("stream", Value::Unsigned(4_294_967_295)),
        ("dynamicTemperature", Value::map([("range", number(0.5)), ("exponent", number(2.0))])),
        ("smoothing", Value::map([("factor", number(0.25)), ("curve", number(1.5))])),
        ("topH", number(0.4)),
        ("typicalP", number(0.9)),
        ("topNSigma", number(1.5)),
        ("topA", number(0.2)),
        ("tailFree", number(0.95)),
        ("pLess", Value::Bool(true)),
        ("epsilonCutoff", number(1e-4)),
        ("etaCutoff", number(1e-3)),
        (
            "xtc",
            Value::map([
                ("probability", number(0.5)),
                ("threshold", number(0.2)),
                ("protectedTokens", ids(&[5])),
            ]),
        ),
        ("noRepeatNgramSize", number(3.0)),
        (
            "dry",
            Value::map([
                ("multiplier", number(0.8)),
                ("base", number(1.75)),
                ("allowedLength", number(2.0)),
                ("lastN", number(512.0)),
                ("breakers", Value::List(vec![ids(&[198]), ids(&[1, 2])])),
            ]),
        ),
        ("badWords", Value::List(vec![ids(&[9]), ids(&[3, 4, 5])])),
        ("minNewTokens", number(7.0)),
        ("eosTokenIds", ids(&[0, 2])),
        ("guidance", Value::map([("scale", number(1.5))])),
        (
            "mirostat",
            Value::map([("version", number(2.0)), ("tau", number(4.0)), ("eta", number(0.2))]),
        ),
        ("adaptiveP", Value::map([("target", number(0.55)), ("decay", number(0.9))])),
        (
            "guard",
            Value::map([
                ("policy", Value::Text("relax".into())),
                ("maxMaskedMass", number(0.5)),
                ("maxSteps", number(2.0)),
                ("breaker", Value::map([("trips", number(4.0)), ("positions", number(16.0))])),
            ]),
        ),
    ]);
    let expected = Options {
        temperature: Some(0.7),
        top_k: Some(40),
        top_p: Some(1.0),
        min_p: Some(0.05),
        repetition_penalty: Some(1.1),
        frequency_penalty: Some(-0.5),
        presence_penalty: Some(0.25),
        penalty_last_n: Some(Window(64)),
        logit_bias: Some(vec![(7, 1.5), (3, f64::NEG_INFINITY)]),
        allowed_tokens: Some(vec![1, 2]),
        min_keep: Some(2),
        order: Some(Order::Listed(vec![StageName::TopP, StageName::Draw])),
        preset: Some(PresetName::Textbook),
        seed: Some(u64::MAX),
        stream: Some(u32::MAX),
        dynamic_temperature_range: Some(0.5),
        dynamic_temperature_exponent: Some(2.0),
        smoothing_factor: Some(0.25),
        smoothing_curve: Some(1.5),
        top_h: Some(0.4),
        typical_p: Some(0.9),
        top_n_sigma: Some(1.5),
        top_a: Some(0.2),
        tail_free: Some(0.95),
        p_less: Some(true),
        epsilon_cutoff: Some(1e-4),
        eta_cutoff: Some(1e-3),
        xtc_probability: Some(0.5),
        xtc_threshold: Some(0.2),
        xtc_protected_tokens: Some(vec![5]),
        no_repeat_ngram_size: Some(3),
        dry_multiplier: Some(0.8),
        dry_base: Some(1.75),
        dry_allowed_length: Some(2),
        dry_last_n: Some(Window(512)),
        dry_breakers: Some(vec![vec![198], vec![1, 2]]),
        bad_words: Some(vec![vec![9], vec![3, 4, 5]]),
        min_new_tokens: Some(7),
        eos_token_ids: Some(vec![0, 2]),
        guidance_scale: Some(1.5),
        mirostat_version: Some(2),
        mirostat_tau: Some(4.0),
        mirostat_eta: Some(0.2),
        adaptive_p_target: Some(0.55),
        adaptive_p_decay: Some(0.9),
        guard_policy: Some(GuardPolicy::Relax),
        guard_max_masked_mass: Some(0.5),
        guard_max_steps: Some(2),
        guard_breaker_trips: Some(4),
        guard_breaker_positions: Some(16),
    };
    assert_eq!(Options::from_value(&plain).unwrap(), expected);
    assert_eq!(Options::from_value(&expected.to_value()).unwrap(), expected);
}
