//! Sessions: what is computed once, in batches, together, again or in a copy is the same to the bit.

use nucleus_sampler::model::{Model, Session};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::forward::tokens;
use super::plan::{CTX, Plan, exact, quantised};

fn bits(row: &[f32]) -> Vec<u32> {
    row.iter().map(|logit| logit.to_bits()).collect()
}

/// The logits after every prefix, token by token in a session of their own.
fn steps(model: &Model, tokens: &[u32]) -> Vec<Vec<u32>> {
    let mut session = model.session();
    tokens.iter().map(|&token| bits(&session.step(token).unwrap())).collect()
}

fn plans() -> impl Strategy<Value = Plan> {
    prop_oneof![exact(), quantised()]
}

/// One thing that is done to one of several sessions.
#[derive(Clone, Debug)]
enum Deed {
    Prefill(usize, usize),
    Rewind(usize, u16),
    Fork(usize),
    Together,
}

fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    let deed = prop_oneof![
        (any::<usize>(), 1usize..12).prop_map(|(i, n)| Deed::Prefill(i, n)),
        (any::<usize>(), any::<u16>()).prop_map(|(i, to)| Deed::Rewind(i, to)),
        any::<usize>().prop_map(Deed::Fork),
        Just(Deed::Together),
    ];
    prop::collection::vec(deed, 1..14)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: crate::CASES, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn prefill_in_any_pieces_is_the_same_to_the_bit(plan in plans(), cuts: [u8; 4]) {
        let model = Model::load(&plan.file().bytes()).unwrap();
        let tokens = tokens(&plan, 45);
        let expected = steps(&model, &tokens);
        let mut cuts = cuts.map(|cut| usize::from(cut) % 45);
        cuts.sort_unstable();
        let mut session = model.session();
        let mut begin = 0;
        for end in cuts.into_iter().chain([45]) {
            if end > begin {
                let found = session.prefill(&tokens[begin..end]).unwrap();
                prop_assert_eq!(bits(&found), expected[end - 1].clone());
                begin = end;
            }
        }
        prop_assert_eq!(session.length(), 45);
    }

    #[test]
    fn sessions_never_disturb_each_other(plan in plans(), deeds in deeds()) {
        let model = Model::load(&plan.file().bytes()).unwrap();
        let source = tokens(&plan, 200);
        let mut next = source.iter().copied().cycle();
        // Each session beside the tokens that it must have.
        let mut sessions: Vec<(Session, Vec<u32>)> = vec![(model.session(), Vec::new())];
        for deed in deeds {
            let count = sessions.len();
            match deed {
                Deed::Prefill(i, n) => {
                    let (session, had) = &mut sessions[i % count];
                    let more: Vec<u32> = next.by_ref().take(n).collect();
                    if had.len() + n > CTX as usize {
                        prop_assert_eq!(session.prefill(&more).unwrap_err().code(), "too_large");
                        continue;
                    }
                    had.extend(&more);
                    let found = session.prefill(&more).unwrap();
                    let expected = model.session().prefill(had).unwrap();
                    prop_assert_eq!(bits(&found), bits(&expected));
                }
                Deed::Rewind(i, to) => {
                    let (session, had) = &mut sessions[i % count];
                    had.truncate(usize::from(to) % (had.len() + 1));
                    session.rewind(had.len()).unwrap();
                }
                Deed::Fork(i) => {
                    let (session, had) = &sessions[i % count];
                    let fork = (session.fork(), had.clone());
                    sessions.push(fork);
                }
                Deed::Together => {
                    if sessions.iter().any(|(_, had)| had.len() >= CTX as usize) {
                        continue;
                    }
                    let more: Vec<u32> = next.by_ref().take(count).collect();
                    let mut together: Vec<&mut Session> =
                        sessions.iter_mut().map(|(session, _)| session).collect();
                    let found = model.step(&mut together, &more).unwrap();
                    for (((_, had), token), row) in
                        sessions.iter_mut().zip(more).zip(found.chunks(plan.n_vocab))
                    {
                        had.push(token);
                        let expected = model.session().prefill(had).unwrap();
                        prop_assert_eq!(bits(row), bits(&expected));
                    }
                }
            }
            for (session, had) in &sessions {
                prop_assert_eq!(session.length(), had.len());
            }
        }
    }
}

#[test]
fn what_is_wrong_is_an_error_and_changes_nothing() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let plan = exact().new_tree(&mut TestRunner::deterministic()).unwrap().current();
    let model = Model::load(&plan.file().bytes()).unwrap();
    let mut session = model.session();
    session.prefill(&[0, 1, 2]).unwrap();
    let before = bits(&session.fork().step(1).unwrap());
    let outside = plan.n_vocab as u32;
    assert_eq!(session.prefill(&[]).unwrap_err().code(), "empty");
    let error = session.prefill(&[0, outside, 1]).unwrap_err();
    assert_eq!((error.code(), error.index()), ("bad_token", Some(plan.n_vocab)));
    assert_eq!(session.step(u32::MAX).unwrap_err().code(), "bad_token");
    assert_eq!(session.prefill(&[0; CTX as usize - 2]).unwrap_err().code(), "too_large");
    assert_eq!(session.rewind(4).unwrap_err().code(), "too_large");
    let other = Model::load(&plan.file().bytes()).unwrap();
    let error = other.step(&mut [&mut session], &[1]).unwrap_err();
    assert_eq!(error.code(), "out_of_range");
    let error = model.step(&mut [&mut session], &[1, 2]).unwrap_err();
    assert_eq!(error.code(), "wrong_length");
    assert_eq!(session.length(), 3);
    // A model may go before its sessions.
    drop(model);
    assert_eq!(bits(&session.step(1).unwrap()), before);
}
