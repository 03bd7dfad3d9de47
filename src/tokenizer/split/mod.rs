//! Pre-tokenizers: where a text is cut before merging, so that no token ever spans two pieces.
//!
//! Each is what a regular expression of a published tokenizer matches, written by hand: an engine for regular expressions
//! would be larger than the whole tokenizer. A rule is a function from the rest of the text to the length of its first
//! piece, which is at least one byte; all rules are listed in [`Split`]. Letters (`L`), numbers (`N`), marks (`M`) and white
//! space (`s`) are those of Unicode 16.0; a byte that is no UTF-8 is none of these.

mod gpt2;
mod lines;
mod o200k;
mod space;

/// A rule of cutting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Split {
    /// GPT-2: contractions, then letters, numbers or other characters with at most one space before them, then white
    /// space, whose last character stays with what follows:
    /// `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`.
    Gpt2,
    /// The same after every number has been set apart, one digit a piece, no space before it (`smollm` in GGUF files).
    Gpt2Digits,
    /// GPT-3.5 and 4: contractions in any case, letters with one other character before them, up to three numbers, others
    /// with the line breaks after them, white space at the end as one, else up to its last line break:
    /// `'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s+$|\s*[\r\n]|\s+(?!\S)|\s`.
    Cl100k,
    /// Llama 3: the same, but that white space at the end of the text is cut after its last line break too:
    /// `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`.
    Llama3,
    /// Qwen 2 and later: as Llama 3, each number by itself (`\p{N}`).
    Qwen2,
    /// GPT-4o and later: words end where lower case goes over to upper case, and keep their contraction; a slash stays with
    /// what is before it, where that is no letter:
    /// `[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?`, then
    /// `[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?`, then
    /// `\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`.
    O200k,
}

impl Split {
    /// Every rule.
    pub const ALL: [Split; 6] =
        [Split::Gpt2, Split::Gpt2Digits, Split::Cl100k, Split::Llama3, Split::Qwen2, Split::O200k];

    /// The rule's name: in GGUF files (`tokenizer.ggml.pre`), where they have one.
    pub fn name(self) -> &'static str {
        match self {
            Split::Gpt2 => "gpt-2",
            Split::Gpt2Digits => "smollm",
            Split::Cl100k => "cl100k",
            Split::Llama3 => "llama-bpe",
            Split::Qwen2 => "qwen2",
            Split::O200k => "gpt-4o",
        }
    }

    /// The pieces of a text, in order; together they are the text.
    pub fn pieces(self, text: &[u8]) -> Pieces<'_> {
        Pieces { rest: text, split: self }
    }

    /// The length of the first piece of a text that is not empty.
    #[inline]
    pub(super) fn first_piece(self, text: &[u8]) -> usize {
        let length = match self {
            Split::Gpt2 => gpt2::first_piece(text, false),
            Split::Gpt2Digits => gpt2::first_piece(text, true),
            Split::Cl100k => lines::first_piece(text, 3, space::EndOfText::Whole),
            Split::Llama3 => lines::first_piece(text, 3, space::EndOfText::Cut),
            Split::Qwen2 => lines::first_piece(text, 1, space::EndOfText::Cut),
            Split::O200k => o200k::first_piece(text),
        };
        length.clamp(1, text.len().max(1))
    }
}

/// The pieces of a text.
#[derive(Clone, Debug)]
pub struct Pieces<'a> {
    rest: &'a [u8],
    split: Split,
}

impl<'a> Iterator for Pieces<'a> {
    type Item = &'a [u8];

    #[inline]
    fn next(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let (piece, rest) = self.rest.split_at_checked(self.split.first_piece(self.rest))?;
        self.rest = rest;
        Some(piece)
    }
}

#[cfg(test)]
mod tests;
