//! Rules that choose among ranked tokens, each with its number.

use nucleus_sampler::{Options, StageName};

/// A truncating stage that does something.
#[derive(Clone, Copy, Debug)]
pub enum Rule {
    /// The least deviation from the entropy, until p is reached.
    TypicalP(f64),
    /// Within n standard deviations of the best logit.
    TopNSigma(f64),
    /// At least a times the squared probability of the best.
    TopA(f64),
    /// The longest prefix with h of the entropy.
    TopH(f64),
    /// Until the bends hold more than z of all.
    TailFree(f64),
    /// At least the probability that two draws are the same.
    PLess,
    /// At least this probability.
    EpsilonCutoff(f64),
    /// At least a probability that falls with the entropy.
    EtaCutoff(f64),
}

impl Rule {
    /// The rule of a stage, unless its option is at the off value.
    pub fn of(stage: StageName, options: &Options) -> Option<Rule> {
        let below_1 = |share: Option<f64>| share.filter(|share| *share < 1.0);
        let above_0 = |number: Option<f64>| number.filter(|number| *number > 0.0);
        match stage {
            StageName::TypicalP => below_1(options.typical_p).map(Rule::TypicalP),
            StageName::TopNSigma => above_0(options.top_n_sigma).map(Rule::TopNSigma),
            StageName::TopA => above_0(options.top_a).map(Rule::TopA),
            StageName::TopH => below_1(options.top_h).map(Rule::TopH),
            StageName::TailFree => below_1(options.tail_free).map(Rule::TailFree),
            StageName::PLess => options.p_less.filter(|on| *on).map(|_| Rule::PLess),
            StageName::EpsilonCutoff => above_0(options.epsilon_cutoff).map(Rule::EpsilonCutoff),
            StageName::EtaCutoff => above_0(options.eta_cutoff).map(Rule::EtaCutoff),
            _ => None,
        }
    }
}

/// What a rule chooses.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Places of the ranked tokens, the most wanted first.
    pub order: Vec<usize>,
    /// How many of these are kept; `min_keep` may keep more.
    pub n: usize,
    /// How far, as a share of the mass, the cut lies from the edge of a token.
    pub slack: f64,
}

impl Choice {
    /// A prefix by rank of `of` tokens.
    pub fn prefix(n: usize, of: usize, slack: f64) -> Choice {
        Choice { order: (0..of).collect(), n, slack }
    }
}
