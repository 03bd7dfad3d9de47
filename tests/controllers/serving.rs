//! A serving loop: sequences come and go between steps, some rows fail, and each sequence gets what it would get alone.

use std::collections::BTreeMap;

use nucleus_sampler::batch::FAILED;
use nucleus_sampler::{Options, Rows, Sampler, Window};

use crate::common::{from_json_text, sampler, state_text};
use crate::{adaptive_p, mirostat, scattered};

const N_VOCAB: usize = 120;

/// What a sequence asks for: every controller, with penalties, repetitions, coins and cuts, and none.
fn request(n: u32) -> Options {
    let plain = Options { seed: Some(u64::from(n) + 100), ..Options::default() };
    let seeded = |options: Options| Options { seed: plain.seed, ..options };
    match n % 7 {
        0 => seeded(mirostat(2, 1.5 + f64::from(n % 3))),
        1 => seeded(Options { top_p: Some(0.95), ..mirostat(1, 2.0) }),
        2 => seeded(Options { min_p: Some(0.02), temperature: Some(1.3), ..adaptive_p(0.3) }),
        3 => Options {
            repetition_penalty: Some(1.3),
            frequency_penalty: Some(0.4),
            penalty_last_n: Some(Window(6)),
            ..seeded(mirostat(2, 2.0))
        },
        4 => Options { temperature: Some(0.0), ..seeded(mirostat(2, 3.0)) },
        5 => Options {
            xtc_probability: Some(0.5),
            dry_multiplier: Some(0.8),
            dry_allowed_length: Some(1),
            ..seeded(mirostat(2, 2.5))
        },
        _ => Options { top_k: Some(20), presence_penalty: Some(0.5), ..plain },
    }
}

/// A sequence of its own sampler, which the same sequence in the batch must equal.
struct Sequence {
    alone: Sampler,
    prompt: Vec<u32>,
}

impl Sequence {
    fn new(n: u32) -> Sequence {
        let mut alone = Sampler::new(request(n)).unwrap();
        let prompt = vec![n % 100, (n * 7) % 100];
        alone.prompt(&prompt).unwrap();
        Sequence { alone, prompt }
    }
}

/// The row's part of a state, its id and options aside: what it has become.
fn become_of(sampler: &Sampler, id: u32) -> String {
    let state: serde_json::Value = serde_json::from_str(&state_text(sampler)).unwrap();
    let rows = state["rows"].as_array().unwrap();
    let mut row = rows.iter().find(|row| row["id"] == id).unwrap().clone();
    let row = row.as_object_mut().unwrap();
    row.remove("id");
    row.remove("options");
    serde_json::to_string(row).unwrap()
}

/// Logits of a sequence at a step; now and then no row at all.
fn logits(id: u32, step: u32) -> Vec<f32> {
    let mut row = scattered(N_VOCAB, id * 1000 + step);
    if (id + step).is_multiple_of(11) {
        row[step as usize] = f32::NAN;
    }
    row
}

#[test]
fn sequences_that_come_and_go_get_what_each_gets_alone_on_any_number_of_threads() {
    let mut servers = [1, 2, 5].map(|n_threads| (n_threads, sampler(&Options::default())));
    let mut sequences: BTreeMap<u32, Sequence> = BTreeMap::new();
    let (mut arrived, mut n_failed) = (0, 0);
    for step in 0..80 {
        // One or two sequences arrive; the oldest leaves when there are many.
        for _ in 0..1 + step % 2 {
            let sequence = Sequence::new(arrived);
            let ids = servers.each_mut().map(|(_, server)| {
                let id = server.add_row(request(arrived)).unwrap();
                server.row(id).unwrap().prompt(&sequence.prompt).unwrap();
                id
            });
            assert!(ids.iter().all(|id| *id == ids[0]));
            sequences.insert(ids[0], sequence);
            arrived += 1;
        }
        if sequences.len() > 9 {
            let (oldest, _) = sequences.pop_first().unwrap();
            servers.iter_mut().for_each(|(_, server)| server.remove_row(oldest).unwrap());
        }
        // Every third step a server is stopped and started again.
        if step % 3 == 0 {
            for (_, server) in &mut servers {
                *server = Sampler::from_state(&from_json_text(&state_text(server))).unwrap();
            }
        }
        let mut ids: Vec<u32> = sequences.keys().copied().collect();
        ids.rotate_left(step as usize % sequences.len());
        let rows: Vec<f32> = ids.iter().flat_map(|id| logits(*id, step)).collect();
        let batches = servers.each_mut().map(|(n_threads, server)| {
            server.sample_batch_on(*n_threads, &rows, Rows::Ids(&ids)).unwrap()
        });
        assert!(batches.iter().all(|tokens| *tokens == batches[0]), "step {step}");
        for (id, token) in ids.iter().zip(&batches[0]) {
            let alone = &mut sequences.get_mut(id).unwrap().alone;
            let expected = alone.sample(&logits(*id, step)).unwrap_or(FAILED);
            assert_eq!(*token, expected, "row {id} at step {step}");
            if *token == FAILED {
                n_failed += 1;
                continue;
            }
            // Now and then another token is taken than was drawn.
            let taken = if (id + step) % 13 == 5 { (token + 1) % N_VOCAB as u32 } else { *token };
            alone.accept(taken).unwrap();
            for (_, server) in &mut servers {
                server.row(*id).unwrap().accept(taken).unwrap();
            }
        }
        for (id, sequence) in &sequences {
            let expected = become_of(&sequence.alone, 0);
            for (_, server) in &servers {
                assert_eq!(become_of(server, *id), expected, "row {id} at step {step}");
            }
        }
    }
    assert!(n_failed > 20 && arrived == 120, "{n_failed} failed, {arrived} arrived");
}
