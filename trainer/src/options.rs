//! The command line: `--name value` pairs, each with its default.

use crate::shape::Shape;
use std::path::PathBuf;

/// What every run is determined by; `corpus`, `out` and `threads` apart, resuming needs the same again.
#[derive(Clone, Debug)]
pub struct Options {
    /// Holds `train/` and `valid/`.
    pub corpus: PathBuf,
    /// Where checkpoints, samples and the model go.
    pub out: PathBuf,
    pub threads: usize,
    /// Round factors of large products to bfloat16 in training.
    pub mixed: bool,
    pub seed: u64,
    pub shape: Shape,
    /// Optimiser steps altogether.
    pub steps: u64,
    /// Tokens a step.
    pub batch: usize,
    /// Steps of rising learning rate.
    pub warmup: u64,
    /// The last share of the steps, in which the learning rate falls to 0.
    pub decay: f64,
    /// The learning rate of matrices (Muon; AdamW's when `adam_only`).
    pub matrix_rate: f32,
    /// The learning rate of everything else (AdamW).
    pub rate: f32,
    pub adam_only: bool,
    pub weight_decay: f32,
    pub dropout: f32,
    /// The decay of the averaged weights a step; 0 for none.
    pub ema: f32,
    pub clip: f32,
    /// Steps between measurements on `valid/`.
    pub evaluate_every: u64,
    /// Minutes between checkpoints.
    pub checkpoint_minutes: f64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            corpus: PathBuf::new(),
            out: PathBuf::new(),
            threads: 1,
            mixed: crate::mixed::available(),
            seed: 1,
            shape: Shape {
                n_vocab: 2048,
                n_ctx: 512,
                dim: 192,
                n_layers: 6,
                n_heads: 6,
                n_kv_heads: 2,
                head_dim: 32,
                ffn: 352,
            },
            steps: 8000,
            batch: 8192,
            warmup: 100,
            decay: 0.5,
            matrix_rate: 0.02,
            rate: 0.004,
            adam_only: false,
            weight_decay: 0.1,
            dropout: 0.1,
            ema: 0.0,
            clip: 1.0,
            evaluate_every: 200,
            checkpoint_minutes: 3.0,
        }
    }
}

impl Options {
    /// Reads `--name value` pairs; a clear sentence where one is wrong.
    pub fn parse(arguments: &[String]) -> Result<Options, String> {
        let mut options = Options::default();
        for pair in arguments.chunks(2) {
            let [name, value] = pair else { return Err(format!("{} needs a value", pair[0])) };
            options.set(name, value)?;
        }
        match options.shape.problem() {
            Some(problem) => Err(problem),
            None if options.threads == 0 => Err("--threads must be at least 1".into()),
            None if options.batch < options.shape.n_ctx => {
                Err(format!("--batch must be at least --ctx, {}", options.shape.n_ctx))
            }
            None => Ok(options),
        }
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let shape = &mut self.shape;
        match name {
            "--corpus" => self.corpus = value.into(),
            "--out" => self.out = value.into(),
            "--threads" => read(name, value, &mut self.threads)?,
            "--mixed" => read(name, value, &mut self.mixed)?,
            "--seed" => read(name, value, &mut self.seed)?,
            "--vocab" => read(name, value, &mut shape.n_vocab)?,
            "--ctx" => read(name, value, &mut shape.n_ctx)?,
            "--dim" => read(name, value, &mut shape.dim)?,
            "--layers" => read(name, value, &mut shape.n_layers)?,
            "--heads" => read(name, value, &mut shape.n_heads)?,
            "--kv-heads" => read(name, value, &mut shape.n_kv_heads)?,
            "--head-dim" => read(name, value, &mut shape.head_dim)?,
            "--ffn" => read(name, value, &mut shape.ffn)?,
            "--steps" => read(name, value, &mut self.steps)?,
            "--batch" => read(name, value, &mut self.batch)?,
            "--warmup" => read(name, value, &mut self.warmup)?,
            "--decay" => read(name, value, &mut self.decay)?,
            "--matrix-rate" => read(name, value, &mut self.matrix_rate)?,
            "--rate" => read(name, value, &mut self.rate)?,
            "--adam-only" => read(name, value, &mut self.adam_only)?,
            "--weight-decay" => read(name, value, &mut self.weight_decay)?,
            "--dropout" => read(name, value, &mut self.dropout)?,
            "--ema" => read(name, value, &mut self.ema)?,
            "--clip" => read(name, value, &mut self.clip)?,
            "--evaluate-every" => read(name, value, &mut self.evaluate_every)?,
            "--checkpoint-minutes" => read(name, value, &mut self.checkpoint_minutes)?,
            _ => return Err(format!("there is no option {name}")),
        }
        Ok(())
    }

    /// Sequences a step.
    pub fn sequences(&self) -> usize {
        self.batch / self.shape.n_ctx
    }

    /// The share of the full learning rate at a step: rises, stays, falls linearly to 0.
    pub fn rate_at(&self, step: u64) -> f32 {
        let rising = (step + 1) as f64 / self.warmup.max(1) as f64;
        let falling = (self.steps - step) as f64 / (self.decay * self.steps as f64).max(1.0);
        rising.min(falling).min(1.0) as f32
    }
}

fn read<T: std::str::FromStr>(name: &str, value: &str, to: &mut T) -> Result<(), String> {
    *to = value.parse().map_err(|_| format!("{name} cannot be {value:?}"))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Options, String> {
        Options::parse(&line.split_whitespace().map(String::from).collect::<Vec<_>>())
    }

    #[test]
    fn options_are_read_and_wrong_ones_named() {
        let options = parse("--dim 64 --steps 10 --adam-only true").unwrap();
        assert_eq!((options.shape.dim, options.steps, options.adam_only), (64, 10, true));
        for (line, part) in [
            ("--dim", "--dim needs"),
            ("--dim x", "cannot be \"x\""),
            ("--nothing 1", "no option --nothing"),
            ("--dim 33", "multiple of 32"),
            ("--batch 5", "at least --ctx"),
            ("--threads 0", "at least 1"),
        ] {
            assert!(parse(line).unwrap_err().contains(part), "{line}");
        }
    }

    #[test]
    fn the_learning_rate_rises_stays_and_falls() {
        let options = parse("--steps 100 --warmup 10 --decay 0.5").unwrap();
        let rates = [0, 9, 50, 75, 99].map(|step| options.rate_at(step));
        for (found, expected) in rates.iter().zip([0.1, 1.0, 1.0, 0.5, 0.02]) {
            assert!((found - expected).abs() < 1e-6, "{rates:?}");
        }
    }
}
