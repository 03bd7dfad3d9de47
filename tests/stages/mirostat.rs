use nucleus_sampler::{Options, Sampler, StageName};

use crate::common::{DEAD, assert_probabilities, kept, ln, ramp, row, sampler, threshold};
use crate::options::Change;
use crate::oracle::{self, Exact, Learned, Plan};
use crate::{above, below, four, ordered};

/// What the stage's options change.
pub fn changes() -> Vec<Change> {
    let base = two(1.2);
    let more = |key, with| Change { key, without: base.clone(), with };
    vec![
        Change::from_none("mirostat.version", base.clone()),
        Change { key: "mirostat.version", without: two(2.5), with: one(2.5) },
        more("mirostat.tau", two(0.7)),
        Change {
            key: "mirostat.eta",
            without: Options { mirostat_eta: Some(0.0), ..two(0.7) },
            with: Options { mirostat_eta: Some(1.0), ..two(0.7) },
        },
    ]
}

fn two(tau: f64) -> Options {
    Options { mirostat_version: Some(2), mirostat_tau: Some(tau), ..Options::default() }
}

fn one(tau: f64) -> Options {
    Options { mirostat_version: Some(1), ..two(tau) }
}

/// The plan of mirostat with this mu.
fn at(version: u32, mu: f64) -> Plan {
    let options = Options { mirostat_version: Some(version), ..Options::default() };
    Plan { learned: Learned { mu: Some(mu), ..Learned::default() }, ..Plan::of(&options) }
}

fn kept_at(version: u32, mu: f64, row: &[f32]) -> Vec<u32> {
    at(version, mu).sampler().distribution(row).unwrap().token_ids
}

/// Surprises: 3.32, 2.32, 1.74 and 1.32 bits; mu is 2 tau.
#[test]
fn mirostat_2_keeps_tokens_whose_surprise_is_at_most_mu() {
    let one = vec![(3, 1.0)];
    let pair = vec![(2, 3.0 / 7.0), (3, 4.0 / 7.0)];
    let three = vec![(1, 2.0 / 9.0), (2, 3.0 / 9.0), (3, 4.0 / 9.0)];
    let all = vec![(0, 0.1), (1, 0.2), (2, 0.3), (3, 0.4)];
    for (tau, expected) in [
        (0.0, &one),
        (0.66, &one),
        (0.67, &one),
        (0.86, &one),
        (0.87, &pair),
        (1.16, &pair),
        (1.17, &three),
        (1.66, &three),
        (1.67, &all),
        (1e300, &all),
        (f64::MAX, &all),
    ] {
        assert_probabilities(&two(tau), &four(), expected);
    }
}

/// Weights 2^44, 2^43, 2^42 and 2^42: surprises of 1, 2, 3 and 3 bits exactly.
#[test]
fn mirostat_2_keeps_a_token_at_mu_and_cuts_it_just_below() {
    let halves = ln(&[0.5, 0.25, 0.125, 0.125]);
    let weights = {
        let whole = oracle::run::<Exact>(&Plan::default(), &halves).unwrap();
        oracle::weights(&whole.ranked, 1.0)
    };
    let mass = oracle::mass(&weights) as f64;
    for (n_at, n_below, weight) in [(1, 1, weights[0]), (2, 1, weights[1]), (4, 2, weights[2])] {
        let mu = oracle::surprise(weight as f64 / mass);
        assert_eq!(kept_at(2, mu, &halves).len(), n_at, "{mu}");
        assert_eq!(kept_at(2, above(mu), &halves).len(), n_at, "{mu}");
        assert_eq!(kept_at(2, below(mu), &halves).len(), n_below, "{mu}");
    }
}

/// On recorded rows, large enough for every way of finding the cut: the token whose surprise is mu stays, and goes just
/// below.
#[test]
fn the_cut_of_mirostat_2_moves_at_exactly_the_surprise_of_a_token() {
    for name in ["capital", "code"] {
        let row = row(name);
        let whole = oracle::run::<Exact>(&Plan::default(), &row).unwrap();
        let weights = oracle::weights(&whole.ranked, 1.0);
        let mass = oracle::mass(&weights) as f64;
        for n in [2, 7, 100, 3000, 30_000] {
            let weight = weights[n - 1];
            let mu = oracle::surprise(weight as f64 / mass);
            let at = weights.iter().filter(|w| **w >= weight).count();
            let over = weights.iter().filter(|w| **w > weight).count();
            assert_eq!(kept_at(2, mu, &row).len(), at, "{name}: at {mu}");
            assert_eq!(kept_at(2, below(mu), &row).len(), over, "{name}: below {mu}");
        }
    }
}

#[test]
fn mirostat_keeps_the_first_by_rank_whatever_mu_is() {
    for version in [1, 2] {
        for mu in [0.0, 0.1, -3.0, -1e300] {
            assert_eq!(kept_at(version, mu, &[1.0, 3.0, 3.0, -2.0]), [1], "{version}, {mu}");
            assert_eq!(kept_at(version, mu, &[0.5; 3000]), [0], "{version}, {mu}");
        }
    }
}

#[test]
fn mirostat_2_never_keeps_a_token_of_weight_0_but_for_min_keep() {
    let row = [0.0, -1.0, -90.0, DEAD];
    assert_eq!(kept(&two(1e300), &row), [0, 1]);
    assert_eq!(kept(&Options { min_keep: Some(4), ..two(0.0) }, &row), [0, 1, 2]);
}

/// Of a ramp p_i = c / i the logits are -ln i, so that s is 1, and H = ln N: k = floor(2^mu / ln N).
#[test]
fn mirostat_1_keeps_what_zipf_s_law_says() {
    let ramp: Vec<f32> = (1..=10_000).map(|i| -ramp(10_001)[i]).collect();
    assert!((ramp[1] + core::f32::consts::LN_2).abs() < 1e-6);
    let ln_n = nucleus_sampler::math::ln(10_000.0);
    for mu in [3.0, 5.0, 8.0, 10.0f64] {
        let expected = 2f64.powi(mu as i32) / ln_n;
        let found = kept_at(1, mu, &ramp).len() as f64;
        assert!((found - expected).abs() <= 1.0 + expected * 1e-4, "{mu}: {found}, {expected}");
    }
    assert_eq!(kept_at(1, 30.0, &ramp).len(), 10_000);
}

/// k by hand: logits 0, -1, -2, -3 at r = 1. t = ln 2, ln 3/2, ln 4/3; b = 1, 1, 1; s = 1.3863 / 0.72762 = 1.9053;
/// H = (1 - 4^-0.9053) / 0.9053 = 0.78972; k = (2^mu / H)^(1 / s): 2 at mu = 1.565, 3 at 2.679, 4 at 3.470.
#[test]
fn mirostat_1_keeps_k_that_can_be_computed_by_hand() {
    let row = [0.0, -1.0, -2.0, -3.0];
    for (mu, n) in
        [(0.5, 1), (1.55, 1), (1.59, 2), (2.65, 2), (2.70, 3), (3.44, 3), (3.50, 4), (40.0, 4)]
    {
        assert_eq!(kept_at(1, mu, &row).len(), n, "{mu}");
        // Half as far apart at half the temperature is the same.
        let half: Vec<f32> = row.iter().map(|l| l / 2.0).collect();
        let mut plan = at(1, mu);
        plan.options.temperature = Some(0.5);
        assert_eq!(plan.sampler().distribution(&half).unwrap().kept_count, n, "{mu}");
    }
}

/// All equal: s = 0, and H = N - 1.
#[test]
fn mirostat_1_of_equal_tokens_keeps_all_or_one() {
    for (mu, n) in [(1.5, 1), (4.9, 1), (5.0, 33), (60.0, 33)] {
        assert_eq!(kept_at(1, mu, &[0.25; 33]).len(), if mu > 5.0 { 33 } else { 1 }, "{mu} {n}");
    }
    assert_eq!(kept_at(1, 11.6, &[-7.0; 3000]).len(), 3000);
    assert_eq!(kept_at(1, 11.5, &[-7.0; 3000]).len(), 1);
}

/// 2^mu = N - 1 exactly is not more than N - 1.
#[test]
fn mirostat_1_of_equal_tokens_keeps_one_where_2_to_the_mu_is_one_less_than_their_number() {
    for bits in 0..=12 {
        let row = vec![0.25; (1 << bits) + 1];
        let mu = f64::from(bits);
        assert_eq!(kept_at(1, mu, &row).len(), 1, "{mu}");
        assert_eq!(kept_at(1, mu.next_up(), &row).len(), row.len(), "{mu}");
    }
}

#[test]
fn mirostat_of_a_single_candidate_keeps_it_with_a_surprise_of_0() {
    for options in [one(5.0), two(5.0), one(0.0), two(0.0)] {
        let mut sampler = sampler(&options);
        assert_eq!(sampler.sample(&[DEAD, -3.0, DEAD]).unwrap(), 1);
        assert_eq!(sampler.row(0).unwrap().controllers().pending(), Some((1, 0.0)));
    }
}

#[test]
fn mirostat_knows_min_keep() {
    for options in [one(0.0), two(0.0)] {
        for (n, expected) in [(1, 1), (2, 2), (3, 3), (9, 4), (u32::MAX, 4)] {
            let options = Options { min_keep: Some(n), ..options.clone() };
            assert_eq!(kept(&options, &four()), [3, 2, 1, 0][..expected], "{n}");
        }
    }
}

/// Extreme logits, far apart and dead ones among them: what the oracle says.
#[test]
fn mirostat_of_extreme_rows_is_that_of_the_exact_oracle() {
    let rows = [
        vec![1e4, -1e4, 0.0],
        vec![-1e4; 5],
        vec![f32::MAX, f32::MIN, 1.0, DEAD],
        vec![DEAD, 0.0, 1e-30, -1e-30],
        (0..400).map(|i| -(i as f32)).collect(),
        (0..4000).map(|i| ((i * 37) % 101) as f32 / 10.0).collect(),
    ];
    for version in [1, 2] {
        for mu in [-1.0, 0.0, 1.0, 3.3, 10.0, 80.0] {
            for temperature in [1.0, 1e-9, 0.7, 1e9] {
                for row in &rows {
                    let mut plan = at(version, mu);
                    plan.options.temperature = Some(temperature);
                    plan.options.seed = Some(3);
                    oracle::assert_agrees(&plan, row, 3);
                }
            }
        }
    }
}

#[test]
fn mirostat_0_is_off_and_is_no_stage_of_the_report() {
    let off = Options { mirostat_version: Some(0), ..two(0.1) };
    let plain = sampler(&Options::default()).distribution(&four()).unwrap();
    assert_eq!(sampler(&off).distribution(&four()).unwrap(), plain);
    let report = sampler(&off).report(&four(), false).unwrap();
    assert!(report.stages.iter().all(|stage| stage.name != StageName::Mirostat));
    let mut sampler = sampler(&off);
    sampler.sample(&four()).unwrap();
    assert_eq!(sampler.row(0).unwrap().controllers().pending(), None);
}

#[test]
fn mirostat_is_the_last_stage_of_the_report_with_mu_or_k_as_its_threshold() {
    let report = sampler(&two(1.17)).report(&four(), true).unwrap();
    let stage = report.stages.last().unwrap();
    assert_eq!((stage.name, stage.active), (StageName::Mirostat, true));
    assert_eq!((stage.kept_before, stage.kept_after), (4, 3));
    assert!((stage.mass_removed - 0.1).abs() < 1e-6, "{}", stage.mass_removed);
    assert_eq!(stage.threshold, Some(2.34));
    assert!((report.kept_mass - 0.9).abs() < 1e-6);
    assert_eq!(threshold(&one(1.0), &[0.0, -1.0, -2.0, -3.0], StageName::Mirostat), 2.0);
    let found = sampler(&two(1.0)).explain(&four(), 0).unwrap();
    assert_eq!((found.stage, found.threshold), (Some(StageName::Mirostat), Some(2.0)));
}

/// What goes before: a nucleus, a min-p, a mask. mirostat looks at what is left.
#[test]
fn mirostat_measures_what_enters_it() {
    // Of 0.4 and 0.3 the surprises are 0.81 and 1.22 bits, no longer 1.32 and 1.74.
    let options = Options { top_p: Some(0.7), ..two(0.62) };
    assert_eq!(kept(&options, &four()), [3, 2]);
    assert_eq!(kept(&Options { top_p: Some(0.7), ..two(0.6) }, &four()), [3]);
    let banned = Options { logit_bias: Some(vec![(3, f64::NEG_INFINITY)]), ..two(1.3) };
    assert_eq!(kept(&banned, &four()), [2, 1, 0]);
}

#[test]
fn mirostat_can_be_listed_last_and_nowhere_else() {
    let listed = ordered(&[StageName::TopK, StageName::Mirostat], two(1.17));
    assert_eq!(kept(&listed, &four()), kept(&two(1.17), &four()));
    let unlisted = ordered(&[StageName::TopK], two(1.17));
    assert_eq!(kept(&unlisted, &four()), kept(&two(1.17), &four()));
    for order in [
        &[StageName::Mirostat, StageName::TopK][..],
        &[StageName::Draw],
        &[StageName::Greedy],
        &[StageName::AdaptiveP],
        &[StageName::Mirostat, StageName::Mirostat],
    ] {
        let options = Options { seed: Some(1), ..ordered(order, two(1.0)) };
        assert_eq!(Sampler::new(options).unwrap_err().code(), "bad_order", "{order:?}");
    }
    let both = Options { adaptive_p_target: Some(0.5), seed: Some(1), ..two(1.0) };
    assert_eq!(Sampler::new(both).unwrap_err().code(), "bad_order");
}

#[test]
fn numbers_out_of_range_are_errors_that_say_what_is_accepted() {
    let plain = Options { seed: Some(1), ..Options::default() };
    for (options, name) in [
        (Options { mirostat_version: Some(3), ..plain.clone() }, "mirostat.version"),
        (Options { mirostat_tau: Some(-0.1), ..plain.clone() }, "mirostat.tau"),
        (Options { mirostat_tau: Some(f64::INFINITY), ..plain.clone() }, "mirostat.tau"),
        (Options { mirostat_eta: Some(1.1), ..plain.clone() }, "mirostat.eta"),
        (Options { mirostat_eta: Some(f64::NAN), ..plain }, "mirostat.eta"),
    ] {
        let error = Sampler::new(options).unwrap_err();
        assert_eq!((error.code(), error.option()), ("out_of_range", Some(name)));
    }
}
