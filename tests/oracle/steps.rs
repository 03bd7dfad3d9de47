//! The stages that look at the text, at the second row and at the coin.

use nucleus_sampler::{StageName, Window};

use super::walk::{Failure, Measure, Walk, by_rank};

impl Walk<'_> {
    /// Runs one of these stages; false when its options are at their off value.
    pub(super) fn text_step<M: Measure>(&mut self, stage: StageName) -> Result<bool, Failure> {
        let (plan, options) = (self.plan, &self.plan.options);
        match stage {
            StageName::Guidance => self.guide::<M>(options.guidance_scale.unwrap_or(1.0)),
            StageName::BadWords => {
                let Some(words) = options.bad_words.as_ref().filter(|words| !words.is_empty())
                else {
                    return Ok(false);
                };
                self.in_vocabulary(words.iter().flatten().max())?;
                Ok(self.ban(&plan.bad_tokens()))
            }
            StageName::MinNewTokens => {
                let n = options.min_new_tokens.unwrap_or(0) as usize;
                let ends = options.eos_token_ids.clone().unwrap_or_default();
                if n == 0 {
                    return Ok(false);
                }
                self.in_vocabulary(ends.iter().max())?;
                let open = plan.output.len() < n;
                Ok(self.ban(if open { &ends } else { &[] }))
            }
            StageName::NoRepeatNgram => match options.no_repeat_ngram_size.unwrap_or(0) {
                0 => Ok(false),
                n => Ok(self.ban(&plan.repeated_ngrams(n as usize))),
            },
            StageName::Dry => {
                let multiplier = options.dry_multiplier.unwrap_or(0.0);
                let active = multiplier > 0.0 && options.dry_last_n != Some(Window(0));
                if active {
                    let limit = f64::from(f32::MAX);
                    self.write(stage, |t| {
                        (f64::from(t.logit) - plan.dry_penalty(t.id)).max(-limit)
                    })?;
                }
                Ok(active)
            }
            StageName::Xtc => Ok(self.exclude::<M>()),
            _ => Ok(false),
        }
    }

    fn ban(&mut self, ids: &[u32]) -> bool {
        self.alive.retain(|t| !ids.contains(&t.id));
        true
    }

    fn exclude<M: Measure>(&mut self) -> bool {
        let options = &self.plan.options;
        if options.xtc_probability.unwrap_or(0.0) == 0.0 {
            return false;
        }
        if !self.plan.coin_falls() {
            return true;
        }
        let ranked = by_rank(&self.alive);
        let cut = M::at_share(&ranked, self.factor, options.xtc_threshold.unwrap_or(0.1));
        let protected = options.xtc_protected_tokens.clone().unwrap_or_default();
        let mut top = ranked[..cut.n].to_vec();
        top.retain(|t| !protected.contains(&t.id));
        top.pop();
        self.slack = self.slack.min(cut.slack);
        if ranked.len() - top.len() >= self.plan.min_keep() {
            self.alive.retain(|t| !top.contains(t));
        }
        true
    }

    fn guide<M: Measure>(&mut self, scale: f64) -> Result<bool, Failure> {
        let stage = StageName::Guidance;
        if scale == 1.0 {
            return Ok(false);
        }
        let failed = |code, index| Err(Failure { code, stage: None, index });
        let Some(second) = &self.plan.unconditional else { return failed("wrong_type", None) };
        if second.len() != self.n_vocab {
            return failed("wrong_length", None);
        }
        if let Some(index) = second.iter().position(|l| l.is_nan() || *l == f32::INFINITY) {
            return failed("not_finite", Some(index));
        }
        if self.decided {
            return Ok(true);
        }
        self.write(stage, |t| f64::from(t.logit))?;
        let (c, u) = (by_rank(&self.alive), super::alive(second));
        let log_softmax = |logit: f32, (best, log_sum): (Option<f32>, f64)| {
            f64::from(logit) - f64::from(best.unwrap_or(0.0)) - log_sum
        };
        let c = (c.first().map(|t| t.logit), M::log_sum(&c));
        let u = (u.first().map(|t| t.logit), M::log_sum(&u));
        self.write(stage, |t| {
            let (c, u) = (log_softmax(t.logit, c), log_softmax(second[t.id as usize], u));
            if u == f64::NEG_INFINITY { c } else { u + scale * (c - u) }
        })?;
        Ok(true)
    }
}
