//! Time, fairly, natively: every task in every round, each group of calls against the limit measured just before it.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// How often the limit is measured anew within a round, in tasks.
const LIMIT_EVERY: usize = 3;

/// How long tasks are run in, how long a group of calls takes, and how many groups there are.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    pub rounds: usize,
    pub warm: Duration,
    pub group: Duration,
}

/// Something to time: one call a turn.
pub struct Task<'a> {
    pub name: String,
    pub call: Box<dyn FnMut() + 'a>,
}

impl<'a> Task<'a> {
    pub fn new(name: impl Into<String>, call: impl FnMut() + 'a) -> Self {
        Self { name: name.into(), call: Box::new(call) }
    }

    fn group(&mut self, count: u32) -> f64 {
        let began = Instant::now();
        for _ in 0..count {
            (self.call)();
        }
        began.elapsed().as_secs_f64() * 1000.0 / f64::from(count)
    }

    /// Runs in, and finds how many calls make a group.
    fn warm_up(&mut self, timing: Timing) -> u32 {
        let began = Instant::now();
        let mut one = self.group(1);
        while began.elapsed() < timing.warm {
            one = self.group(1);
        }
        (timing.group.as_secs_f64() * 1000.0 / one.max(1e-6)).clamp(1.0, 1e6) as u32
    }
}

/// Medians of a task: milliseconds of a call, and its multiple of the limit.
#[derive(Clone, Debug)]
pub struct Measured {
    pub name: String,
    pub milliseconds: f64,
    pub limits: f64,
    /// In the quietest round.
    pub least: f64,
    pub rounds: usize,
}

impl Measured {
    fn new(name: String, times: &mut [f64], ratios: &mut [f64]) -> Self {
        let milliseconds = median(times);
        let least = times.first().copied().unwrap_or_default();
        Self { name, milliseconds, limits: median(ratios), least, rounds: times.len() }
    }
}

/// Sorts, and gives the middle value; the upper one of two.
fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

/// The limit on a row at a temperature, as a task.
pub fn limit(row: &[f32], temperature: f64) -> Task<'_> {
    let r = (1.0 / temperature) as f32;
    Task::new("limit", move || {
        black_box(crate::two_passes(black_box(row), r));
    })
}

/// Measures tasks against the limit, which comes first in what is returned.
pub fn measure(mut limit: Task<'_>, mut tasks: Vec<Task<'_>>, timing: Timing) -> Vec<Measured> {
    let limit_count = limit.warm_up(timing);
    let counts: Vec<u32> = tasks.iter_mut().map(|task| task.warm_up(timing)).collect();
    let mut limits = Vec::new();
    let mut seen = vec![(Vec::new(), Vec::new()); tasks.len()];
    for _ in 0..timing.rounds {
        let mut yardstick = 0.0;
        for (i, (task, count)) in tasks.iter_mut().zip(&counts).enumerate() {
            if i % LIMIT_EVERY == 0 {
                yardstick = limit.group(limit_count);
                limits.push(yardstick);
            }
            let time = task.group(*count);
            let (times, ratios) = &mut seen[i];
            times.push(time);
            ratios.push(time / yardstick);
        }
    }
    let mut ones = vec![1.0; limits.len()];
    let mut measured = vec![Measured::new(limit.name, &mut limits, &mut ones)];
    let each = tasks.into_iter().zip(&mut seen);
    measured.extend(each.map(|(task, (times, ratios))| Measured::new(task.name, times, ratios)));
    measured
}
