//! The penalties together: a draw takes those that follow each other in one walk, a report one by one.
use nucleus_sampler::{Error, Options, Order, Sampler, StageName};

const PENALTIES: [StageName; 3] =
    [StageName::RepetitionPenalty, StageName::FrequencyPenalty, StageName::PresencePenalty];

/// Every order of the three.
const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

fn penalised(order: [usize; 3], options: Options) -> Sampler {
    let order = Order::Listed(order.iter().map(|i| PENALTIES[*i]).collect());
    let mut sampler = Sampler::new(Options { order: Some(order), ..options }).unwrap();
    sampler.prompt(&[0, 3, 3]).unwrap();
    for token in [1, 1, 2, 4, 4, 4] {
        sampler.accept(token).unwrap();
    }
    sampler
}

/// A logit after one penalty, in f64 and rounded once.
fn penalise(i: usize, logit: f32, output: u32, [r, f, q]: [f64; 3]) -> f32 {
    let l = f64::from(logit);
    let penalised = match i {
        0 if l > 0.0 => l / r,
        0 => l * r,
        1 => l - f64::from(output) * f,
        _ if output > 0 => l - q,
        _ => l,
    };
    penalised as f32 + 0.0
}

#[test]
fn penalties_in_any_order_give_what_each_gives_after_the_other() {
    let row = [-0.3f32, 0.1, -0.0, 1.0 / 3.0, 7.7, 0.7];
    let output = [0, 2, 1, 0, 3, 0];
    for penalties in [[1.3, 0.1, 0.7], [0.9, -0.3, 0.0], [1.0, 1e-9, -1.1], [3.0, 0.0, 0.0]] {
        for order in ORDERS {
            let [r, f, q] = penalties;
            let sampler = penalised(
                order,
                Options {
                    repetition_penalty: Some(r),
                    frequency_penalty: Some(f),
                    presence_penalty: Some(q),
                    ..Options::default()
                },
            );
            let mut expected: Vec<(u32, f32)> = row
                .iter()
                .zip(output)
                .enumerate()
                .map(|(id, (logit, output))| {
                    let step = |l, i: &usize| penalise(*i, l, output, penalties);
                    // Token 5 is in no history.
                    (id as u32, if id == 5 { *logit } else { order.iter().fold(*logit, step) })
                })
                .collect();
            expected.sort_by(|a, b| b.1.partial_cmp(&a.1).unwrap());
            let found = sampler.clone().distribution(&row).unwrap();
            let found: Vec<(u32, f32)> =
                found.token_ids.iter().copied().zip(found.logits.iter().copied()).collect();
            assert_eq!(found, expected, "{order:?} {penalties:?}");
        }
    }
}

#[test]
fn a_draw_names_the_stage_and_token_that_a_report_names_where_a_logit_leaves_the_range() {
    // Token 0 leaves it at the presence penalty, token 3 at the first one that it meets.
    let row = [-3e38f32, 1.0, 1.0, 3.3e38, 1.0];
    let mut seen = Vec::new();
    for order in ORDERS {
        let options = Options {
            repetition_penalty: Some(0.9),
            frequency_penalty: Some(-1e37),
            presence_penalty: Some(1e38),
            ..Options::default()
        };
        let mut sampler = penalised(order, options);
        sampler.accept(0).unwrap();
        let reported = sampler.report(&row, false).unwrap_err();
        assert_eq!(sampler.sample(&row).unwrap_err(), reported, "{order:?}");
        assert_eq!(sampler.sample_many(&row, 3).unwrap_err(), reported, "{order:?}");
        assert_eq!(sampler.distribution(&row).unwrap_err(), reported, "{order:?}");
        let Error::StageOverflow { stage, token } = reported else { panic!("{reported}") };
        seen.push((stage, token));
    }
    // An order in which an earlier token fails at a later stage: the stage decides.
    assert_eq!(seen.first(), Some(&(StageName::RepetitionPenalty, 3)));
    assert!(seen.contains(&(StageName::PresencePenalty, 0)), "{seen:?}");
}

#[test]
fn a_window_of_no_tokens_turns_all_three_off() {
    let options = Options {
        repetition_penalty: Some(2.0),
        frequency_penalty: Some(1.0),
        presence_penalty: Some(1.0),
        penalty_last_n: Some(nucleus_sampler::Window(0)),
        ..Options::default()
    };
    let mut sampler = penalised([0, 1, 2], options);
    assert_eq!(
        sampler.distribution(&[3.0, 2.0, 1.0, 0.5, 0.25]).unwrap().logits,
        [3.0, 2.0, 1.0, 0.5, 0.25]
    );
}
