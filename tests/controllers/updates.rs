//! Changing options: what a controller has come to goes on, and a pending draw stays with a controller of its kind.

use nucleus_sampler::{Options, Sampler, StageName};

use crate::common::sampler;
use crate::{adaptive_p, controlled, mirostat, pending, scattered};

fn step(sampler: &mut Sampler, n: usize) {
    for _ in 0..n {
        let token = sampler.sample(&scattered(100, 1)).unwrap();
        sampler.accept(token).unwrap();
    }
}

fn mu(sampler: &mut Sampler, tau: f64) -> f64 {
    sampler.row(0).unwrap().controllers().mirostat_mu(tau)
}

#[test]
fn a_new_tau_is_where_mu_starts_while_nothing_was_accepted_and_mu_goes_on_afterwards() {
    let mut sampler = sampler(&mirostat(2, 3.0));
    sampler.update(&mirostat(2, 4.0), None).unwrap();
    let report = sampler.report(&scattered(100, 1), false).unwrap();
    assert_eq!(report.stages.last().unwrap().threshold, Some(8.0));
    step(&mut sampler, 5);
    let before = mu(&mut sampler, 4.0);
    sampler.update(&mirostat(2, 1.0), None).unwrap();
    assert_eq!(mu(&mut sampler, 1.0), before);
    let token = sampler.sample(&scattered(100, 1)).unwrap();
    let (_, surprise) = pending(&mut sampler).unwrap();
    sampler.update(&Options { mirostat_eta: Some(0.5), ..Options::default() }, None).unwrap();
    sampler.accept(token).unwrap();
    assert_eq!(mu(&mut sampler, 1.0), before - 0.5 * (surprise - 1.0));
}

#[test]
fn a_new_target_or_decay_goes_on_from_what_was_accepted() {
    let mut sampler = sampler(&adaptive_p(0.5));
    step(&mut sampler, 3);
    let (sum, weight) = sampler.row(0).unwrap().controllers().adaptive_p(0.0, 0.0);
    let changed = Options { adaptive_p_decay: Some(0.5), ..adaptive_p(0.4) };
    sampler.update(&changed, None).unwrap();
    let report = sampler.report(&scattered(100, 1), false).unwrap();
    let adapted = (2.0 * 0.4 - sum / weight).clamp(0.0, 1.0);
    assert_eq!(report.stages.last().unwrap().threshold, Some(adapted));
    let token = sampler.sample(&scattered(100, 1)).unwrap();
    sampler.accept(token).unwrap();
    let found = sampler.row(0).unwrap().controllers().adaptive_p(0.0, 0.0);
    assert_eq!(found.1, 1.0 + 0.5 * weight);
}

/// Mirostat 1 and 2 measure surprise alike, so mu and a pending draw pass from one to the other.
#[test]
fn one_version_of_mirostat_goes_on_where_the_other_was() {
    let mut sampler = sampler(&mirostat(1, 2.0));
    step(&mut sampler, 4);
    sampler.sample(&scattered(100, 1)).unwrap();
    let (before, drawn) = (mu(&mut sampler, 2.0), pending(&mut sampler));
    sampler.update(&mirostat(2, 2.0), None).unwrap();
    assert_eq!((mu(&mut sampler, 2.0), pending(&mut sampler)), (before, drawn));
}

#[test]
fn a_pending_draw_is_forgotten_where_no_controller_of_its_kind_is_at_work_any_more() {
    let off = Options { mirostat_version: Some(0), ..adaptive_p(0.0) };
    let cold = Options { temperature: Some(0.0), ..Options::default() };
    let other = Options { mirostat_version: Some(0), ..adaptive_p(0.5) };
    let mirostat = Options { adaptive_p_target: Some(0.0), ..mirostat(2, 3.0) };
    let greedy = Options {
        order: Some(nucleus_sampler::Order::Listed(vec![StageName::Greedy])),
        ..off.clone()
    };
    for options in controlled() {
        let changed = if options.mirostat_version.is_some() { &other } else { &mirostat };
        for change in [&off, &cold, &greedy, changed] {
            let mut sampler = sampler(&options);
            let token = sampler.sample(&scattered(100, 1)).unwrap();
            sampler.update(change, None).unwrap();
            assert_eq!(pending(&mut sampler), None, "{change:?}");
            sampler.accept(token).unwrap();
            // Nothing was learned by the wrong one.
            let row = sampler.row(0).unwrap();
            assert_eq!(row.controllers().mirostat_mu(7.0), 14.0);
            assert_eq!(row.controllers().adaptive_p(0.5, 0.5), (1.0, 2.0));
        }
    }
}

#[test]
fn what_was_learned_survives_a_time_without_a_controller() {
    let mut sampler = sampler(&mirostat(2, 2.0));
    step(&mut sampler, 5);
    let before = mu(&mut sampler, 2.0);
    sampler.update(&Options { temperature: Some(0.0), ..Options::default() }, None).unwrap();
    step(&mut sampler, 5);
    sampler.update(&Options { temperature: Some(1.0), ..Options::default() }, None).unwrap();
    assert_eq!(mu(&mut sampler, 2.0), before);
}

/// A row's own controller over the sampler's, and rows that learn apart.
#[test]
fn rows_learn_apart_with_options_of_their_own() {
    let mut sampler = sampler(&mirostat(2, 2.0));
    let plain = sampler.add_row(Options::default()).unwrap();
    let own = sampler.add_row(mirostat(2, 0.5)).unwrap();
    let other = sampler.add_row(Options { mirostat_version: Some(0), ..adaptive_p(0.4) }).unwrap();
    let row = scattered(100, 1);
    for id in [0, own, other] {
        let mut on = sampler.row(id).unwrap();
        let token = on.sample(&row).unwrap();
        on.accept(token).unwrap();
    }
    let learned: Vec<_> = sampler
        .row_ids()
        .collect::<Vec<_>>()
        .into_iter()
        .map(|id| sampler.row(id).unwrap().controllers().clone())
        .collect();
    assert_eq!(learned[plain as usize], Default::default());
    assert!(learned[0].mirostat_mu(9.0) < 5.0 && learned[own as usize].mirostat_mu(9.0) < 2.0);
    assert_eq!(learned[other as usize].mirostat_mu(9.0), 18.0);
    sampler.update(&mirostat(2, 8.0), None).unwrap();
    let threshold = |sampler: &mut Sampler, id| {
        let report = sampler.row(id).unwrap().report(&row, false).unwrap();
        report.stages.last().unwrap().threshold
    };
    assert_eq!(threshold(&mut sampler, plain), Some(16.0));
    assert_eq!(threshold(&mut sampler, own), Some(learned[own as usize].mirostat_mu(0.0)));
}
