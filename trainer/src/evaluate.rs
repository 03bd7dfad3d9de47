//! Bits a byte on whole texts.
//!
//! Windows of n_ctx tokens slide by half of it, and each counts only the targets that no window before it has counted, so
//! that every token after the end-of-text token is predicted exactly once, nearly all with at least half a context.
//! The bits of all tokens over the bytes of the text: nothing is left out, and no tokenizer can flatter itself.

use crate::corpus::Text;
use crate::network::Network;
use crate::shape::Shape;

/// One window: inputs `begin..begin + length`, of whose targets the last `counted` count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Window {
    begin: usize,
    length: usize,
    counted: usize,
}

/// The windows over `n` targets.
fn windows(n: usize, n_ctx: usize) -> Vec<Window> {
    let mut windows = Vec::new();
    let mut done = 0;
    while done < n {
        let begin = if done == 0 { 0 } else { done - n_ctx / 2 };
        let length = n_ctx.min(n - begin);
        windows.push(Window { begin, length, counted: begin + length - done });
        done = begin + length;
    }
    windows
}

/// Bits a byte over all texts together, and of each.
pub struct Measured {
    pub bits_a_byte: f64,
    pub each: Vec<(String, f64)>,
}

/// What the counted targets of some windows cost, by text, in nats.
fn nats<'a>(
    network: &mut Network,
    params: &[f32],
    texts: &[Text],
    windows: impl Iterator<Item = &'a (usize, Window)>,
) -> Vec<f64> {
    let mut nats = vec![0.0; texts.len()];
    for &(i, window) in windows {
        let tokens = &texts[i].tokens[window.begin..];
        let losses = network.losses(params, &tokens[..window.length], &tokens[1..=window.length]);
        let counted = &losses[window.length - window.counted..];
        nats[i] += counted.iter().map(|&loss| f64::from(loss)).sum::<f64>();
    }
    nats
}

/// Measures weights on texts with as many threads as networks.
pub fn evaluate(
    networks: &mut [Network],
    shape: &Shape,
    params: &[f32],
    texts: &[Text],
) -> Measured {
    let jobs: Vec<(usize, Window)> = texts
        .iter()
        .enumerate()
        .flat_map(|(i, text)| {
            windows(text.tokens.len() - 1, shape.n_ctx).into_iter().map(move |w| (i, w))
        })
        .collect();
    let n = networks.len();
    let work = |network: &mut Network, thread: usize| {
        nats(network, params, texts, jobs.iter().skip(thread).step_by(n))
    };
    let sums: Vec<Vec<f64>> = std::thread::scope(|scope| {
        let work = &work;
        let threads =
            networks.iter_mut().enumerate().map(|(i, net)| scope.spawn(move || work(net, i)));
        let threads: Vec<_> = threads.collect();
        threads.into_iter().map(|thread| thread.join().expect("a thread that ends")).collect()
    });
    let nats: Vec<f64> = (0..texts.len()).map(|i| sums.iter().map(|s| s[i]).sum()).collect();
    let bits = |nats: f64, bytes: usize| nats / std::f64::consts::LN_2 / bytes as f64;
    let each =
        texts.iter().zip(&nats).map(|(text, &nats)| (text.name.clone(), bits(nats, text.n_bytes)));
    Measured {
        bits_a_byte: bits(nats.iter().sum(), texts.iter().map(|text| text.n_bytes).sum()),
        each: each.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::smallest;

    #[test]
    fn every_target_is_counted_once_with_half_a_context_before_it() {
        for n in [1, 5, 16, 17, 24, 25, 100] {
            let mut counted = 0;
            for window in windows(n, 16) {
                let first = window.begin + window.length - window.counted;
                assert_eq!(first, counted);
                assert!(first == 0 || first - window.begin >= 8);
                counted += window.counted;
            }
            assert_eq!(counted, n);
        }
    }

    #[test]
    fn untrained_weights_cost_about_the_logarithm_of_the_vocabulary() {
        let shape = smallest(64);
        let weights = crate::optimizer::Weights::new(&shape, 1);
        let tokens: Vec<u32> = (0..101).map(|i| i * 7 % 64).collect();
        let texts = [Text { name: "a".into(), n_bytes: 100, tokens }];
        let one = evaluate(&mut [Network::new(&shape, false)], &shape, &weights.params, &texts)
            .bits_a_byte;
        let mut two = [Network::new(&shape, false), Network::new(&shape, false)];
        assert!((one - 6.0).abs() < 0.2, "{one}");
        assert!(
            (one - evaluate(&mut two, &shape, &weights.params, &texts).bits_a_byte).abs() < 1e-9
        );
    }
}
