//! What stages look for in the accepted text, one comparison at a time.

use super::Plan;

impl Plan {
    /// Prompt followed by output, oldest first.
    pub fn text(&self) -> Vec<u32> {
        [self.prompt.as_slice(), &self.output].concat()
    }

    /// The last tokens of the sequences that the text has begun.
    pub fn bad_tokens(&self) -> Vec<u32> {
        let text = self.text();
        let sequences = self.options.bad_words.iter().flatten();
        let begun = sequences.filter(|sequence| text.ends_with(&sequence[..sequence.len() - 1]));
        begun.map(|sequence| sequence[sequence.len() - 1]).collect()
    }

    /// The tokens that would complete an n-gram of the text once more.
    pub fn repeated_ngrams(&self, n: usize) -> Vec<u32> {
        let text = self.text();
        let begun = |gram: &&[u32]| text.ends_with(&gram[..n - 1]);
        text.windows(n).filter(begun).map(|gram| gram[n - 1]).collect()
    }

    /// DRY's match length of a token, and what it costs; 0 where nothing is penalised.
    pub fn dry_penalty(&self, token: u32) -> f64 {
        let o = &self.options;
        let text = self.text();
        let n = o.dry_last_n.map_or(u32::MAX, |window| window.0) as usize;
        let window = &text[text.len().saturating_sub(n)..];
        let breakers = o.dry_breakers.clone().unwrap_or_default();
        let allowed = o.dry_allowed_length.unwrap_or(2) as usize;
        let length = match_length(window, after_breaker(window, &breakers), token);
        if length == 0 || length < allowed || breakers.contains(&vec![token]) {
            return 0.0;
        }
        let power = power(o.dry_base.unwrap_or(1.75), length - allowed);
        o.dry_multiplier.unwrap_or(0.0) * power.min(f64::from(f32::MAX))
    }
}

/// How many tokens stand after the last breaker of a text.
fn after_breaker(text: &[u32], breakers: &[Vec<u32>]) -> usize {
    let ends = |end: &usize| breakers.iter().any(|breaker| text[..*end].ends_with(breaker));
    text.len() - (1..=text.len()).rev().find(ends).unwrap_or(0)
}

/// The length, at most `limit`, of the longest end of the text that stands earlier in it too, followed by the token.
fn match_length(text: &[u32], limit: usize, token: u32) -> usize {
    let followed = (0..text.len()).filter(|place| text[*place] == token);
    let shared = |place: usize| {
        let longest = place.min(limit);
        (0..=longest).rev().find(|n| text[..place].ends_with(&text[text.len() - n..])).unwrap()
    };
    followed.map(shared).max().unwrap_or(0)
}

/// base^n by squaring, from the lowest bit on.
fn power(base: f64, n: usize) -> f64 {
    let (mut result, mut square) = (1.0, base);
    for bit in 0..usize::BITS - n.leading_zeros() {
        if n >> bit & 1 == 1 {
            result *= square;
        }
        square *= square;
    }
    result
}
