//! What is seen of a training: a bar with loss, bits a byte, speed and the time left.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

const WIDTH: usize = 24;

/// Shows progress: on a terminal one line that changes, in a file a line every half minute.
pub struct Progress {
    begun: Instant,
    shown: Instant,
    first_step: u64,
    n_steps: u64,
    terminal: bool,
    /// Seconds spent on other things than steps.
    aside: Duration,
    loss: Option<f64>,
}

impl Progress {
    pub fn new(first_step: u64, n_steps: u64) -> Progress {
        let now = Instant::now();
        let terminal = std::io::stdout().is_terminal();
        Progress {
            begun: now,
            shown: now,
            first_step,
            n_steps,
            terminal,
            aside: Duration::ZERO,
            loss: None,
        }
    }

    /// Takes time that was not spent on steps out of the speed.
    pub fn leave_out(&mut self, time: Duration) {
        self.aside += time;
    }

    /// After a step: `loss` in nats a token, `bytes` a token, `tokens` a step, `valid` in bits a byte.
    pub fn step(
        &mut self,
        step: u64,
        loss: f64,
        (bytes, tokens): (f64, usize),
        valid: Option<f64>,
    ) {
        let mean = self.loss.map_or(loss, |mean| mean + 0.02 * (loss - mean));
        self.loss = Some(mean);
        let pause = Duration::from_millis(if self.terminal { 500 } else { 30_000 });
        if self.shown.elapsed() < pause && step != self.n_steps {
            return;
        }
        self.shown = Instant::now();
        let done = (step - self.first_step).max(1) as f64;
        let busy = (self.begun.elapsed() - self.aside).as_secs_f64();
        let all = self.begun.elapsed().as_secs_f64();
        let left = (self.n_steps - step) as f64 * all / done;
        let filled = WIDTH * step as usize / self.n_steps as usize;
        let valid = valid.map_or("  -  ".into(), |bits| format!("{bits:.4}"));
        let line = format!(
            "[{}{}] {step}/{} loss {mean:.3} ({:.3} bits/byte) valid {valid} bits/byte {:.0} tokens/s {} left",
            "#".repeat(filled),
            ".".repeat(WIDTH - filled),
            self.n_steps,
            mean / std::f64::consts::LN_2 / bytes,
            done * tokens as f64 / busy,
            clock(left),
        );
        if self.terminal {
            print!("\r{line}\x1b[K")
        } else {
            println!("{line}")
        }
        let _ = std::io::stdout().flush();
    }
}

/// Seconds as hours, minutes and seconds.
fn clock(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    #[test]
    fn seconds_as_a_clock() {
        assert_eq!(super::clock(3661.4), "1:01:01");
    }
}
