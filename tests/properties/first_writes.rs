//! Where biases and penalties come first, a draw writes them before anything is known of the row; a preview looks first.
//! Both say the same of every row, and of what is wrong with it.

use nucleus_sampler::{Error, Options, Sampler};

use crate::common::DEAD;

/// What a logit may be, and may not.
const LOGITS: [f32; 7] = [0.5, -0.0, -3e38, 3e38, DEAD, f32::INFINITY, f32::NAN];

/// Options whose first stages write, over a history of the tokens 0, 2 and 2.
fn writers() -> Vec<Options> {
    let bias =
        |pairs: &[(u32, f64)]| Options { logit_bias: Some(pairs.to_vec()), ..Options::default() };
    let ban = f64::NEG_INFINITY;
    let penalised = |options: Options, repetition, frequency, presence| Options {
        repetition_penalty: Some(repetition),
        frequency_penalty: Some(frequency),
        presence_penalty: Some(presence),
        ..options
    };
    vec![
        bias(&[(0, 1.0), (1, -2.5)]),
        bias(&[(2, 3e38)]),
        bias(&[(0, ban)]),
        bias(&[(1, 0.25), (0, ban), (2, ban)]),
        bias(&[(1, 1.0), (3, 1.0)]),
        penalised(Options::default(), 1.5, 0.0, 0.0),
        penalised(Options::default(), 1e5, 0.25, 0.5),
        penalised(Options::default(), 1.0, 0.0, f64::MAX),
        penalised(Options::default(), 1.0, f64::MAX, 0.0),
        penalised(bias(&[(1, 3e38), (2, 1.0)]), 1.25, -0.5, 0.25),
        penalised(bias(&[(0, ban), (1, ban)]), 3.0, 0.25, -3e38),
    ]
}

fn sampler(options: &Options, temperature: f64) -> Sampler {
    let options = Options { temperature: Some(temperature), seed: Some(7), ..options.clone() };
    let mut sampler = Sampler::new(options).unwrap();
    for token in [0, 2, 2] {
        sampler.accept(token).unwrap();
    }
    sampler
}

/// Every row of three such logits.
fn rows() -> impl Iterator<Item = [f32; 3]> {
    let each = |place: usize| LOGITS[place % LOGITS.len()];
    (0..LOGITS.len().pow(3)).map(move |i| [each(i), each(i / 7), each(i / 49)])
}

fn said<T>(result: Result<T, Error>) -> Result<T, String> {
    result.map_err(|error| error.to_string())
}

#[test]
fn a_draw_finds_wrong_what_a_preview_finds_wrong_and_takes_the_best_of_what_it_shows() {
    let (mut refused, mut taken) = (0, 0);
    for options in writers() {
        for row in rows() {
            let mut sampler = sampler(&options, 0.0);
            let shown = said(sampler.distribution(&row)).map(|all| all.token_ids[0]);
            let drawn = said(sampler.sample(&row));
            assert_eq!(drawn, shown, "{options:?} {row:?}");
            if drawn.is_ok() { taken += 1 } else { refused += 1 }
        }
    }
    assert!(refused > 1000 && taken > 500, "{refused} refused, {taken} taken");
}

#[test]
fn a_draw_and_its_details_are_of_the_same_logits() {
    for options in writers() {
        for row in rows() {
            let details = said(sampler(&options, 0.75).sample_detailed(&row));
            let token = said(sampler(&options, 0.75).sample(&row));
            assert_eq!(details.map(|details| details.token), token, "{options:?} {row:?}");
        }
    }
}
