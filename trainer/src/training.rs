//! The training loop.

use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use crate::checkpoint::Checkpoint;
use crate::corpus::{Corpus, Order};
use crate::evaluate::{Measured, evaluate};
use crate::generate::continued;
use crate::gguf;
use crate::network::{Dropout, Network};
use crate::optimizer::Weights;
use crate::options::Options;
use crate::progress::Progress;
use crate::quantize;
use crate::random::Random;
use crate::shape::{Kind, Shape};

/// The largest file that is written.
const MAX_FILE: usize = 2_500_000;
const PROMPTS: [&str; 3] = [
    "Once upon a time there was",
    "\"Come with me,\" said Dorothy to the",
    "The King called his three sons, and",
];

/// A training under way.
pub struct Run {
    options: Options,
    corpus: Corpus,
    networks: Vec<Network>,
    gradients: Vec<Vec<f32>>,
    order: Order,
    state: Checkpoint,
    bytes_a_token: f64,
}

impl Run {
    /// A run at its beginning, or where its last checkpoint left it.
    pub fn new(options: Options) -> Result<Run, String> {
        fs::create_dir_all(&options.out)
            .map_err(|error| format!("{}: {error}", options.out.display()))?;
        let corpus = Corpus::read(&options.corpus, options.shape.n_vocab)?;
        let (shape, n) = (&options.shape, options.shape.n_parameters());
        let fingerprint = corpus.fingerprint();
        let state = match Checkpoint::read(&checkpoint_path(&options), n)? {
            Some(found) if found.fingerprint != fingerprint => {
                return Err("the checkpoint belongs to another corpus or vocabulary".into());
            }
            Some(found) => found,
            None => Checkpoint {
                step: 0,
                fingerprint,
                best: f64::INFINITY,
                weights: Weights::new(shape, options.seed),
            },
        };
        let n_bytes =
            corpus.tokenizer.decode(&corpus.train).map_err(|error| error.to_string())?.len();
        println!(
            "{n} parameters, {} training tokens ({n_bytes} bytes), {} validation tokens; step {} of {}, {:.1} epochs in all",
            corpus.train.len(),
            corpus.valid.iter().map(|text| text.tokens.len() - 1).sum::<usize>(),
            state.step,
            options.steps,
            options.steps as f64 * options.batch as f64 / corpus.train.len() as f64,
        );
        Ok(Run {
            networks: (0..options.threads).map(|_| Network::new(shape, options.mixed)).collect(),
            gradients: vec![vec![0.0; n]; options.threads],
            order: Order::new(corpus.train.len(), shape.n_ctx, options.seed),
            bytes_a_token: n_bytes as f64 / corpus.train.len() as f64,
            options,
            corpus,
            state,
        })
    }

    /// Trains to the last step and writes the model.
    pub fn train(&mut self) -> Result<(), String> {
        let mut progress = Progress::new(self.state.step, self.options.steps);
        let mut saved = Instant::now();
        let mut valid = None;
        while self.state.step < self.options.steps {
            let loss = self.step();
            let aside = Instant::now();
            let (step, every) = (self.state.step, self.options.evaluate_every);
            let last = step == self.options.steps;
            if step.is_multiple_of(every) || last {
                valid = Some(self.measure()?.bits_a_byte);
            }
            if saved.elapsed().as_secs_f64() > 60.0 * self.options.checkpoint_minutes || last {
                self.state
                    .write(&checkpoint_path(&self.options))
                    .map_err(|error| error.to_string())?;
                saved = Instant::now();
            }
            progress.leave_out(aside.elapsed());
            progress.step(step, loss, (self.bytes_a_token, self.options.batch), valid);
        }
        self.export()
    }

    /// One step; the mean loss in nats a token.
    fn step(&mut self) -> f64 {
        let Run { options, corpus, networks, gradients, order, state, .. } = self;
        let (n, length) = (options.sequences(), options.shape.n_ctx);
        let first = state.step * n as u64;
        let starts: Vec<(u64, usize)> =
            (first..first + n as u64).map(|i| (i, order.start(i))).collect();
        let scale = 1.0 / (n * length) as f32;
        let (params, n_threads) = (&state.weights.params, networks.len());
        let work = |network: &mut Network, grads: &mut [f32], thread: usize| {
            grads.fill(0.0);
            let mut loss = 0.0;
            for &(index, start) in starts.iter().skip(thread).step_by(n_threads) {
                let tokens = &corpus.train[start..=start + length];
                let seed = Random::of(options.seed, 3, index).word() as u32;
                let dropout = Dropout { rate: options.dropout, seed };
                loss +=
                    network.train(params, grads, (&tokens[..length], &tokens[1..]), scale, dropout);
            }
            loss
        };
        let loss: f64 = std::thread::scope(|scope| {
            let work = &work;
            let pairs = networks.iter_mut().zip(gradients.iter_mut()).enumerate();
            let threads: Vec<_> = pairs
                .map(|(i, (network, grads))| scope.spawn(move || work(network, grads, i)))
                .collect();
            threads.into_iter().map(|thread| thread.join().expect("a thread that ends")).sum()
        });
        let [sum, rest @ ..] = gradients.as_mut_slice() else { return loss };
        for other in rest {
            sum.iter_mut().zip(other).for_each(|(sum, other)| *sum += *other);
        }
        state.weights.step(&options.shape, options, sum, state.step);
        state.step += 1;
        loss / (n * length) as f64
    }

    /// Measures the averaged weights on `valid/`, logs the result, and keeps the best.
    fn measure(&mut self) -> Result<Measured, String> {
        let Run { options, corpus, networks, state, .. } = self;
        let measured = evaluate(networks, &options.shape, &state.weights.averaged, &corpus.valid);
        let each: Vec<String> =
            measured.each.iter().map(|(name, bits)| format!("{name} {bits:.4}")).collect();
        println!(
            "\nstep {}: valid {:.4} bits/byte ({})",
            state.step,
            measured.bits_a_byte,
            each.join(", ")
        );
        if measured.bits_a_byte < state.best {
            state.best = measured.bits_a_byte;
            self.export()?;
        }
        Ok(measured)
    }

    /// Writes the averaged weights as GGUF, and samples.
    fn export(&mut self) -> Result<(), String> {
        let Run { options, corpus, networks, state, .. } = self;
        let (shape, params) = (&options.shape, &state.weights.averaged);
        let last = state.step == options.steps;
        let file =
            gguf::file(shape, params, &corpus.tokenizer).map_err(|error| error.to_string())?;
        if file.len() > MAX_FILE {
            return Err(format!("the model has {} bytes, and may have {MAX_FILE}", file.len()));
        }
        let name = if last { "model.gguf" } else { "best.gguf" };
        write(options.out.join(name), &file)?;
        let mut samples = format!("step {}\n", state.step);
        for (seed, prompt) in (0..).zip(PROMPTS) {
            let text =
                continued(&mut networks[0], shape, params, &corpus.tokenizer, (prompt, 120), seed)
                    .map_err(|error| error.to_string())?;
            samples += &format!("--- {text}\n");
        }
        write(options.out.join("samples.txt"), samples.as_bytes())?;
        if last {
            let stored = as_stored(shape, params);
            let bits = evaluate(networks, shape, &stored, &corpus.valid).bits_a_byte;
            println!(
                "\n{name}: {} bytes; as stored {bits:.4} bits/byte on valid/\n{samples}",
                file.len()
            );
        }
        Ok(())
    }
}

/// The parameters as the file's reader sees them.
fn as_stored(shape: &Shape, params: &[f32]) -> Vec<f32> {
    let mut stored = params.to_vec();
    for tensor in shape.tensors().iter().filter(|tensor| tensor.kind != Kind::Norm) {
        quantize::rounded(&mut stored[tensor.range()]);
    }
    stored
}

fn checkpoint_path(options: &Options) -> PathBuf {
    options.out.join("checkpoint.bin")
}

/// Writes beside the old file, then puts it in its place.
fn write(path: PathBuf, bytes: &[u8]) -> Result<(), String> {
    let new = path.with_extension("new");
    let written = fs::write(&new, bytes).and_then(|()| fs::rename(&new, &path));
    written.map_err(|error| format!("{}: {error}", path.display()))
}
