//! What a draw leaves pending, and which accepted tokens are counted.

use nucleus_sampler::GuardPolicy;
use nucleus_sampler::batch::FAILED;
use nucleus_sampler::{Input, Options, Rows, Sampler};

use crate::common::{sampler, state_text};
use crate::{controlled, mirostat, pending, scattered, unmatched};

#[test]
fn every_way_of_drawing_one_token_leaves_it_pending() {
    let row = scattered(40, 1);
    for options in controlled() {
        let mut one = sampler(&options);
        let token = one.sample(&row).unwrap();
        let drawn = pending(&mut one).unwrap();
        assert_eq!(drawn.0, token);
        let mut detailed = sampler(&options);
        assert_eq!(detailed.sample_detailed(&row).unwrap().token, token);
        assert_eq!(pending(&mut detailed), Some(drawn));
        let mut batch = sampler(&options);
        let tokens = batch.sample_batch(&row.repeat(3), Rows::First(3)).unwrap();
        let mut threads = sampler(&options);
        assert_eq!(threads.sample_batch_on(2, &row.repeat(3), Rows::First(3)), Ok(tokens.clone()));
        assert_eq!(pending(&mut batch), Some(drawn));
        for id in [0, 1, 2] {
            let of = |sampler: &mut Sampler| sampler.row(id).unwrap().controllers().pending();
            assert_eq!(of(&mut batch).unwrap().0, tokens[id as usize]);
            assert_eq!(of(&mut batch), of(&mut threads));
        }
    }
}

/// In its own distribution, renormalised, for mirostat: what `sample_detailed` says of the draw, in bits.
#[test]
fn the_surprise_of_mirostat_is_that_of_the_draw_s_own_distribution() {
    let row = scattered(300, 2);
    for version in [1, 2] {
        let mut sampler = sampler(&mirostat(version, 2.0));
        for _ in 0..20 {
            let drawn = sampler.sample_detailed(&row).unwrap();
            let (token, surprise) = pending(&mut sampler).unwrap();
            assert_eq!(token, drawn.token);
            let bits = -drawn.logprob_final / nucleus_sampler::math::LN_2;
            assert!((surprise - bits).abs() < 1e-6, "{surprise} is not {bits}");
        }
    }
}

#[test]
fn the_next_draw_takes_the_place_of_a_pending_one() {
    let row = scattered(40, 1);
    for options in controlled() {
        let mut sampler = sampler(&options);
        let mut other = sampler.clone();
        for _ in 0..10 {
            sampler.sample(&row).unwrap();
        }
        let tenth = *other.sample_many(&row, 10).unwrap().last().unwrap();
        assert_eq!(pending(&mut sampler).unwrap().0, tenth);
    }
}

#[test]
fn many_draws_leave_nothing_pending() {
    let row = scattered(40, 1);
    for options in controlled() {
        for n in [0, 1, 100] {
            let mut sampler = sampler(&options);
            sampler.sample(&row).unwrap();
            sampler.sample_many(&row, n).unwrap();
            assert_eq!(pending(&mut sampler), None, "{n}");
        }
    }
}

#[test]
fn previews_and_failed_calls_leave_a_pending_draw_as_it_is() {
    let row = scattered(40, 1);
    for options in controlled() {
        let mut sampler = sampler(&options);
        sampler.sample(&row).unwrap();
        let before = state_text(&sampler);
        sampler.distribution(&row).unwrap();
        sampler.report(&row, true).unwrap();
        sampler.explain(&row, 3).unwrap();
        sampler.logprobs(&row, 5, None).unwrap();
        sampler.sample(&[f32::NAN; 4]).unwrap_err();
        sampler.sample_many(&[f32::NAN; 4], 3).unwrap_err();
        sampler.sample_detailed(Input::from(&row).with_mask(Some(&[0, 0]))).unwrap_err();
        let tokens = sampler.sample_batch(&[f32::NAN; 40], Rows::First(1)).unwrap();
        assert_eq!(tokens, [FAILED]);
        sampler.accept(u32::MAX).unwrap_err();
        sampler.prompt(&[1]).unwrap();
        let prompted = before.replacen("\"prompt\":[]", "\"prompt\":[1]", 1);
        assert_eq!(state_text(&sampler), prompted);
    }
}

#[test]
fn accepting_another_token_or_without_a_pending_draw_is_counted_and_changes_nothing_else() {
    let row = scattered(40, 1);
    for options in controlled() {
        let mut sampler = sampler(&options);
        sampler.accept(1).unwrap();
        assert_eq!(unmatched(&mut sampler), 1);
        let token = sampler.sample(&row).unwrap();
        let drawn = pending(&mut sampler);
        sampler.accept((token + 1) % 40).unwrap();
        assert_eq!((unmatched(&mut sampler), pending(&mut sampler)), (2, drawn));
        assert_eq!(sampler.row(0).unwrap().controllers().mirostat_mu(1.5), 3.0);
        // The draw still waits, and is not lost.
        sampler.accept(token).unwrap();
        assert_eq!((unmatched(&mut sampler), pending(&mut sampler)), (2, None));
        let learned = sampler.row(0).unwrap().controllers().clone();
        sampler.accept(token).unwrap();
        assert_eq!(unmatched(&mut sampler), 3);
        assert_eq!(
            sampler.row(0).unwrap().controllers().mirostat_mu(1.5),
            learned.mirostat_mu(1.5)
        );
        assert_eq!(sampler.report(&row, false).unwrap().unmatched_accepts, 3);
        sampler.prompt(&[1, 2]).unwrap();
        assert_eq!(unmatched(&mut sampler), 3);
        sampler.reset();
        assert_eq!(unmatched(&mut sampler), 0);
    }
}

/// Without a controller nothing is pending, and accepting is no mismatch.
#[test]
fn without_a_controller_nothing_is_pending_and_nothing_is_counted() {
    let row = scattered(40, 1);
    let off = Options { top_p: Some(0.9), ..Options::default() };
    let greedy = controlled().map(|options| Options { temperature: Some(0.0), ..options });
    for options in [off].into_iter().chain(greedy) {
        let mut sampler = sampler(&options);
        for _ in 0..3 {
            let token = sampler.sample(&row).unwrap();
            assert_eq!(pending(&mut sampler), None);
            sampler.accept(token).unwrap();
            sampler.accept(5).unwrap();
        }
        assert_eq!(unmatched(&mut sampler), 0);
        assert_eq!(sampler.row(0).unwrap().controllers(), &Default::default());
        assert_eq!(sampler.report(&row, false).unwrap().unmatched_accepts, 0);
    }
}

/// Where the guard takes the best token nothing is drawn: an earlier draw does not wait any longer.
#[test]
fn a_token_that_the_guard_takes_leaves_nothing_pending() {
    let flat = scattered(40, 1);
    for version in [1, 2] {
        let mut sampler = sampler(&Options {
            min_p: Some(0.9),
            guard_policy: Some(GuardPolicy::Greedy),
            guard_max_masked_mass: Some(0.6),
            ..mirostat(version, 30.0)
        });
        let token = sampler.sample(&[9.0, 0.0]).unwrap();
        assert_eq!(pending(&mut sampler), Some((token, 0.0)));
        let drawn = sampler.sample_detailed(&flat).unwrap();
        assert!(drawn.trip.is_some() && drawn.target.is_none());
        assert_eq!(pending(&mut sampler), None);
        sampler.accept(drawn.token).unwrap();
        assert_eq!(sampler.row(0).unwrap().controllers().mirostat_mu(30.0), 60.0);
    }
}

/// Temperature 0 decides before mirostat cuts or adaptive-p writes.
#[test]
fn at_temperature_0_the_first_by_rank_is_drawn_whatever_the_controller() {
    let row = [1.0, 3.0, 3.0, -2.0];
    for options in controlled() {
        let mut sampler = sampler(&Options { temperature: Some(0.0), ..options });
        let found = sampler.distribution(&row).unwrap();
        assert_eq!((found.token_ids, found.logits), (vec![1], vec![3.0]));
        let drawn = sampler.sample_detailed(&row).unwrap();
        assert_eq!((drawn.token, drawn.target), (1, None));
        assert_eq!(sampler.row(0).unwrap().position(), 1);
    }
}
