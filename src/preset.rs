//! Presets: an engine's order, defaults and dialect, as data.
//!
//! A preset is the base over which given options are laid, so `update` with another preset keeps what was ever given.

use crate::names::{PresetName, StageName};
use crate::options::{Options, Order, Settings};

/// The classic exercise.
const TEXTBOOK_ORDER: &[StageName] = &[
    StageName::Temperature,
    StageName::TopK,
    StageName::TopP,
    StageName::RepetitionPenalty,
    StageName::Draw,
];

/// The settings of a preset to which nothing was given.
fn base(preset: PresetName) -> Settings {
    let order = match preset {
        PresetName::Nucleus => Order::Default,
        PresetName::Textbook => Order::Listed(TEXTBOOK_ORDER.to_vec()),
    };
    Settings { preset, order, ..Settings::default() }
}

/// Lays given options, later layers winning, over the base of the preset that they name.
pub(crate) fn resolve(layers: &[&Options]) -> Settings {
    let preset = layers.iter().rev().find_map(|layer| layer.preset).unwrap_or(PresetName::Nucleus);
    let mut settings = base(preset);
    for layer in layers {
        settings.apply(layer);
    }
    settings
}
