//! Batches on several threads: what one thread draws, in every order, with failing rows, and as rows come and go.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

mod common;

use common::sampler;
use nucleus_sampler::batch::{FAILED, MAX_THREADS};
use nucleus_sampler::{BatchInput, Error, Options, Result, Rows, Sampler};

/// With one thread, fewer than rows, as many, more.
const THREADS: [usize; 6] = [1, 2, 3, 8, 100, MAX_THREADS];
const N_VOCAB: usize = 300;

/// Words without a pattern: Marsaglia's xorshift.
struct Noise(u64);

impl Noise {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % n
    }

    /// Logits of `n_rows` rows, one after the other.
    fn logits(&mut self, n_rows: usize) -> Vec<f32> {
        (0..n_rows * N_VOCAB).map(|_| self.below(4000) as f32 / 400.0 - 5.0).collect()
    }

    fn shuffled(&mut self, mut ids: Vec<u32>) -> Vec<u32> {
        for i in (1..ids.len()).rev() {
            ids.swap(i, self.below(i + 1));
        }
        ids
    }
}

/// Options of a row, so that rows differ in what they cost and in what they do.
fn row_options(i: usize) -> Options {
    let plain = Options::default();
    match i % 6 {
        0 => Options { top_k: Some(7), ..plain },
        1 => Options { temperature: Some(0.0), ..plain },
        2 => Options { repetition_penalty: Some(1.3), frequency_penalty: Some(0.2), ..plain },
        3 => Options { seed: Some(i as u64), top_p: Some(0.5), ..plain },
        4 => Options { min_p: Some(0.1), temperature: Some(1.7), ..plain },
        _ => plain,
    }
}

/// Row 0 and `n - 1` others.
fn with_rows(n: usize) -> Sampler {
    let mut sampler = sampler(&Options { top_p: Some(0.95), ..Options::default() });
    for i in 1..n {
        sampler.add_row(row_options(i)).unwrap();
    }
    sampler
}

/// The same batch on one thread and on several: what is returned, the rows' errors, and everything that the sampler has
/// become are equal. Gives back what was returned.
fn same<'i>(
    alone: &mut Sampler,
    threaded: &mut [(usize, Sampler)],
    batch: impl Into<BatchInput<'i>>,
    rows: Rows<'_>,
) -> Result<Vec<u32>> {
    let batch = batch.into();
    let expected = alone.sample_batch(batch, rows);
    for (n_threads, sampler) in threaded {
        let found = sampler.sample_batch_on(*n_threads, batch, rows);
        assert_eq!(found, expected, "{n_threads} threads");
        // As texts: an error that names NaN does not equal itself.
        let errors = |sampler: &Sampler| format!("{:?}", sampler.row_errors());
        assert_eq!(errors(sampler), errors(alone), "{n_threads} threads");
        assert_eq!(sampler.state(), alone.state(), "{n_threads} threads");
    }
    expected
}

fn on_each_number_of_threads(sampler: &Sampler) -> Vec<(usize, Sampler)> {
    THREADS.map(|n_threads| (n_threads, sampler.clone())).into()
}

fn accept(sampler: &mut Sampler, ids: &[u32], tokens: &[u32]) {
    for (id, token) in ids.iter().zip(tokens).filter(|(_, token)| **token != FAILED) {
        sampler.row(*id).unwrap().accept(*token).unwrap();
    }
}

#[test]
fn any_number_of_threads_draws_what_one_draws() {
    let mut noise = Noise(1);
    for n_rows in [1, 2, 3, 7, 64] {
        let mut alone = with_rows(n_rows);
        let mut threaded = on_each_number_of_threads(&alone);
        for _ in 0..4 {
            let logits = noise.logits(n_rows);
            let tokens = same(&mut alone, &mut threaded, &logits, Rows::First(n_rows));
            assert!(tokens.unwrap().iter().all(|token| (*token as usize) < N_VOCAB));
        }
    }
}

#[test]
fn the_recorded_rows_too() {
    let logits: Vec<f32> = common::ROWS.iter().flat_map(|name| common::row(name)).collect();
    let mut alone = with_rows(5);
    let mut threaded = on_each_number_of_threads(&alone);
    for _ in 0..3 {
        same(&mut alone, &mut threaded, &logits, Rows::First(5)).unwrap();
    }
}

#[test]
fn rows_never_added_are_added() {
    let mut noise = Noise(2);
    let mut alone = with_rows(3);
    let mut threaded = on_each_number_of_threads(&alone);
    same(&mut alone, &mut threaded, &noise.logits(20), Rows::First(20)).unwrap();
    assert_eq!(threaded[2].1.row_ids().collect::<Vec<_>>(), (0..20).collect::<Vec<_>>());
}

#[test]
fn tokens_masks_and_errors_are_in_the_order_of_the_batch() {
    let ids = [6, 2, 9, 0, 7];
    let mut alone = with_rows(10);
    let mut threaded = on_each_number_of_threads(&alone);
    let mut logits = Noise(3).logits(ids.len());
    logits[N_VOCAB + 17] = f32::NAN;
    logits[4 * N_VOCAB + 5] = f32::INFINITY;
    let only = |token: usize| {
        let mut mask = [0u32; N_VOCAB.div_ceil(32)];
        mask[token / 32] = 1 << (token % 32);
        mask
    };
    let (first, third, nothing) = (only(250), only(31), [0; N_VOCAB.div_ceil(32)]);
    let masks = [Some(&first[..]), None, Some(&third[..]), Some(&nothing[..]), None];
    let batch = BatchInput { masks: &masks, ..BatchInput::from(&logits) };
    let tokens = same(&mut alone, &mut threaded, batch, Rows::Ids(&ids));
    assert_eq!(tokens, Ok(vec![250, FAILED, 31, FAILED, FAILED]));
    for (_, sampler) in &mut threaded {
        let errors: Vec<_> =
            sampler.row_errors().iter().map(|(id, error)| (*id, error.code())).collect();
        assert_eq!(errors, [(2, "not_finite"), (0, "nothing_left"), (7, "not_finite")]);
        let positions = ids.map(|id| sampler.row(id).unwrap().position());
        assert_eq!(positions, [1, 0, 1, 0, 0]);
    }
    same(&mut alone, &mut threaded, &Noise(4).logits(1), Rows::Ids(&[9])).unwrap();
    assert_eq!(threaded[2].1.row_errors(), []);
}

/// Sixty steps; in each, some of the rows in some order, some of them failing, then tokens accepted, and rows that go and
/// come.
#[test]
fn rows_may_come_and_go() {
    let mut noise = Noise(5);
    let mut alone = with_rows(12);
    let mut threaded: Vec<_> = [2, 3, 8].map(|n_threads| (n_threads, alone.clone())).into();
    let mut n_failed = 0;
    for step in 0..60 {
        let mut ids = noise.shuffled(alone.row_ids().collect());
        ids.truncate(1 + noise.below(ids.len()));
        let mut logits = noise.logits(ids.len());
        if step % 3 == 0 {
            logits[noise.below(ids.len() * N_VOCAB)] = f32::NAN;
        }
        let tokens = same(&mut alone, &mut threaded, &logits, Rows::Ids(&ids)).unwrap();
        n_failed += tokens.iter().filter(|token| **token == FAILED).count();
        let leaving = ids.iter().copied().find(|id| *id != 0).filter(|_| step % 2 == 0);
        for sampler in threaded.iter_mut().map(|(_, sampler)| sampler).chain([&mut alone]) {
            accept(sampler, &ids, &tokens);
            leaving.into_iter().for_each(|id| sampler.remove_row(id).unwrap());
            sampler.add_row(row_options(step)).unwrap();
        }
    }
    assert_eq!(n_failed, 20);
}

#[test]
fn errors_of_the_batch_as_a_whole_are_the_same_and_change_nothing() {
    let mut alone = with_rows(4);
    alone.remove_row(2).unwrap();
    let mut threaded = on_each_number_of_threads(&alone);
    let logits = Noise(6).logits(3);
    let wrong = [
        (Rows::Ids(&[0, 1, 0]), &[][..], "out_of_range"),
        (Rows::Ids(&[0, 1, 2]), &[], "row_unknown"),
        (Rows::First(3), &[], "row_unknown"),
        (Rows::Ids(&[]), &[], "empty"),
        (Rows::Ids(&[0, 1, 3]), &[None], "wrong_length"),
        (Rows::Ids(&[0, 1, 3, 4, 5, 6, 7]), &[], "wrong_length"),
    ];
    for (rows, masks, code) in wrong {
        let batch = BatchInput { masks, ..BatchInput::from(&logits) };
        let found = same(&mut alone, &mut threaded, batch, rows);
        assert_eq!(found.unwrap_err().code(), code, "{rows:?}");
    }
    same(&mut alone, &mut threaded, &logits, Rows::Ids(&[3, 1, 0])).unwrap();
}

#[test]
fn a_number_of_threads_out_of_range_is_an_error_that_changes_nothing() {
    let mut sampler = with_rows(2);
    let before = sampler.state();
    let logits = Noise(7).logits(3);
    for n_threads in [0, MAX_THREADS + 1, usize::MAX] {
        let error = sampler.sample_batch_on(n_threads, &logits, Rows::First(3)).unwrap_err();
        let found = n_threads.to_string();
        let accepted = "an integer in [1, 1024]".into();
        assert_eq!(error, Error::OutOfRange { option: "threads".into(), found, accepted });
    }
    assert_eq!(sampler.state(), before);
}

#[test]
fn the_number_of_threads_may_change_from_batch_to_batch_and_a_clone_goes_on_alike() {
    let mut noise = Noise(8);
    let mut alone = with_rows(9);
    let mut threaded = vec![(1, alone.clone())];
    for n_threads in [3, 1, 8, 2, 1, 100, 2] {
        threaded[0].0 = n_threads;
        same(&mut alone, &mut threaded, &noise.logits(9), Rows::First(9)).unwrap();
    }
    let clone = (2, threaded[0].1.clone());
    threaded.push(clone);
    same(&mut alone, &mut threaded, &noise.logits(9), Rows::First(9)).unwrap();
}

#[test]
fn a_sampler_may_be_sent_to_another_thread_and_looked_at_from_several() {
    fn crosses<T: Send + Sync + 'static>() {}
    crosses::<Sampler>();
    crosses::<Options>();
    crosses::<Error>();
    let (mut here, logits) = (with_rows(4), Noise(9).logits(4));
    let mut there = here.clone();
    let (batch, expected) = (logits.clone(), here.sample_batch(&logits, Rows::First(4)));
    let sent = std::thread::spawn(move || there.sample_batch_on(2, &batch, Rows::First(4)));
    assert_eq!(sent.join().unwrap(), expected);
}
