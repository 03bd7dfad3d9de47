//! Stage names: the words by which an order, a report and an error speak of a stage.

pub(crate) mod nearest;

use core::fmt;

macro_rules! stage_names {
    ($($(#[$doc:meta])* $variant:ident = $text:literal),+ $(,)?) => {
        /// The name of a stage, written in snake_case in orders, reports and states.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum StageName {
            $($(#[$doc])* $variant),+
        }

        impl StageName {
            /// Every name, in the order of the declaration.
            pub const ALL: &'static [StageName] = &[$(StageName::$variant),+];

            /// The name as it is written: `top_p`.
            pub const fn as_str(self) -> &'static str {
                match self { $(StageName::$variant => $text),+ }
            }
        }
    };
}

stage_names! {
    /// The bit mask given with a call; acts before the first stage and is never listed in an order.
    Mask = "mask",
    /// Adds a number to the logits of chosen tokens, or bans them.
    LogitBias = "logit_bias",
    /// Lets only listed tokens through.
    AllowedTokens = "allowed_tokens",
    /// Divides positive and multiplies negative logits of tokens seen before.
    RepetitionPenalty = "repetition_penalty",
    /// Lowers a logit once for each time that its token was output.
    FrequencyPenalty = "frequency_penalty",
    /// Lowers a logit once if its token was output.
    PresencePenalty = "presence_penalty",
    /// Divides logits by T.
    Temperature = "temperature",
    /// Keeps the k best tokens.
    TopK = "top_k",
    /// Keeps the shortest prefix that reaches p.
    TopP = "top_p",
    /// Keeps tokens with at least m times the best probability.
    MinP = "min_p",
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
        matches!(self, StageName::Greedy | StageName::Draw)
    }
}

impl fmt::Display for StageName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The default order of the contract; the draw follows it.
pub const DEFAULT_ORDER: &[StageName] = &[
    StageName::LogitBias,
    StageName::AllowedTokens,
    StageName::RepetitionPenalty,
    StageName::FrequencyPenalty,
    StageName::PresencePenalty,
    StageName::Temperature,
    StageName::TopK,
    StageName::TopP,
    StageName::MinP,
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
