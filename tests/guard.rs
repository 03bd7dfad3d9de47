//! The guard: when it trips, what each policy then does, the breaker, and that nothing is hidden.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

mod common;

use common::{ln, sampler};
use nucleus_sampler::{
    Distribution, GuardPolicy, Options, Rows, Sampler, StageName, Window, batch,
};

/// A thousand tokens, the first a little more likely than the others: min-p 1 keeps 1 of them, about 0.001 of the mass.
fn flat() -> Vec<f32> {
    (0..1000).map(|id| if id == 0 { 0.01 } else { 0.0 }).collect()
}

/// Two tokens hold nearly all.
fn peaked() -> Vec<f32> {
    let mut row = vec![-20.0; 1000];
    (row[3], row[5]) = (1.0, 0.9);
    row
}

fn guarded(policy: GuardPolicy) -> Options {
    Options {
        min_p: Some(1.0),
        guard_policy: Some(policy),
        guard_max_masked_mass: Some(0.99),
        seed: Some(7),
        ..Options::default()
    }
}

fn distribution(options: &Options, row: &[f32]) -> Distribution {
    sampler(options).distribution(row).unwrap()
}

#[test]
fn a_guard_that_does_not_trip_changes_nothing() {
    for policy in [GuardPolicy::Error, GuardPolicy::Relax, GuardPolicy::Greedy] {
        let with = Options { min_p: Some(0.5), ..guarded(policy) };
        let without = Options { guard_policy: None, ..with.clone() };
        assert_eq!(distribution(&with, &peaked()), distribution(&without, &peaked()));
        let (mut a, mut b) = (sampler(&with), sampler(&without));
        for _ in 0..20 {
            assert_eq!(a.sample(&peaked()).unwrap(), b.sample(&peaked()).unwrap());
        }
        assert_eq!(a.last_trip(), None);
        assert_eq!(a.row(0).unwrap().breaker().trips(), 0);
    }
}

#[test]
fn the_guard_trips_just_above_the_limit_and_not_at_it() {
    // Of these, min-p 1 keeps a quarter: exactly, for weights of equal logits are equal.
    let row = [1.0, -1e4, -1e4, -1e4].map(|l: f32| if l > 0.0 { l } else { 1.0f32.next_down() });
    let options =
        |limit| Options { guard_max_masked_mass: Some(limit), ..guarded(GuardPolicy::Greedy) };
    let masked = {
        let kept = distribution(&Options { min_p: Some(1.0), ..Options::default() }, &row);
        1.0 - kept.kept_mass
    };
    let trip = |limit| sampler(&options(limit)).sample_detailed(&row).unwrap().trip;
    assert_eq!(trip(masked), None);
    let tripped = trip(masked.next_down()).unwrap();
    assert_eq!((tripped.masked_mass, tripped.stage), (masked, StageName::MinP));
}

#[test]
fn error_fails_with_nothing_left_and_changes_nothing() {
    let mut sampler = sampler(&guarded(GuardPolicy::Error));
    let before = sampler.state().unwrap();
    for _ in 0..10 {
        let error = sampler.sample(&flat()).unwrap_err();
        assert_eq!((error.code(), error.stage()), ("nothing_left", Some(StageName::MinP)));
        assert!(error.to_string().contains("the guard"), "{error}");
    }
    assert_eq!(sampler.distribution(&flat()).unwrap_err().code(), "nothing_left");
    assert_eq!(sampler.state().unwrap(), before);
    let (row, trip) = sampler.last_trip().unwrap();
    assert_eq!((row, trip.position, trip.policy), (0, 0, GuardPolicy::Error));
    sampler.sample(&peaked()).unwrap();
}

#[test]
fn relax_halves_the_threshold_as_often_as_it_must_and_no_oftener_than_it_may() {
    let options = guarded(GuardPolicy::Relax);
    let mut relaxed = sampler(&options);
    let found = relaxed.distribution(&flat()).unwrap();
    // Half of 1 keeps every token of nearly the same probability.
    assert_eq!(found, distribution(&Options { min_p: Some(0.5), ..Options::default() }, &flat()));
    let trip = relaxed.sample_detailed(&flat()).unwrap().trip.unwrap();
    assert_eq!((trip.policy, trip.steps, trip.position), (GuardPolicy::Relax, 1, 0));

    // Tokens a factor of 20 apart: 1/2, 1/4 and 1/8 still keep one; the last result holds.
    let steep = ln(&[0.2, 0.01, 0.01, 0.01]);
    let few = Options { guard_max_masked_mass: Some(0.1), ..options };
    let mut steep_one = sampler(&few);
    let sample = steep_one.sample_detailed(&steep).unwrap();
    assert_eq!((sample.kept_count, sample.trip.unwrap().steps), (1, 3));
    let more = Options { guard_max_steps: Some(5), ..few };
    let sample = sampler(&more).sample_detailed(&steep).unwrap();
    assert_eq!((sample.kept_count, sample.trip.unwrap().steps), (4, 5));
}

#[test]
fn relax_never_lifts_a_mask_nor_top_k() {
    let options = Options {
        allowed_tokens: Some(vec![1, 2, 3, 4, 5, 6]),
        top_k: Some(5),
        guard_max_masked_mass: Some(0.5),
        min_p: Some(1.0),
        ..guarded(GuardPolicy::Relax)
    };
    let row: Vec<f32> = (0..10).map(|id| 1.0 - id as f32 / 1000.0).collect();
    assert_eq!(distribution(&options, &row).token_ids, [1, 2, 3, 4, 5]);
}

#[test]
fn greedy_takes_the_best_token_that_masks_and_writing_stages_leave() {
    let mut row = flat();
    row[700] = 0.005;
    let options =
        Options { logit_bias: Some(vec![(0, f64::NEG_INFINITY)]), ..guarded(GuardPolicy::Greedy) };
    let mut greedy = sampler(&options);
    assert_eq!(greedy.sample_many(&row, 3).unwrap(), [700; 3]);
    let bias = Options { logit_bias: Some(vec![(0, f64::NEG_INFINITY), (9, 0.006)]), ..options };
    assert_eq!(sampler(&bias).sample(&row).unwrap(), 9);
}

#[test]
fn when_masks_removed_everything_the_error_stays_whatever_the_policy() {
    for policy in [GuardPolicy::Error, GuardPolicy::Relax, GuardPolicy::Greedy] {
        let bans = (0..1000).map(|id| (id, f64::NEG_INFINITY)).collect();
        let mut sampler = sampler(&Options { logit_bias: Some(bans), ..guarded(policy) });
        let error = sampler.sample(&flat()).unwrap_err();
        assert_eq!((error.code(), error.stage()), ("nothing_left", Some(StageName::LogitBias)));
        assert_eq!(sampler.last_trip(), None);
    }
}

#[test]
fn three_trips_open_the_breaker_which_leaves_guarded_stages_out_and_closes_again() {
    let options = Options { guard_breaker_positions: Some(10), ..guarded(GuardPolicy::Relax) };
    let mut sampler = sampler(&options);
    let mut trips = Vec::new();
    for position in 0..30u64 {
        let sample = sampler.sample_detailed(&flat()).unwrap();
        let is_open = [3..13, 16..26, 29..39].iter().any(|open| open.contains(&position));
        // With the breaker open nothing is guarded, so nothing trips, and min-p does not act.
        assert_eq!(sample.trip.is_none(), is_open, "position {position}");
        if is_open {
            assert_eq!(sample.kept_count, 1000, "position {position}");
        }
        trips.push(sampler.row(0).unwrap().breaker().trips());
    }
    assert_eq!(trips.last(), Some(&9));
}

#[test]
fn trips_further_apart_than_the_window_do_not_open_the_breaker() {
    let options = Options { guard_breaker_positions: Some(4), ..guarded(GuardPolicy::Greedy) };
    let mut sampler = sampler(&options);
    for _ in 0..20 {
        // Two of four positions at most.
        assert!(sampler.sample_detailed(&flat()).unwrap().trip.is_some());
        sampler.sample(&peaked()).unwrap();
    }
    assert!(!sampler.row(0).unwrap().breaker().is_open(40));
}

#[test]
fn many_draws_are_those_of_as_many_calls_while_the_breaker_opens_and_closes() {
    for policy in [GuardPolicy::Relax, GuardPolicy::Greedy] {
        let options = Options { guard_breaker_positions: Some(5), ..guarded(policy) };
        let (mut many, mut single) = (sampler(&options), sampler(&options));
        let tokens: Vec<u32> = (0..40).map(|_| single.sample(&flat()).unwrap()).collect();
        assert_eq!(many.sample_many(&flat(), 40).unwrap(), tokens);
        assert_eq!(many.state().unwrap(), single.state().unwrap());
    }
}

#[test]
fn previews_show_what_the_next_draw_does_and_count_nothing() {
    let mut sampler = sampler(&guarded(GuardPolicy::Relax));
    for _ in 0..10 {
        let report = sampler.report(&flat(), true).unwrap();
        assert_eq!((report.kept_count, report.trip.as_ref().unwrap().steps), (1000, 1));
        assert!(sampler.explain(&flat(), 999).unwrap().kept);
        assert_eq!(sampler.logprobs(&flat(), 1000, None).unwrap().kept.len(), 1000);
    }
    assert_eq!(sampler.row(0).unwrap().breaker().trips(), 0);
    assert_eq!(sampler.last_trip(), None);
}

#[test]
fn a_state_resumes_in_the_middle_of_an_open_breaker_and_a_reset_closes_it() {
    let options = Options { guard_breaker_positions: Some(6), ..guarded(GuardPolicy::Relax) };
    let mut whole = sampler(&options);
    for _ in 0..5 {
        whole.sample(&flat()).unwrap();
    }
    let mut resumed = Sampler::from_state(&whole.state().unwrap()).unwrap();
    let mut cloned = whole.clone();
    let expected: Vec<u32> = (0..20).map(|_| whole.sample(&flat()).unwrap()).collect();
    assert_eq!(resumed.sample_many(&flat(), 20).unwrap(), expected);
    assert_eq!(cloned.sample_many(&flat(), 20).unwrap(), expected);
    assert_eq!(resumed.state().unwrap(), whole.state().unwrap());
    let mut fresh = sampler(&options);
    whole.reset();
    assert_eq!(whole.state().unwrap(), fresh.state().unwrap());
    assert_eq!(whole.sample_many(&flat(), 20), fresh.sample_many(&flat(), 20));
    assert_eq!(whole.last_trip().map(|(row, _)| row), fresh.last_trip().map(|(row, _)| row));
}

#[test]
fn each_row_has_a_breaker_of_its_own_and_threads_trip_as_one_does() {
    let options = Options { guard_breaker_positions: Some(8), ..guarded(GuardPolicy::Relax) };
    let mut sampler = sampler(&options);
    let free = Options { guard_policy: Some(GuardPolicy::Off), ..Options::default() };
    let other = sampler.add_row(free).unwrap();
    let third = sampler.add_row(Options::default()).unwrap();
    let rows = [0, other, third];
    let logits = [flat(), flat(), peaked()].concat();
    for _ in 0..12 {
        let mut alone = sampler.clone();
        let tokens = sampler.sample_batch_on(2, &logits, Rows::Ids(&rows)).unwrap();
        assert_eq!(tokens, alone.sample_batch(&logits, Rows::Ids(&rows)).unwrap());
        assert_eq!(sampler.last_trip(), alone.last_trip());
        assert!(!tokens.contains(&batch::FAILED));
    }
    let trips = rows.map(|row| sampler.row(row).unwrap().breaker().trips());
    assert_eq!(trips, [4, 0, 0]);
}

#[test]
fn the_masked_mass_is_that_of_all_guarded_stages_together_without_top_k_and_top_p() {
    let row = ln(&[0.4, 0.3, 0.2, 0.1]);
    let options = Options {
        top_k: Some(3),
        min_p: Some(0.9),
        guard_max_masked_mass: Some(0.0),
        ..guarded(GuardPolicy::Greedy)
    };
    let trip = sampler(&options).sample_detailed(&row).unwrap().trip.unwrap();
    // Of 0.9 that top-k left, min-p removed 0.5.
    assert!((trip.masked_mass - 5.0 / 9.0).abs() < 1e-6, "{trip:?}");
}

#[test]
fn a_guard_goes_together_with_penalties_that_see_the_history() {
    let options = Options {
        presence_penalty: Some(1.0),
        penalty_last_n: Some(Window(8)),
        ..guarded(GuardPolicy::Greedy)
    };
    let mut sampler = sampler(&options);
    let falling: Vec<f32> = (0..1000).map(|id| -1e-4 * id as f32).collect();
    let mut drawn = Vec::new();
    for _ in 0..3 {
        let token = sampler.sample(&falling).unwrap();
        sampler.accept(token).unwrap();
        drawn.push(token);
    }
    assert_eq!(drawn, [0, 1, 2]);
}

#[test]
fn a_trip_that_a_preview_saw_is_forgotten_when_the_guard_is_switched_off() {
    let mut sampler = sampler(&guarded(GuardPolicy::Relax));
    assert!(sampler.report(&flat(), false).unwrap().trip.is_some());
    let off = Options { guard_policy: Some(GuardPolicy::Off), ..Options::default() };
    sampler.update(&off, None).unwrap();
    assert_eq!(sampler.sample_detailed(&flat()).unwrap().trip, None);
    assert_eq!(sampler.last_trip(), None);
    assert_eq!(sampler.row(0).unwrap().breaker().trips(), 0);
}

#[test]
fn no_draws_refuse_what_one_would_with_a_guard_as_without() {
    let rows = [vec![0.0, f32::INFINITY], vec![f32::NEG_INFINITY; 2], vec![]];
    for policy in [GuardPolicy::Off, GuardPolicy::Error, GuardPolicy::Relax, GuardPolicy::Greedy] {
        let mut sampler = Sampler::new(guarded(policy)).unwrap();
        for row in &rows {
            let expected = sampler.sample(row).unwrap_err();
            assert_eq!(sampler.sample_many(row, 0).unwrap_err(), expected, "{policy:?}");
        }
        assert_eq!(sampler.sample_many(&peaked(), 0).unwrap(), [0u32; 0], "{policy:?}");
    }
}

#[test]
fn many_draws_of_which_one_fails_leave_neither_trips_nor_positions() {
    // The coin falls at some positions only, and where it falls so much is removed that the guard stops the draw.
    let row = ln(&[0.96, 0.02, 0.02]);
    let options = Options {
        xtc_probability: Some(0.5),
        xtc_threshold: Some(0.01),
        guard_policy: Some(GuardPolicy::Error),
        guard_max_masked_mass: Some(0.5),
        seed: Some(7),
        ..Options::default()
    };
    let mut single = sampler(&options);
    let first = (0..64).position(|_| single.sample(&row).is_err()).unwrap();
    assert!(first > 0, "another seed is wanted: the first draw fails");
    let mut many = sampler(&options);
    let before = many.state().unwrap();
    assert_eq!(many.sample_many(&row, first + 1).unwrap_err().code(), "nothing_left");
    assert_eq!(many.state().unwrap(), before);
    assert_eq!(many.sample_many(&row, first).unwrap().len(), first);
    assert_eq!(many.last_trip().unwrap().1.position, first as u64);
}
