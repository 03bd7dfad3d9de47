//! Softmax and cross-entropy: loss = ln sum exp(l) - l[target], in nats.

use super::exp::exp;

/// Writes each row's loss, and turns the logits into the gradient times `scale`. `logits`: (n, n_vocab).
pub fn with_gradient(logits: &mut [f32], targets: &[u32], losses: &mut [f32], scale: f32) {
    let n_vocab = logits.len() / targets.len();
    for ((row, &target), loss) in logits.chunks_exact_mut(n_vocab).zip(targets).zip(losses) {
        let target = target as usize;
        let of_target = row[target];
        let (max, sum) = exponentials(row);
        *loss = sum.ln() + max - of_target;
        let factor = scale / sum;
        row.iter_mut().for_each(|x| *x *= factor);
        row[target] -= scale;
    }
}

/// Replaces a row by exp(l - max) and gives max and sum.
fn exponentials(row: &mut [f32]) -> (f32, f32) {
    let mut lanes = [f32::MIN; 16];
    for part in row.chunks(16) {
        for (lane, &x) in lanes.iter_mut().zip(part) {
            *lane = if x > *lane { x } else { *lane };
        }
    }
    let max = lanes.iter().copied().fold(f32::MIN, f32::max);
    let mut sums = [0.0f32; 16];
    for part in row.chunks_mut(16) {
        for (sum, x) in sums.iter_mut().zip(part) {
            *x = exp(*x - max);
            *sum += *x;
        }
    }
    (max, sums.iter().sum())
}

#[cfg(test)]
mod tests {
    use super::super::check;
    use super::*;

    #[test]
    fn gradients() {
        let (n, n_vocab) = (4, 37);
        let x = check::numbers(n * n_vocab, 1);
        let targets = [0, 36, 5, 5];
        let run = |x: &[f32]| {
            let (mut logits, mut losses) = (x.to_vec(), vec![0.0; n]);
            with_gradient(&mut logits, &targets, &mut losses, 0.5);
            (logits, losses)
        };
        let (gradient, losses) = run(&x);
        let row: Vec<f64> = x[..n_vocab].iter().map(|&x| f64::from(x)).collect();
        let expected = row.iter().map(|x| x.exp()).sum::<f64>().ln() - row[0];
        assert!((f64::from(losses[0]) - expected).abs() < 1e-5);
        check::gradient(&x, &gradient, |x| {
            0.5 * run(x).1.iter().map(|&loss| f64::from(loss)).sum::<f64>()
        });
    }
}
