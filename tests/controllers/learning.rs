//! What a controller learns: step by step as the definition says, and where it gets to in the long run.

use nucleus_sampler::{Options, Sampler};

use crate::common::{ln, row, sampler};
use crate::oracle::{self, Exact, Plan};
use crate::{adaptive_p, controlled, mirostat, pending, scattered};

/// Sixty steps over changing rows: the token, the surprise and what is learned are those of the oracle, to the last bit.
#[test]
fn a_generation_is_that_of_the_oracle_step_by_step() {
    for options in controlled() {
        let options =
            Options { seed: Some(11), temperature: Some(0.8), min_p: Some(1e-4), ..options };
        let mut plan = Plan::of(&options);
        let mut sampler = plan.sampler();
        for step in 0..60 {
            let row = scattered(50 + step as usize * 7, step + 1);
            let kept = oracle::run::<Exact>(&plan, &row).unwrap();
            let word = oracle::word(11, 0, u64::from(step));
            let expected = oracle::draw(&kept.ranked, kept.factor, word);
            assert_eq!(sampler.sample(&row).unwrap(), expected, "step {step}, {options:?}");
            let (token, surprise) = pending(&mut sampler).unwrap();
            assert_eq!(token, expected);
            sampler.accept(token).unwrap();
            plan.output.push(token);
            plan.learn(surprise);
            let row = sampler.row(0).unwrap();
            let controllers = row.controllers();
            match plan.learned.mu {
                Some(mu) => assert_eq!(controllers.mirostat_mu(0.0), mu),
                None => {
                    let found = controllers.adaptive_p(0.0, 0.0);
                    assert_eq!(Some(found), plan.learned.probabilities);
                }
            }
        }
    }
}

/// mu' = mu - eta (surprise - tau), by hand: two tokens of one bit each, of which mu lets both through.
#[test]
fn mu_falls_after_a_surprise_above_tau_and_rises_after_one_below() {
    for (tau, mu) in [(0.5, [1.0, 0.95]), (1.5, [3.0, 3.05])] {
        for version in [1, 2] {
            let mut sampler = sampler(&mirostat(version, tau));
            assert_eq!(sampler.row(0).unwrap().controllers().mirostat_mu(tau), mu[0]);
            let token = sampler.sample(&[2.0, 2.0]).unwrap();
            // Version 1 of two equal tokens keeps both where 2^mu > 1.
            assert_eq!(pending(&mut sampler), Some((token, 1.0)));
            sampler.accept(token).unwrap();
            let found = sampler.row(0).unwrap().controllers().mirostat_mu(tau);
            assert!((found - mu[1]).abs() < 1e-15, "{found} is not {}", mu[1]);
        }
    }
}

/// Reports #29 of the survey, SciSharp/LLamaSharp#71 and abetlen/llama-cpp-python#914: mu was set back at every token.
#[test]
fn mu_is_carried_from_step_to_step() {
    let row = scattered(200, 3);
    for version in [1, 2] {
        let options = Options { mirostat_eta: Some(1.0), ..mirostat(version, 2.0) };
        let mut sampler = sampler(&options);
        let (mut mu, mut kept) = (4.0, Vec::new());
        for _ in 0..3 {
            kept.push(sampler.distribution(&row).unwrap().kept_count);
            let token = sampler.sample(&row).unwrap();
            let (_, surprise) = pending(&mut sampler).unwrap();
            sampler.accept(token).unwrap();
            mu -= surprise - 2.0;
            assert_eq!(sampler.row(0).unwrap().controllers().mirostat_mu(2.0), mu);
        }
        assert!(kept[0] != kept[1] || kept[1] != kept[2], "{kept:?}");
    }
}

#[test]
fn eta_0_leaves_mu_where_it_is() {
    let mut sampler = sampler(&Options { mirostat_eta: Some(0.0), ..mirostat(2, 3.0) });
    for _ in 0..20 {
        let token = sampler.sample(&scattered(100, 1)).unwrap();
        sampler.accept(token).unwrap();
    }
    assert_eq!(sampler.row(0).unwrap().controllers().mirostat_mu(3.0), 6.0);
}

/// The largest tau and the fastest eta: mu stays a finite number.
#[test]
fn mu_never_leaves_the_finite_numbers() {
    let options = Options { mirostat_eta: Some(1.0), ..mirostat(2, f64::MAX) };
    let mut sampler = sampler(&options);
    for _ in 0..5 {
        let token = sampler.sample(&[0.0, 0.0]).unwrap();
        sampler.accept(token).unwrap();
        assert_eq!(sampler.row(0).unwrap().controllers().mirostat_mu(0.0), f64::MAX);
    }
    sampler.update(&Options { mirostat_tau: Some(0.0), ..Options::default() }, None).unwrap();
    assert!(Sampler::from_state(&sampler.state().unwrap()).is_ok());
}

/// (target, 1) / (1 - decay) at first; then p is added, and what was there weighs decay.
#[test]
fn adaptive_p_starts_as_if_its_target_had_always_been_met() {
    let options = Options { adaptive_p_decay: Some(0.5), ..adaptive_p(0.25) };
    let mut sampler = sampler(&options);
    let at = |sampler: &mut Sampler| sampler.row(0).unwrap().controllers().adaptive_p(0.25, 0.5);
    assert_eq!(at(&mut sampler), (0.5, 2.0));
    // Two equal tokens: p is 1/2 whichever is drawn.
    for (sum, weight) in [(0.75, 2.0), (0.875, 2.0), (0.9375, 2.0)] {
        let token = sampler.sample(&[1.0, 1.0]).unwrap();
        assert_eq!(pending(&mut sampler), Some((token, 1.0)));
        sampler.accept(token).unwrap();
        assert_eq!(at(&mut sampler), (sum, weight));
    }
}

/// The surprise of what is drawn approaches tau: over the recorded rows in turn, whose entropies differ, as over a text.
#[test]
fn the_mean_surprise_approaches_tau() {
    let rows: Vec<Vec<f32>> = crate::common::ROWS.iter().map(|name| row(name)).collect();
    for (version, tau, tolerance) in [(2, 2.0, 0.1), (2, 4.0, 0.1), (1, 2.0, 0.1), (1, 3.0, 0.1)] {
        let warm = Options { temperature: Some(1.6), seed: Some(7), ..mirostat(version, tau) };
        let mut sampler = sampler(&warm);
        let (mut sum, mut n) = (0.0, 0);
        for step in 0..1500 {
            let token = sampler.sample(&rows[step % rows.len()]).unwrap();
            let (_, surprise) = pending(&mut sampler).unwrap();
            sampler.accept(token).unwrap();
            if step >= 200 {
                (sum, n) = (sum + surprise, n + 1);
            }
        }
        let mean = sum / f64::from(n);
        println!("version {version}, tau {tau}: {mean} bits on average");
        assert!((mean - tau).abs() < tolerance, "version {version}: {mean} for {tau}");
    }
}

/// Over one peaked row tau cannot be reached: mu rises until nothing is cut, and the surprise is that of the row.
#[test]
fn mu_rises_where_a_row_has_not_as_much_surprise_as_tau() {
    let row = ln(&[0.9, 0.05, 0.05]);
    let mut sampler = sampler(&mirostat(2, 5.0));
    for _ in 0..200 {
        let token = sampler.sample(&row).unwrap();
        sampler.accept(token).unwrap();
    }
    assert!(sampler.row(0).unwrap().controllers().mirostat_mu(5.0) > 50.0);
    assert_eq!(sampler.distribution(&row).unwrap().kept_count, 3);
}
