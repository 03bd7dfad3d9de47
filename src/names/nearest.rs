//! The known name that a misspelt one was meant to be, where one is near enough to say so.
//!
//! Near: at most a third of the letters differ (inserted, dropped, replaced, or two neighbours exchanged), capitals and
//! underscores aside; or the name is the beginning of a known one. Anything else is better answered with what there is.

/// An abbreviation is at least this long.
const SHORTEST_BEGINNING: usize = 4;

/// The nearest of the known names, if any is near.
pub(crate) fn nearest<'k>(
    given: &str,
    known: &mut dyn Iterator<Item = &'k str>,
) -> Option<&'k str> {
    let given = letters(given);
    if given.is_empty() {
        return None;
    }
    let distance = |name: &str| {
        let name = letters(name);
        let begins = given.len() >= SHORTEST_BEGINNING && name.starts_with(&given);
        let distance = edit_distance(&given, &name);
        (begins || distance * 3 <= given.len().max(name.len())).then_some(distance)
    };
    known
        .filter_map(|name| Some((distance(name)?, name)))
        .min_by_key(|near| near.0)
        .map(|near| near.1)
}

/// The letters by which names are compared. No name has one beyond ASCII: what is there counts as a wrong letter, for
/// the tables that tell which are letters would be larger than all names.
fn letters(name: &str) -> Vec<char> {
    name.chars()
        .filter(|c| c.is_ascii_alphanumeric() || !c.is_ascii())
        .map(|c| c.to_ascii_lowercase())
        .collect()
}

/// How many letters to insert, drop, replace or exchange with their neighbour.
fn edit_distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, other) in b.iter().enumerate() {
            let at = |row: &[usize], j: usize| row.get(j).copied().unwrap_or(usize::MAX / 2);
            let replaced = at(&row, j) + usize::from(letter != other);
            let mut least = replaced.min(at(&next, j) + 1).min(at(&row, j + 1) + 1);
            let exchanged = |k: usize| a.get(i - 1) == b.get(k + 1) && b.get(k) == Some(letter);
            if i > 0 && j > 0 && exchanged(j - 1) {
                least = least.min(at(&before, j - 1) + 1);
            }
            next.push(least);
        }
        before = core::mem::replace(&mut row, next);
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [&str; 8] =
        ["temperature", "topH", "topK", "topP", "minP", "topA", "repetitionPenalty", "order"];

    #[test]
    fn a_near_name_is_found_whatever_its_capitals_and_underscores() {
        for (given, expected) in [
            ("top_p", "topP"),
            ("TOPP", "topP"),
            ("Temprature", "temperature"),
            ("tempertaure", "temperature"),
            ("temp", "temperature"),
            ("repeat_penalty", "repetitionPenalty"),
            ("oredr", "order"),
            ("topQ", "topH"),
            ("top_a", "topA"),
            ("TOP_H", "topH"),
        ] {
            assert_eq!(nearest(given, &mut KNOWN.into_iter()), Some(expected), "{given}");
        }
    }

    #[test]
    fn a_name_that_is_near_to_none_has_no_nearest() {
        for given in ["", "_", "xtc", "dry", "mirostat", "typicalP", "topNSigma", "tfs"] {
            assert_eq!(nearest(given, &mut KNOWN.into_iter()), None, "{given}");
        }
    }

    #[test]
    fn the_distance_counts_each_kind_of_slip_once() {
        let distance = |a: &str, b: &str| edit_distance(&letters(a), &letters(b));
        for (a, b, expected) in
            [("", "", 0), ("abc", "", 3), ("", "ab", 2), ("mask", "maks", 1), ("mask", "maskx", 1)]
        {
            assert_eq!((distance(a, b), distance(b, a)), (expected, expected), "{a} {b}");
        }
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
