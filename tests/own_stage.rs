//! Stages of the caller's own: where they run, what they see, how they show, and what is refused.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]
#![allow(clippy::disallowed_methods, reason = "an expectation may use the platform's library")]

mod common;

use std::sync::Arc;

use common::sampler;
use nucleus_sampler::candidates::Candidates;
use nucleus_sampler::stage::{Context, Kind, Stage};
use nucleus_sampler::{Error, Options, Order, Result, Rows, Sampler, StageName};

const LOGITS: [f32; 4] = [4.0, 3.0, 2.0, 1.0];

/// Removes the best token, or lowers it by 10, or does neither.
#[derive(Clone, Debug)]
struct Against {
    name: StageName,
    kind: Kind,
    is_active: bool,
}

impl Against {
    fn removing() -> Against {
        Against { name: StageName::Own("against"), kind: Kind::Truncates, is_active: true }
    }
}

impl Stage for Against {
    fn name(&self) -> StageName {
        self.name
    }

    fn kind(&self) -> Kind {
        self.kind
    }

    fn is_active(&self) -> bool {
        self.is_active
    }

    fn apply(&self, candidates: &mut Candidates<'_>, _: &Context<'_>) -> Result<()> {
        let max = candidates.max();
        if self.kind == Kind::Writes {
            candidates.begin_writing(self.name)?;
            return candidates
                .write_all(self.name, |l| if l == f64::from(max) { l - 10.0 } else { l });
        }
        candidates.retain(|candidate| candidate.logit < max);
        Ok(())
    }

    fn threshold(&self, candidates: &mut Candidates<'_>, _: &Context<'_>) -> Option<f64> {
        Some(f64::from(candidates.max()))
    }
}

fn with(stage: &Against, before: StageName, options: Options) -> Sampler {
    let mut sampler = sampler(&options);
    sampler.insert_stage(Arc::new(stage.clone()), before).unwrap();
    sampler
}

fn kept(sampler: &mut Sampler) -> Vec<u32> {
    let mut ids = sampler.distribution(&LOGITS).unwrap().token_ids;
    ids.sort_unstable();
    ids
}

#[test]
fn an_own_stage_runs_before_the_stage_that_was_named_and_draw_means_last() {
    let two = Options { top_k: Some(2), ..Options::default() };
    let own = Against::removing();
    assert_eq!(kept(&mut with(&own, StageName::TopK, two.clone())), [1, 2]);
    assert_eq!(kept(&mut with(&own, StageName::TopP, two.clone())), [1]);
    assert_eq!(kept(&mut with(&own, StageName::Draw, two.clone())), [1]);
    let order = Some(Order::Listed(vec![StageName::TopK, StageName::Greedy]));
    let mut greedy = with(&own, StageName::Draw, Options { order, ..two });
    assert_eq!(greedy.sample(&LOGITS).unwrap(), 1);
}

#[test]
fn an_own_stage_writes_as_the_crate_s_own_do() {
    let own = Against { kind: Kind::Writes, ..Against::removing() };
    let mut sampler = with(&own, StageName::TopK, Options { top_k: Some(2), ..Options::default() });
    assert_eq!(sampler.distribution(&LOGITS).unwrap().logits, [3.0, 2.0]);
}

#[test]
fn an_own_stage_is_in_reports_and_explanations_under_its_name() {
    let mut sampler = with(&Against::removing(), StageName::TopK, Options::default());
    let report = sampler.report(&LOGITS, true).unwrap();
    let own = report.stages.iter().position(|stage| stage.name.as_str() == "against").unwrap();
    assert_eq!(report.stages[own + 1].name, StageName::TopK);
    let stage = &report.stages[own];
    assert_eq!((stage.kept_before, stage.kept_after, stage.threshold), (4, 3, Some(4.0)));
    assert_eq!(report.tokens.unwrap().removed_by[0], own as u8);
    let found = sampler.explain(&LOGITS, 0).unwrap();
    assert_eq!((found.kept, found.stage), (false, Some(StageName::Own("against"))));
}

#[test]
fn a_kept_mass_is_right_where_an_own_stage_removes_the_best() {
    let own = Against::removing();
    let mut sampler = with(&own, StageName::MinP, Options { top_k: Some(3), ..Options::default() });
    let weights: Vec<f64> = LOGITS.iter().map(|l| f64::from(*l).exp()).collect();
    let expected = (weights[1] + weights[2]) / weights.iter().sum::<f64>();
    let found = sampler.distribution(&LOGITS).unwrap().kept_mass;
    assert!((found - expected).abs() < 1e-6, "{found} {expected}");
    assert_eq!(sampler.sample_detailed(&LOGITS).unwrap().kept_mass, found);
}

#[test]
fn own_stages_run_in_every_row_those_of_later_ones_too_and_on_every_thread() {
    let mut sampler = sampler(&Options::default());
    let before = sampler.add_row(Options { temperature: Some(0.5), ..Options::default() }).unwrap();
    sampler.insert_stage(Arc::new(Against::removing()), StageName::Draw).unwrap();
    let after = sampler.add_row(Options { top_k: Some(2), ..Options::default() }).unwrap();
    let logits = LOGITS.repeat(3);
    let ids = [0, before, after];
    for _ in 0..50 {
        let mut alone = sampler.clone();
        let tokens = sampler.sample_batch_on(2, &logits, Rows::Ids(&ids)).unwrap();
        assert_eq!(tokens, alone.sample_batch(&logits, Rows::Ids(&ids)).unwrap());
        assert!(!tokens.contains(&0), "{tokens:?}");
    }
}

#[test]
fn an_own_stage_stays_through_updates_clones_and_resets_and_can_be_taken_out() {
    let mut sampler = with(&Against::removing(), StageName::Draw, Options::default());
    sampler.update(&Options { top_k: Some(2), ..Options::default() }, None).unwrap();
    sampler.update(&Options { temperature: Some(0.9), ..Options::default() }, Some(0)).unwrap();
    sampler.reset();
    assert_eq!(kept(&mut sampler.clone()), [1]);
    assert!(!sampler.remove_stage("another"));
    assert!(sampler.remove_stage("against"));
    assert_eq!(kept(&mut sampler), [0, 1]);
}

#[test]
fn an_inactive_own_stage_is_seen_and_does_nothing() {
    let own = Against { is_active: false, ..Against::removing() };
    let mut sampler = with(&own, StageName::Draw, Options::default());
    assert_eq!(kept(&mut sampler), [0, 1, 2, 3]);
    let report = sampler.report(&LOGITS, false).unwrap();
    assert!(report.stages.iter().any(|stage| stage.name.as_str() == "against" && !stage.active));
}

#[test]
fn several_own_stages_before_the_same_one_run_in_the_order_of_their_insertion() {
    let mut sampler = with(&Against::removing(), StageName::Draw, Options::default());
    let second = Against { name: StageName::Own("second"), kind: Kind::Writes, is_active: true };
    sampler.insert_stage(Arc::new(second), StageName::Draw).unwrap();
    let report = sampler.report(&LOGITS, false).unwrap();
    let names: Vec<_> =
        report.stages.iter().rev().take(2).map(|stage| stage.name.as_str()).collect();
    assert_eq!(names, ["second", "against"]);
    assert_eq!(sampler.distribution(&LOGITS).unwrap().logits, [2.0, 1.0, -7.0]);
}

#[test]
fn a_stage_that_empties_the_set_is_named_by_the_error() {
    let mut sampler = with(&Against::removing(), StageName::Draw, Options::default());
    let error = sampler.sample(&[1.0, 1.0]).unwrap_err();
    assert_eq!(error, Error::NothingLeft { stage: Some(StageName::Own("against")) });
}

#[test]
fn a_name_that_is_taken_or_not_an_own_one_is_refused_and_changes_nothing() {
    let mut sampler = with(&Against::removing(), StageName::Draw, Options::default());
    for name in [StageName::Own("against"), StageName::Own("top_k"), StageName::TopK] {
        let stage = Arc::new(Against { name, ..Against::removing() });
        let error = sampler.insert_stage(stage, StageName::Draw).unwrap_err();
        assert_eq!((error.code(), error.option()), ("out_of_range", Some("stage")));
    }
    assert_eq!(kept(&mut sampler), [1, 2, 3]);
}

#[test]
fn a_place_that_an_order_does_not_have_is_a_bad_order() {
    let order = Some(Order::Listed(vec![StageName::TopK]));
    let listed = Options { order, ..Options::default() };
    let mut short = sampler(&listed);
    let own = Arc::new(Against::removing());
    let error = short.insert_stage(own.clone(), StageName::TopP).unwrap_err();
    assert_eq!((error.code(), error.stage()), ("bad_order", Some(StageName::TopP)));
    assert_eq!(kept(&mut short), [0, 1, 2, 3]);
    // Nor can an order be given that no longer has it.
    let mut sampler = with(&Against::removing(), StageName::TopP, Options::default());
    assert_eq!(sampler.update(&listed, None).unwrap_err().code(), "bad_order");
    assert_eq!(kept(&mut sampler), [1, 2, 3]);
}

#[test]
fn an_order_cannot_list_an_own_stage_by_name() {
    let order = Some(Order::Listed(vec![StageName::Own("against")]));
    let error = Sampler::new(Options { order, ..Options::default() }).unwrap_err();
    assert_eq!((error.code(), error.option()), ("out_of_range", Some("order")));
}

#[test]
fn samplers_with_own_stages_can_be_sent_to_another_thread_and_shared() {
    fn check<T: Send + Sync>(_: &T) {}
    let sampler = with(&Against::removing(), StageName::Draw, Options::default());
    check(&sampler);
    let mut moved = sampler.clone();
    let there = std::thread::spawn(move || moved.sample(&LOGITS).unwrap()).join().unwrap();
    assert_eq!(there, sampler.clone().sample(&LOGITS).unwrap());
}
