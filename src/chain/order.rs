//! From settings to stages in order: what an order must list, what it may not, and what takes whose place.

use std::sync::Arc;

use crate::error::{Error, Result};
use crate::names::StageName;
use crate::options::{DEFAULT_ORDER, Order, Settings};
use crate::stage::{self, Own, Stage};

/// The stages of these settings in order, without `draw` and `greedy`; an order that cannot be run is an error.
pub(super) fn stages(settings: &Settings, own: &[Own]) -> Result<Vec<Arc<dyn Stage>>> {
    let order = order(settings)?;
    let mut stages = Vec::new();
    for name in &order {
        let before = |own: &&Own| own.before == *name || own.is_last() && name.is_terminal();
        stages.extend(own.iter().filter(before).map(|own| Arc::clone(&own.stage)));
        stages.extend(stage_at(*name, &order, settings));
    }
    if !order.last().is_some_and(|name| name.is_terminal()) {
        stages.extend(own.iter().filter(|own| own.is_last()).map(|own| Arc::clone(&own.stage)));
    }
    if let Some(own) = own.iter().find(|own| !own.is_last() && !order.contains(&own.before)) {
        return Err(Error::BadOrder {
            stage: own.before,
            reason: "is not listed, and a stage of your own is to come before it",
        });
    }
    match stages.get(LONGEST_ORDER) {
        Some(stage) => Err(too_long(stage.name())),
        None => Ok(stages),
    }
}

/// Whether the order ends in `greedy`.
pub(super) fn is_greedy(settings: &Settings) -> bool {
    matches!(&settings.order, Order::Listed(order) if order.last() == Some(&StageName::Greedy))
}

/// The names of the stages to run, checked; the active controlled stage at the end where no terminal one is listed.
fn order(settings: &Settings) -> Result<Vec<StageName>> {
    let mut order: Vec<StageName> = match &settings.order {
        Order::Default => DEFAULT_ORDER.to_vec(),
        Order::Listed(order) => order.clone(),
    };
    check(&order)?;
    if !order.last().is_some_and(|name| name.is_terminal()) {
        order.extend(CONTROLLED.iter().filter(|name| is_active(**name, settings)));
    }
    check(&order)?;
    for name in StageName::ALL.iter().filter(|name| !order.contains(name)) {
        if is_active(*name, settings) && !is_replaced(*name, &order, settings) {
            return Err(Error::BadOrder { stage: *name, reason: "is active but not listed" });
        }
    }
    Ok(order)
}

/// The terminal stages that end an order in which none is listed, when they are active.
const CONTROLLED: [StageName; 2] = [StageName::Mirostat, StageName::AdaptiveP];

fn is_active(name: StageName, settings: &Settings) -> bool {
    stage::build(name, settings).is_some_and(|stage| stage.is_active())
}

/// The stage at a place of the order: dynamic temperature takes temperature's place, unless it is listed itself.
fn stage_at(name: StageName, order: &[StageName], settings: &Settings) -> Option<Arc<dyn Stage>> {
    let dynamic = StageName::DynamicTemperature;
    if name != StageName::Temperature || !is_active(dynamic, settings) {
        return stage::build(name, settings);
    }
    if order.contains(&dynamic) {
        let off = Settings { temperature: 1.0, ..Settings::default() };
        return stage::build(name, &off);
    }
    stage::build(dynamic, settings)
}

/// Whether a stage that is not listed runs, or need not, because of the other kind of temperature.
fn is_replaced(name: StageName, order: &[StageName], settings: &Settings) -> bool {
    let (plain, dynamic) = (StageName::Temperature, StageName::DynamicTemperature);
    match name {
        StageName::DynamicTemperature => order.contains(&plain),
        StageName::Temperature => order.contains(&dynamic) && is_active(dynamic, settings),
        _ => false,
    }
}

/// The longest order: reports name a stage by one byte, of which they need some values themselves.
const LONGEST_ORDER: usize = 200;

fn check(order: &[StageName]) -> Result<()> {
    if let Some(stage) = order.get(LONGEST_ORDER) {
        return Err(too_long(*stage));
    }
    for (i, name) in order.iter().enumerate() {
        let rest = order.get(i + 1..).unwrap_or_default();
        if name.is_terminal() && !rest.is_empty() {
            return Err(Error::BadOrder {
                stage: *name,
                reason: "chooses the token and can only come last",
            });
        }
        if *name != StageName::Temperature && rest.contains(name) {
            return Err(Error::BadOrder { stage: *name, reason: "is listed twice" });
        }
    }
    Ok(())
}

fn too_long(stage: StageName) -> Error {
    Error::BadOrder { stage, reason: "comes after 200 others, which is the most" }
}
