//! Names: the words by which options, orders, reports and errors speak of stages, presets and a guard's policies.

pub(crate) mod nearest;

use core::fmt;

macro_rules! stage_names {
    ($($(#[$doc:meta])* $variant:ident = $text:literal),+ $(,)?) => {
        /// The name of a stage, written in snake_case in orders, reports and states.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum StageName {
            $($(#[$doc])* $variant,)+
            /// A stage of the caller's own, by the name that it gives itself; no order lists it.
            Own(&'static str),
        }

        impl StageName {
            /// Every name of the crate's own stages, in the order of the declaration.
            pub const ALL: &'static [StageName] = &[$(StageName::$variant),+];

            /// The name as it is written: `top_p`.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(StageName::$variant => $text,)+
                    StageName::Own(name) => name,
                }
            }
        }
    };
}

stage_names! {
    /// The bit mask given with a call; acts before the first stage and is never listed in an order.
    Mask = "mask",
    /// Moves the logits away from those of a second row.
    Guidance = "guidance",
    /// Adds a number to the logits of chosen tokens, or bans them.
    LogitBias = "logit_bias",
    /// Lets only listed tokens through.
    AllowedTokens = "allowed_tokens",
    /// Bans the last token of a forbidden sequence whose other tokens the text ends in.
    BadWords = "bad_words",
    /// Bans the end of the text until so many tokens were output.
    MinNewTokens = "min_new_tokens",
    /// Divides positive and multiplies negative logits of tokens seen before.
    RepetitionPenalty = "repetition_penalty",
    /// Lowers a logit once for each time that its token was output.
    FrequencyPenalty = "frequency_penalty",
    /// Lowers a logit once if its token was output.
    PresencePenalty = "presence_penalty",
    /// Bans tokens that would repeat a sequence of n.
    NoRepeatNgram = "no_repeat_ngram",
    /// Lowers the logits of tokens that would go on repeating what was said, the more the longer the repetition.
    Dry = "dry",
    /// Divides logits by T.
    Temperature = "temperature",
    /// Divides logits by a temperature that grows with the entropy.
    DynamicTemperature = "dynamic_temperature",
    /// Bends the logits: a curve of their distance from the best.
    Smoothing = "smoothing",
    /// Keeps the longest prefix whose entropy is at most a share of the whole.
    TopH = "top_h",
    /// Keeps the k best tokens.
    TopK = "top_k",
    /// Keeps the shortest prefix that reaches p.
    TopP = "top_p",
    /// Keeps tokens with at least m times the best probability.
    MinP = "min_p",
    /// Keeps the tokens whose surprise is nearest to the entropy, until they reach p.
    TypicalP = "typical_p",
    /// Keeps tokens within n standard deviations of the best logit.
    TopNSigma = "top_n_sigma",
    /// Keeps tokens with at least a times the square of the best probability.
    TopA = "top_a",
    /// Cuts the tail where the curve of probabilities no longer bends.
    TailFree = "tail_free",
    /// Keeps tokens at least as probable as two draws are to be the same.
    PLess = "p_less",
    /// Keeps tokens of at least a probability.
    EpsilonCutoff = "epsilon_cutoff",
    /// Keeps tokens of at least a probability that falls with the entropy.
    EtaCutoff = "eta_cutoff",
    /// Now and then removes the best tokens but the last of those above a threshold.
    Xtc = "xtc",
    /// Terminal: cuts at a surprise that follows what was drawn, and draws.
    Mirostat = "mirostat",
    /// Terminal: bends probabilities towards one that follows what was drawn, and draws.
    AdaptiveP = "adaptive_p",
    /// Terminal: the best token.
    Greedy = "greedy",
    /// Terminal: one word laid over the kept tokens.
    Draw = "draw",
}

impl StageName {
    /// The stage of this name, if there is one.
    pub fn parse(text: &str) -> Option<StageName> {
        StageName::ALL.iter().copied().find(|name| name.as_str() == text)
    }

    /// The names that an order may hold.
    pub(crate) fn listable() -> impl Iterator<Item = &'static str> {
        let all = StageName::ALL.iter().filter(|name| **name != StageName::Mask);
        all.map(|name| name.as_str())
    }

    /// Whether the stage chooses the token and so can only come last.
    pub const fn is_terminal(self) -> bool {
        use StageName::{AdaptiveP, Draw, Greedy, Mirostat};
        matches!(self, Mirostat | AdaptiveP | Greedy | Draw)
    }
}

impl fmt::Display for StageName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The default order of the contract; the draw follows it, or the terminal stage that is active.
pub const DEFAULT_ORDER: &[StageName] = &[
    StageName::Guidance,
    StageName::LogitBias,
    StageName::AllowedTokens,
    StageName::BadWords,
    StageName::MinNewTokens,
    StageName::RepetitionPenalty,
    StageName::FrequencyPenalty,
    StageName::PresencePenalty,
    StageName::NoRepeatNgram,
    StageName::Dry,
    StageName::Temperature,
    StageName::Smoothing,
    StageName::TopH,
    StageName::TopK,
    StageName::TopP,
    StageName::MinP,
    StageName::TypicalP,
    StageName::TopNSigma,
    StageName::TopA,
    StageName::TailFree,
    StageName::PLess,
    StageName::EpsilonCutoff,
    StageName::EtaCutoff,
    StageName::Xtc,
];

/// The name of a preset: an engine's order, defaults and dialect (the `preset` module holds the data).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PresetName {
    /// The contract's own order and neutral defaults.
    Nucleus,
    /// The classic exercise: temperature, top_k, top_p, repetition_penalty, draw.
    Textbook,
}

impl PresetName {
    /// Every preset.
    pub const ALL: &'static [PresetName] = &[PresetName::Nucleus, PresetName::Textbook];

    /// The name as it is written.
    pub const fn as_str(self) -> &'static str {
        match self {
            PresetName::Nucleus => "nucleus",
            PresetName::Textbook => "textbook",
        }
    }

    /// The preset of this name, if there is one.
    pub fn parse(text: &str) -> Option<PresetName> {
        PresetName::ALL.iter().copied().find(|name| name.as_str() == text)
    }
}

/// What a guard does where truncating stages leave next to nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GuardPolicy {
    /// There is no guard.
    Off,
    /// The call fails with `nothing_left`.
    Error,
    /// Thresholds are moved towards their off values, step by step.
    Relax,
    /// The best token that masks allow.
    Greedy,
}

impl GuardPolicy {
    /// Every policy.
    pub const ALL: &'static [GuardPolicy] =
        &[GuardPolicy::Off, GuardPolicy::Error, GuardPolicy::Relax, GuardPolicy::Greedy];

    /// The name as it is written.
    pub const fn as_str(self) -> &'static str {
        match self {
            GuardPolicy::Off => "off",
            GuardPolicy::Error => "error",
            GuardPolicy::Relax => "relax",
            GuardPolicy::Greedy => "greedy",
        }
    }

    /// The policy of this name, if there is one.
    pub fn parse(text: &str) -> Option<GuardPolicy> {
        GuardPolicy::ALL.iter().copied().find(|policy| policy.as_str() == text)
    }
}
