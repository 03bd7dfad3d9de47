//! Rows of a sampler: options of their own, streams, batches, updates, clones.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

mod common;
mod oracle;

use common::sampler;
use nucleus_sampler::batch::FAILED;
use nucleus_sampler::{BatchInput, Error, Options, Rows, Sampler};

/// Two equal tokens: a draw shows the highest bit of its word.
const COIN: [f32; 2] = [0.5, 0.5];

fn bits(seed: u64, stream: u64, positions: std::ops::Range<u64>) -> Vec<u32> {
    positions.map(|n| (oracle::word(seed, stream, n) >> 63) as u32).collect()
}

fn draws(sampler: &mut Sampler, row: u32, n: usize) -> Vec<u32> {
    sampler.row(row).unwrap().sample_many(&COIN, n).unwrap()
}

fn seeded(seed: u64) -> Options {
    Options { seed: Some(seed), ..Options::default() }
}

fn streamed(stream: u32) -> Options {
    Options { stream: Some(stream), ..Options::default() }
}

#[test]
fn a_row_without_options_draws_from_the_stream_of_its_id() {
    let mut sampler = sampler(&seeded(9));
    for id in 1..4 {
        assert_eq!(sampler.add_row(Options::default()).unwrap(), id);
    }
    for id in [3, 0, 2, 1] {
        assert_eq!(draws(&mut sampler, id, 60), bits(9, u64::from(id), 0..60), "row {id}");
    }
}

#[test]
fn a_row_with_a_seed_of_its_own_draws_from_that_seed_s_stream_0() {
    let mut sampler = sampler(&seeded(9));
    sampler.add_row(seeded(4)).unwrap();
    assert_eq!(draws(&mut sampler, 1, 60), bits(4, 0, 0..60));
}

/// What is given to the sampler is where the streams of its rows are counted from; a row's own stream stays its own.
#[test]
fn a_row_s_own_stream_wins_and_without_one_the_sampler_s_is_what_ids_are_counted_from() {
    let mut sampler = sampler(&Options { stream: Some(70), ..seeded(9) });
    sampler.add_row(streamed(u32::MAX)).unwrap();
    sampler.add_row(Options { stream: Some(5), ..seeded(4) }).unwrap();
    assert_eq!(draws(&mut sampler, 0, 60), bits(9, 70, 0..60));
    assert_eq!(draws(&mut sampler, 1, 60), bits(9, u64::from(u32::MAX), 0..60));
    assert_eq!(draws(&mut sampler, 2, 60), bits(4, 5, 0..60));
    sampler.add_row(Options::default()).unwrap();
    sampler.add_row(seeded(4)).unwrap();
    assert_eq!(draws(&mut sampler, 3, 60), bits(9, 73, 0..60));
    assert_eq!(draws(&mut sampler, 4, 60), bits(4, 70, 0..60));
    sampler.update(&streamed(u32::MAX), None).unwrap();
    assert_eq!(draws(&mut sampler, 0, 60), bits(9, u64::from(u32::MAX), 60..120));
    assert_eq!(draws(&mut sampler, 3, 60), bits(9, 2, 60..120));
}

#[test]
fn the_settings_of_a_row_name_the_seed_and_the_stream_in_force() {
    let mut sampler = sampler(&seeded(9));
    sampler.add_row(Options::default()).unwrap();
    sampler.add_row(Options { stream: Some(5), ..seeded(4) }).unwrap();
    for (id, seed, stream) in [(0, 9, 0), (1, 9, 1), (2, 4, 5)] {
        let row = sampler.row(id).unwrap();
        assert_eq!((row.settings().seed, row.settings().stream), (seed, stream), "row {id}");
    }
}

#[test]
fn ids_are_never_used_again() {
    let mut sampler = sampler(&seeded(9));
    assert_eq!(sampler.add_row(Options::default()), Ok(1));
    sampler.remove_row(1).unwrap();
    assert_eq!(sampler.add_row(Options::default()), Ok(2));
    assert_eq!(sampler.row_ids().collect::<Vec<_>>(), [0, 2]);
    assert_eq!(sampler.row(1).unwrap_err(), Error::RowUnknown { row: 1 });
    assert_eq!(sampler.remove_row(1).unwrap_err().to_string(), "there is no row 1");
    assert_eq!(sampler.remove_row(0).unwrap_err().code(), "out_of_range");
}

#[test]
fn a_batch_of_the_first_n_adds_the_rows_never_added_but_not_a_removed_one() {
    let mut sampler = sampler(&seeded(9));
    let tokens = sampler.sample_batch(&COIN.repeat(3), Rows::First(3)).unwrap();
    assert_eq!(sampler.row_ids().collect::<Vec<_>>(), [0, 1, 2]);
    let first: Vec<u32> = (0..3).map(|id| bits(9, id, 0..1)[0]).collect();
    assert_eq!(tokens, first);
    sampler.remove_row(1).unwrap();
    let error = sampler.sample_batch(&COIN.repeat(5), Rows::First(5)).unwrap_err();
    assert_eq!(error, Error::RowUnknown { row: 1 });
    assert_eq!(sampler.row_ids().collect::<Vec<_>>(), [0, 2]);
    assert!(sampler.sample_batch(&COIN, Rows::First(1)).is_ok());
}

/// However many are asked for, the answer is an error and not an allocation.
#[test]
fn a_batch_of_more_rows_than_logits_is_wrong_length_at_once() {
    let mut sampler = sampler(&seeded(9));
    for n in [3, 1 << 20, 1 << 30, usize::MAX] {
        let error = sampler.sample_batch(&COIN, Rows::First(n)).unwrap_err();
        assert_eq!(error.code(), "wrong_length");
    }
}

#[test]
fn a_batch_by_ids_is_in_the_order_of_the_ids() {
    let mut sampler = sampler(&seeded(9));
    (1..4).for_each(|_| drop(sampler.add_row(Options::default())));
    let one_hot = |token: usize| (0..4).map(move |id| if id == token { 9.0f32 } else { -90.0 });
    let logits: Vec<f32> = [2, 0, 3].into_iter().flat_map(one_hot).collect();
    assert_eq!(sampler.sample_batch(&logits, Rows::Ids(&[3, 1, 0])), Ok(vec![2, 0, 3]));
    assert_eq!(sampler.row(2).unwrap().position(), 0);
    assert_eq!(sampler.row(3).unwrap().position(), 1);
}

/// A batch with a mask for each row, or none.
fn masked<'a>(logits: &'a [f32], masks: &'a [Option<&'a [u32]>]) -> BatchInput<'a> {
    BatchInput { masks, ..BatchInput::from(logits) }
}

#[test]
fn masks_of_a_batch_belong_to_their_rows_and_may_be_absent() {
    let mut sampler = sampler(&seeded(9));
    let (left, right) = ([0b01], [0b10]);
    let masks = [Some(left.as_slice()), None, Some(right.as_slice())];
    for _ in 0..20 {
        let tokens = sampler.sample_batch(masked(&COIN.repeat(3), &masks), Rows::First(3)).unwrap();
        assert_eq!((tokens[0], tokens[2]), (0, 1));
    }
    let expected = bits(9, 1, 20..21)[0];
    assert_eq!(sampler.row(1).unwrap().sample(&COIN), Ok(expected));
}

#[test]
fn a_failed_row_holds_the_largest_u32_and_its_error_can_be_read_until_the_next_batch() {
    let mut sampler = sampler(&seeded(9));
    let nothing = [0];
    let masks = [None, Some(nothing.as_slice())];
    let tokens = sampler.sample_batch(masked(&COIN.repeat(2), &masks), Rows::First(2)).unwrap();
    assert_eq!((tokens[1], FAILED), (0xffff_ffff, 0xffff_ffff));
    let [(1, error)] = sampler.row_errors() else { panic!("{:?}", sampler.row_errors()) };
    assert_eq!(error.code(), "nothing_left");
    assert_eq!(sampler.row(0).unwrap().position(), 1);
    assert_eq!(sampler.row(1).unwrap().position(), 0);
    sampler.sample_batch(&COIN.repeat(2), Rows::First(2)).unwrap();
    assert_eq!(sampler.row_errors(), []);
}

#[test]
fn an_update_of_the_sampler_reaches_every_row_that_was_not_given_its_own() {
    let mut sampler = sampler(&seeded(9));
    sampler.add_row(Options { top_k: Some(3), ..Options::default() }).unwrap();
    sampler.add_row(Options::default()).unwrap();
    let update = Options { top_k: Some(1), temperature: Some(0.5), ..Options::default() };
    sampler.update(&update, None).unwrap();
    for (id, k) in [(0, 1), (1, 3), (2, 1)] {
        let row = sampler.row(id).unwrap();
        assert_eq!((row.settings().top_k, row.settings().temperature), (k, 0.5), "row {id}");
    }
    sampler.update(&Options { top_k: Some(2), ..Options::default() }, Some(2)).unwrap();
    assert_eq!(sampler.row(2).unwrap().settings().top_k, 2);
    assert_eq!(sampler.row(0).unwrap().settings().top_k, 1);
}

#[test]
fn an_update_of_the_seed_leaves_the_position_and_reset_sets_it_to_0() {
    let mut sampler = sampler(&seeded(9));
    assert_eq!(draws(&mut sampler, 0, 5), bits(9, 0, 0..5));
    sampler.update(&seeded(10), None).unwrap();
    assert_eq!(draws(&mut sampler, 0, 20), bits(10, 0, 5..25));
    sampler.reset();
    assert_eq!(draws(&mut sampler, 0, 20), bits(10, 0, 0..20));
}

#[test]
fn reset_clears_histories_and_positions_of_every_row_and_not_their_options() {
    let mut sampler = sampler(&Options { presence_penalty: Some(1.0), ..seeded(9) });
    sampler.add_row(Options { top_k: Some(1), ..Options::default() }).unwrap();
    for id in [0, 1] {
        sampler.row(id).unwrap().accept(0).unwrap();
        sampler.row(id).unwrap().prompt(&[1]).unwrap();
        draws(&mut sampler, id, 3);
    }
    sampler.reset();
    for id in [0, 1] {
        let row = sampler.row(id).unwrap();
        assert_eq!(
            (row.position(), row.history().prompt(), row.history().output()),
            (0, &[][..], &[][..])
        );
        assert_eq!(row.settings().presence_penalty, 1.0);
    }
    assert_eq!(sampler.row(1).unwrap().settings().top_k, 1);
    assert_eq!(sampler.row_ids().count(), 2);
}

/// Where the two draw from different words, long rows of coins differ.
#[test]
fn a_clone_on_another_stream_is_independent_in_every_row() {
    let mut original = sampler(&seeded(9));
    original.add_row(Options::default()).unwrap();
    original.add_row(streamed(40)).unwrap();
    original.add_row(seeded(4)).unwrap();
    let mut clone = original.clone_on_stream(7).unwrap();
    assert_eq!(draws(&mut clone, 0, 100), bits(9, 7, 0..100));
    for id in [0, 1, 2, 3] {
        assert_ne!(draws(&mut clone, id, 100), draws(&mut original, id, 100), "row {id}");
    }
}

/// What history each row has is its own.
#[test]
fn accepting_in_one_row_does_not_touch_another() {
    let mut sampler = sampler(&Options { presence_penalty: Some(1.0), ..seeded(9) });
    sampler.add_row(Options::default()).unwrap();
    sampler.row(1).unwrap().accept(0).unwrap();
    assert_eq!(common::logits(&mut sampler, &COIN), [(0, 0.5), (1, 0.5)]);
    assert_eq!(sampler.row(1).unwrap().distribution(&COIN).unwrap().logits, [0.5, -0.5]);
}

#[test]
fn a_batch_may_run_over_the_recorded_rows_as_each_row_does_alone() {
    let rows: Vec<Vec<f32>> = common::ROWS.iter().map(|name| common::row(name)).collect();
    let options = Options { temperature: Some(0.8), top_p: Some(0.95), ..seeded(42) };
    let mut batch = sampler(&options);
    for position in 0..3 {
        let tokens = batch.sample_batch(&rows.concat(), Rows::First(5)).unwrap();
        for (id, row) in rows.iter().enumerate() {
            let mut alone = sampler(&Options { stream: Some(id as u32), ..options.clone() });
            assert_eq!(alone.sample_many(row, 3).unwrap()[position], tokens[id]);
        }
    }
}
