//! Normalization form C: characters in their composed form, marks in canonical order.
//!
//! Definition: every character is replaced by its parts until none has any; marks (rank > 0) that stand together are
//! sorted by rank, stably; then each character is composed with the last one of rank 0 before it where the two have a
//! composite and nothing between them has a rank of 0 or of its own or higher. Hangul syllables are arithmetic.
//! Qwen's tokenizers begin with it. Characters are those of Unicode 16.0; bytes that are no UTF-8 stay as they are.
//! Cost: text of blocks in which nothing ever changes (ASCII, most ideographs) is looked at and borrowed.
//! Reference: Unicode Standard Annex 15.

mod canonical;
mod pairs;
mod singletons;

use std::borrow::Cow;

use super::class::decode;
use canonical::Tables;

/// The highest rank of a mark.
const LAST_RANK: u8 = 63;

/// Sorts marks that stand together by rank, stably: by counting, since ranks are few and a text may have any number of marks.
fn order(parts: &mut [(u8, u32)]) {
    for run in parts.chunk_by_mut(|before, after| (before.0 == 0) == (after.0 == 0)) {
        let in_order = run.is_sorted_by_key(|&(rank, _)| rank);
        if !in_order {
            let by_rank =
                (1..=LAST_RANK).flat_map(|rank| run.iter().filter(move |mark| mark.0 == rank));
            let sorted: Vec<(u8, u32)> = by_rank.copied().collect();
            run.copy_from_slice(&sorted);
        }
    }
}

/// Composes in place; what went into a composite is removed.
fn compose(tables: &Tables, parts: &mut Vec<(u8, u32)>) {
    let mut composed: Vec<(u8, u32)> = Vec::with_capacity(parts.len());
    let mut starter: Option<usize> = None;
    for &(rank, code) in parts.iter() {
        let last_rank = composed.last().map_or(0, |&(rank, _)| rank);
        if let Some(place) = starter
            && (place + 1 == composed.len() || last_rank != 0 && last_rank < rank)
            && let Some(base) = composed.get_mut(place)
            && let Some(composite) = tables.composite(base.1, code)
        {
            base.1 = composite;
            continue;
        }
        if rank == 0 {
            starter = Some(composed.len());
        }
        composed.push((rank, code));
    }
    *parts = composed;
}

/// A text in normalization form C.
pub(super) fn nfc(text: &[u8]) -> Cow<'_, [u8]> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let tables = Tables::get();
    let mut out: Option<Vec<u8>> = None;
    // Where what has not been copied begins, and the last character of rank 0 that may compose with what follows.
    let (mut copied, mut starter, mut place) = (0, 0, 0);
    while let Some((code, length)) = text.get(place..).and_then(next) {
        if code.is_none_or(|code| tables.is_inert(code)) {
            starter = place;
            place += length;
            continue;
        }
        // From the character before on, as far as anything may change.
        let mut end = place + length;
        while let Some((Some(code), length)) = text.get(end..).and_then(next)
            && !tables.is_inert(code)
        {
            end += length;
        }
        let changing = text.get(starter..end).unwrap_or_default();
        let out = out.get_or_insert_with(|| Vec::with_capacity(text.len()));
        out.extend_from_slice(text.get(copied..starter).unwrap_or_default());
        normalize(tables, changing, out);
        (copied, starter, place) = (end, end, end);
    }
    match out {
        None => Cow::Borrowed(text),
        Some(mut out) => {
            out.extend_from_slice(text.get(copied..).unwrap_or_default());
            Cow::Owned(out)
        }
    }
}

/// The first character (none for a byte that is no UTF-8) and its length.
fn next(text: &[u8]) -> Option<(Option<u32>, usize)> {
    let &lead = text.first()?;
    Some(match decode(text) {
        Some((code, length)) => (Some(code), length),
        None => ((lead < 0x80).then_some(u32::from(lead)), 1),
    })
}

/// Appends the normal form of a stretch; a byte that is no UTF-8 can only be its first and is copied.
fn normalize(tables: &Tables, mut text: &[u8], out: &mut Vec<u8>) {
    if let Some((None, length)) = next(text) {
        let (broken, rest) = text.split_at_checked(length).unwrap_or_default();
        out.extend_from_slice(broken);
        text = rest;
    }
    let mut parts = Vec::with_capacity(text.len());
    for character in String::from_utf8_lossy(text).chars() {
        tables.decompose(u32::from(character), &mut parts);
    }
    order(&mut parts);
    compose(tables, &mut parts);
    for character in parts.iter().filter_map(|&(_, code)| char::from_u32(code)) {
        out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn normal(text: &str) -> String {
        String::from_utf8(nfc(text.as_bytes()).into_owned()).unwrap()
    }

    #[test]
    fn characters_are_composed_and_marks_put_in_order() {
        let cases = [
            ("abc", "abc"),
            ("e\u{301}", "é"),
            ("\u{212b}", "Å"),
            ("q\u{307}\u{323}", "q\u{323}\u{307}"),
            ("o\u{304}\u{328}", "ǭ"),
            ("\u{1100}\u{1161}\u{11a8}", "각"),
            ("가\u{11a8}", "각"),
            ("각\u{11a8}", "각\u{11a8}"),
            ("\u{958}", "\u{915}\u{93c}"),
            ("\u{fb2c}", "\u{5e9}\u{5bc}\u{5c1}"),
            ("\u{f900}", "豈"),
            ("\u{2f800}日", "丽日"),
            ("日e\u{301}日", "日é日"),
            ("a\u{300}\u{301}\u{200d}e\u{301}", "à\u{301}\u{200d}é"),
            ("\u{1d15e}", "\u{1d157}\u{1d165}"),
            ("\u{301}", "\u{301}"),
            ("\u{f71}\u{f80}\u{f72}", "\u{f71}\u{f80}\u{f72}"),
        ];
        for (text, expected) in cases {
            assert_eq!(normal(text), expected, "{text:?}");
        }
    }

    #[test]
    fn broken_utf8_stays_as_it_is() {
        assert_eq!(*nfc(b"\xffe\xcc\x81\xcc"), *b"\xff\xc3\xa9\xcc");
        assert_eq!(*nfc(b"\xff\xcc\x81\xff"), *b"\xff\xcc\x81\xff");
        assert_eq!(*nfc(b"a\xff\xcc\x81"), *b"a\xff\xcc\x81");
    }

    #[test]
    fn what_is_normal_is_borrowed() {
        for text in ["plain", "日本語", "Привет"] {
            assert!(matches!(nfc(text.as_bytes()), Cow::Borrowed(_)), "{text}");
        }
    }

    #[test]
    fn every_rank_is_counted() {
        let tables = Tables::get();
        let ranks = (0..=0x10_ffff).map(|code| tables.rank(code));
        assert!(ranks.max().unwrap() <= LAST_RANK);
    }

    proptest! {
        #[test]
        fn the_normal_form_of_a_normal_form_is_itself(text in "[a-e\u{300}-\u{360}\u{1100}-\u{11ff}\u{ac00}-\u{ad00}日]{0,20}") {
            let once = normal(&text);
            prop_assert_eq!(normal(&once), once);
        }

        #[test]
        fn broken_bytes_never_vanish(text: Vec<u8>) {
            let broken = |text: &[u8]| text.utf8_chunks().flat_map(|c| c.invalid().to_vec()).collect::<Vec<u8>>();
            prop_assert_eq!(broken(&nfc(&text)), broken(&text));
        }
    }
}
