//! What a draw runs: the stages that are active, penalties that come one after the other as one.

use std::sync::Arc;

use super::penalties::Penalties;
use crate::stage::Stage;

/// Those that are active; `penalties` are the settings'.
pub(super) fn stages(all: &[Arc<dyn Stage>], penalties: Penalties) -> Vec<Arc<dyn Stage>> {
    let mut rest: Vec<_> = all.iter().filter(|stage| stage.is_active()).cloned().collect();
    let mut active = Vec::with_capacity(rest.len());
    while !rest.is_empty() {
        let n = Penalties::run(rest.iter().map(|stage| stage.name()));
        let first: Vec<_> = rest.drain(..n.max(1)).collect();
        if n == 0 {
            active.extend(first);
        } else {
            let names: Vec<_> = first.iter().map(|stage| stage.name()).collect();
            active.push(Arc::new(penalties.only(&names)));
        }
    }
    active
}
