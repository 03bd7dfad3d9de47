//! The draw: floor(R K / 2^64) over the kept tokens in ascending id.

use nucleus_sampler::{Options, Sampler};

use crate::common::{DEAD, sampler};
use crate::oracle;

/// A generator that gives one word for ever.
struct Constant(u64);

impl rand::TryRng for Constant {
    type Error = std::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Ok(self.0 as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Ok(self.0)
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
        panic!("a draw is one word, not {} bytes", bytes.len())
    }
}

fn drawn(options: &Options, row: &[f32], word: u64) -> u32 {
    sampler(options).row(0).unwrap().sample_with(row, &mut Constant(word)).unwrap()
}

#[test]
fn equal_tokens_split_the_words_into_equal_intervals_by_ascending_id() {
    let quarter = 1u64 << 62;
    for (word, token) in [
        (0, 0),
        (quarter - 1, 0),
        (quarter, 1),
        (2 * quarter - 1, 1),
        (2 * quarter, 2),
        (3 * quarter - 1, 2),
        (3 * quarter, 3),
        (u64::MAX, 3),
    ] {
        assert_eq!(drawn(&Options::default(), &[0.5; 4], word), token, "{word:#x}");
    }
}

#[test]
fn tokens_are_laid_out_by_id_not_by_rank() {
    // Weights 1/4, 1/4, 1/2: the best token has the highest words, because its id is the highest.
    let row = [0.0, 0.0, std::f32::consts::LN_2];
    assert_eq!(drawn(&Options::default(), &row, 0), 0);
    assert_eq!(drawn(&Options::default(), &row, u64::MAX), 2);
    let top = Options { top_k: Some(2), ..Options::default() };
    assert_eq!(drawn(&top, &[1.0, 2.0, 3.0], 0), 1);
    assert_eq!(drawn(&top, &[1.0, 2.0, 3.0], u64::MAX), 2);
}

/// The words at which a token's interval begins and ends, found by the definition, one word apart.
#[test]
fn an_interval_begins_at_exactly_the_word_that_the_masses_say() {
    let row = [1.0, 0.25, -3.0, 2.5, -25.0];
    let whole = oracle::run::<oracle::Exact>(&oracle::Plan::default(), &row).unwrap();
    let weights = oracle::weights(&whole.ranked, 1.0);
    let total = oracle::mass(&weights);
    let mut below = 0;
    for (id, _) in row.iter().enumerate().skip(1) {
        let place = whole.ranked.iter().position(|t| t.id as usize == id - 1).unwrap();
        below += u128::from(weights[place]);
        // The first word R with floor(R K / 2^64) >= below.
        let first = (below << 64).div_ceil(total) as u64;
        assert_eq!(drawn(&Options::default(), &row, first), id as u32);
        assert_eq!(drawn(&Options::default(), &row, first - 1), id as u32 - 1);
    }
}

#[test]
fn tokens_of_weight_0_and_dead_tokens_are_never_drawn() {
    let row = [-60.0, DEAD, 0.0, -70.0, 0.0, DEAD, -1e30];
    for word in [0, 1, 1 << 62, u64::MAX / 2, u64::MAX / 2 + 1, u64::MAX] {
        let token = drawn(&Options::default(), &row, word);
        assert!(token == 2 || token == 4, "{token}");
    }
    assert_eq!(drawn(&Options::default(), &row, 0), 2);
    assert_eq!(drawn(&Options::default(), &row, u64::MAX), 4);
}

#[test]
fn a_single_candidate_is_always_drawn() {
    for word in [0, 1 << 63, u64::MAX] {
        assert_eq!(drawn(&Options::default(), &[DEAD, -1e38, DEAD], word), 1);
    }
}

/// Every block boundary of a long row: with one live token, and with two that split the words.
#[test]
fn the_draw_finds_tokens_on_both_sides_of_every_block() {
    for id in [0u32, 1, 7, 8, 254, 255, 256, 257, 511, 512, 1023, 1024, 1999] {
        let mut row = vec![DEAD; 2000];
        row[id as usize] = 3.0;
        assert_eq!(drawn(&Options::default(), &row, u64::MAX), id);
        row[1500] = 3.0;
        let (low, high) = (id.min(1500), id.max(1500));
        assert_eq!(drawn(&Options::default(), &row, u64::MAX / 2), low);
        assert_eq!(drawn(&Options::default(), &row, u64::MAX / 2 + 1), high);
    }
}

#[test]
fn the_largest_vocabulary_is_drawn_from_and_a_larger_one_is_an_error() {
    let n = nucleus_sampler::candidates::MAX_VOCAB;
    assert_eq!(n, 524_288);
    let row = vec![0.0; n + 1];
    // Every weight is 2^44: the mass is 2^63, and a word is a token's id with 45 more bits.
    for id in [0, 1, 262_143, 262_144, 524_287] {
        assert_eq!(drawn(&Options::default(), &row[..n], id << 45), id as u32);
        assert_eq!(drawn(&Options::default(), &row[..n], (id << 45) + ((1 << 45) - 1)), id as u32);
    }
    let error = sampler(&Options::default()).sample(&row).unwrap_err();
    assert_eq!(error.code(), "too_large");
    assert_eq!(error.to_string(), "the vocabulary is 524289, at most 524288 is accepted");
}

/// Where nearly all the mass is the last token's and each other weighs one unit, every interval is one target long.
/// The positions are those of seed 42 whose words fall there; a chance of 2^-25 each.
#[test]
fn intervals_of_one_unit_are_found_by_one_draw_and_by_many() {
    let n = nucleus_sampler::candidates::MAX_VOCAB;
    let mut row = vec![-31.0; n];
    row[n - 1] = 0.0;
    for (position, token) in [(85_623_348, 250_929), (85_970_977, 101_188), (90_769_342, 177_331)] {
        assert_eq!(drawn(&Options::default(), &row, oracle::word(42, 0, position)), token);
        let text = crate::common::state_text(&sampler(&Options::default()));
        let there = text.replace("\"position\":0", &format!("\"position\":{position}"));
        let state = crate::common::from_json_text(&there);
        let mut sampler = Sampler::from_state(&state).unwrap();
        assert_eq!(sampler.sample_many(&row, 1).unwrap(), [token]);
    }
}

#[test]
fn many_draws_are_at_most_2_to_the_27_and_none_is_allowed() {
    let mut sampler = Sampler::new(Options { seed: Some(1), ..Options::default() }).unwrap();
    assert_eq!(sampler.sample_many(&[0.5], 0).unwrap(), [0u32; 0]);
    assert_eq!(sampler.row(0).unwrap().position(), 0);
    let error = sampler.sample_many(&[0.5], nucleus_sampler::MAX_DRAWS + 1).unwrap_err();
    assert_eq!(error.code(), "too_large");
}

/// Where the draw fell is shown as a share of the kept mass.
#[test]
fn the_target_of_a_detailed_draw_lies_in_the_token_s_interval() {
    let mut sampler = sampler(&Options::default());
    for _ in 0..50 {
        let found = sampler.sample_detailed(&[0.5; 4]).unwrap();
        let target = found.target.unwrap();
        let low = f64::from(found.token) / 4.0;
        assert!((low..low + 0.25).contains(&target), "{found:?}");
    }
}
