//! Stages that write: each logit computed in f64 and rounded once.

use nucleus_sampler::StageName;
use nucleus_sampler::Window;

use super::walk::{Failure, Token, Walk, by_rank};

impl Walk<'_> {
    pub(super) fn bias(&mut self) -> Result<bool, Failure> {
        let pairs = self.plan.options.logit_bias.clone().unwrap_or_default();
        self.in_vocabulary(pairs.iter().map(|(id, _)| id).max())?;
        let of = |id: u32| pairs.iter().find(|(other, _)| *other == id).map(|(_, bias)| *bias);
        if pairs.iter().any(|(_, bias)| bias.is_finite()) {
            self.write(StageName::LogitBias, |t| {
                let bias = of(t.id).filter(|bias| bias.is_finite());
                bias.map_or(f64::from(t.logit), |bias| f64::from(t.logit) + bias)
            })?;
        }
        self.alive.retain(|t| of(t.id) != Some(f64::NEG_INFINITY));
        Ok(!pairs.is_empty())
    }

    pub(super) fn penalty(
        &mut self,
        stage: StageName,
        active: bool,
        f: impl Fn(f64, u32, u32) -> f64,
    ) -> Result<bool, Failure> {
        let window = self.plan.window();
        // A window of 0 turns the penalties off.
        let active = active && self.plan.options.penalty_last_n != Some(Window(0));
        if active {
            self.write(stage, |t| {
                let all = window.iter().filter(|(id, _)| *id == t.id).count() as u32;
                let output = window.iter().filter(|(id, out)| *id == t.id && *out).count() as u32;
                f(f64::from(t.logit), all, output)
            })?;
        }
        Ok(active)
    }

    /// Replaces every logit alive, after the factor in force has been written into all of them.
    pub(super) fn write(
        &mut self,
        stage: StageName,
        f: impl Fn(Token) -> f64,
    ) -> Result<(), Failure> {
        if self.decided {
            return Ok(());
        }
        let factor = std::mem::replace(&mut self.factor, 1.0);
        for write in [&(|t: Token| f64::from(t.logit) * factor) as &dyn Fn(Token) -> f64, &f] {
            for token in &mut self.alive {
                token.logit = write(*token) as f32 + 0.0;
                if !token.logit.is_finite() {
                    let index = Some(token.id as usize);
                    return Err(Failure { code: "not_finite", stage: Some(stage), index });
                }
            }
        }
        Ok(())
    }

    /// A curve of the distance from the best, in which the cubic has its share.
    pub(super) fn smoothing(&mut self) -> Result<bool, Failure> {
        let options = &self.plan.options;
        let (f, c) =
            (options.smoothing_factor.unwrap_or(0.0), options.smoothing_curve.unwrap_or(1.0));
        if f > 0.0 {
            // The factor in force first: the best is taken from what it leaves.
            self.write(StageName::Smoothing, |t| f64::from(t.logit))?;
            let best = by_rank(&self.alive).first().map_or(0.0, |t| f64::from(t.logit));
            self.write(StageName::Smoothing, |t| {
                let d = f64::from(t.logit) - best;
                let (parabola, cubic) = ((3.0 - c) / 2.0, (c - 1.0) / 2.0);
                best - f * (d * d) * (parabola - cubic * d)
            })?;
        }
        Ok(f > 0.0)
    }
}
