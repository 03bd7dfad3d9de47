//! The first pass: validity, and the lane-wise maxima of groups.
//!
//! Whether a row is valid shows in two accumulators: +infinity in the maximum, NaN in a sum of everything, which NaN
//! poisons. A sum of finite logits may overflow to an infinity and two infinities cancel to NaN; a poisoned sum therefore
//! only starts the slow search, which decides.

use super::GROUP;
use super::lanes::{F32s, Lanes, WIDTH};

/// The lane-wise maximum of each group: entry g, lane j is the highest of the places 64 g + 8 i + j.
pub(crate) type Maxima = Vec<[f32; WIDTH]>;

/// Fills `maxima` and returns the highest logit (-infinity when all are dead); NaN or +infinity gives the lowest such
/// place as the error.
#[inline]
pub(crate) fn scan(row: &[f32], maxima: &mut Maxima) -> Result<f32, usize> {
    maxima.clear();
    let mut seen = Seen::new();
    let (groups, rest) = row.as_chunks::<GROUP>();
    maxima.extend(groups.iter().map(|group| seen.group(group)));
    seen.rest(rest, maxima);
    seen.finish(row)
}

/// Makes `copy` a copy of the row. By vectors: an engine's own way of moving memory takes ten times as long for some rows.
pub(crate) fn copy(row: &[f32], copy: &mut Vec<f32>) {
    copy.resize(row.len(), 0.0);
    let (groups, rest) = row.as_chunks::<GROUP>();
    let (copies, copied_rest) = copy.as_chunks_mut::<GROUP>();
    for (from, to) in groups.iter().zip(copies) {
        copy_group(from, to);
    }
    for (from, to) in rest.iter().zip(copied_rest) {
        *to = *from;
    }
}

/// Written out, for a compiler makes a loop of this what it is to stand in for.
#[inline(always)]
fn copy_group(from: &[f32; GROUP], to: &mut [f32; GROUP]) {
    let from = from.as_chunks::<WIDTH>().0;
    let to = to.as_chunks_mut::<WIDTH>().0;
    if let ([a, b, c, d, e, f, g, h], [p, q, r, s, t, u, v, w]) = (from, to) {
        let [a, b, c, d] = [F32s::load(a), F32s::load(b), F32s::load(c), F32s::load(d)];
        let [e, f, g, h] = [F32s::load(e), F32s::load(f), F32s::load(g), F32s::load(h)];
        a.store(p);
        b.store(q);
        c.store(r);
        d.store(s);
        e.store(t);
        f.store(u);
        g.store(v);
        h.store(w);
    }
}

/// The highest of all.
pub(crate) fn highest(maxima: &Maxima) -> f32 {
    let none = F32s::splat(f32::NEG_INFINITY);
    let lanes = maxima.iter().fold(none, |max, group| max.higher(F32s::load(group)));
    lanes.to_array().into_iter().fold(f32::NEG_INFINITY, f32::max)
}

/// The lowest of a list; none when it is empty.
pub(crate) fn lowest(logits: &[f32]) -> Option<f32> {
    let zero = F32s::splat(0.0);
    let (chunks, rest) = logits.as_chunks::<WIDTH>();
    let negative = chunks.iter().fold(F32s::splat(f32::NEG_INFINITY), |highest, chunk| {
        highest.higher(zero.sub(F32s::load(chunk)))
    });
    let lanes = negative.to_array().map(|lane| 0.0 - lane);
    lanes.iter().chain(rest).copied().reduce(f32::min).filter(|_| !logits.is_empty())
}

struct Seen {
    max: F32s,
    sum: F32s,
}

impl Seen {
    fn new() -> Seen {
        Seen { max: F32s::splat(f32::NEG_INFINITY), sum: F32s::splat(0.0) }
    }

    /// Takes in a group. Trees rather than chains: the operations of a level do not wait for each other.
    #[inline(always)]
    fn group(&mut self, group: &[f32; GROUP]) -> [f32; WIDTH] {
        let mut maxima = [f32::NEG_INFINITY; WIDTH];
        if let ([a, b, c, d, e, f, g, h], []) = group.as_chunks::<WIDTH>() {
            let [a, b, c, d] = [F32s::load(a), F32s::load(b), F32s::load(c), F32s::load(d)];
            let [e, f, g, h] = [F32s::load(e), F32s::load(f), F32s::load(g), F32s::load(h)];
            let low = a.higher(b).higher(c.higher(d));
            let max = low.higher(e.higher(f).higher(g.higher(h)));
            let sum = a.add(b).add(c.add(d)).add(e.add(f).add(g.add(h)));
            self.max = self.max.higher(max);
            self.sum = self.sum.add(sum);
            max.store(&mut maxima);
        }
        maxima
    }

    /// Takes in what is left, as a group filled up with the dead.
    #[inline]
    fn rest(&mut self, rest: &[f32], maxima: &mut Maxima) {
        if !rest.is_empty() {
            let mut group = [f32::NEG_INFINITY; GROUP];
            for (place, logit) in group.iter_mut().zip(rest) {
                *place = *logit;
            }
            maxima.push(self.group(&group));
        }
    }

    #[inline]
    fn finish(self, row: &[f32]) -> Result<f32, usize> {
        let max = self.max.to_array().into_iter().fold(f32::NEG_INFINITY, f32::max);
        let poisoned = self.sum.to_array().into_iter().any(f32::is_nan);
        if !poisoned && max < f32::INFINITY {
            return Ok(max);
        }
        let invalid = |logit: &f32| logit.is_nan() || *logit == f32::INFINITY;
        row.iter().position(invalid).map_or(Ok(max), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_maximum_of_the_row_and_of_every_lane_at_every_length() {
        for n in 1..600usize {
            let row: Vec<f32> = (0..n)
                .map(
                    |i| if i % 7 == 3 { f32::NEG_INFINITY } else { ((i * 37) % 101) as f32 - 50.0 },
                )
                .collect();
            let mut maxima = Maxima::new();
            let highest =
                |of: &mut dyn Iterator<Item = &f32>| of.copied().fold(f32::NEG_INFINITY, f32::max);
            assert_eq!(scan(&row, &mut maxima), Ok(highest(&mut row.iter())));
            for (group, maxima) in row.chunks(GROUP).zip(&maxima) {
                for (lane, max) in maxima.iter().enumerate() {
                    assert_eq!(*max, highest(&mut group.iter().skip(lane).step_by(WIDTH)));
                }
            }
            assert_eq!(maxima.len(), n.div_ceil(GROUP));
            let mut same = vec![0.5; 77];
            copy(&row, &mut same);
            assert_eq!(same, row);
        }
    }

    #[test]
    fn names_the_lowest_invalid_place() {
        for bad in [f32::NAN, -f32::NAN, f32::INFINITY] {
            for (n, places) in
                [(1, vec![0]), (300, vec![299]), (1000, vec![999, 511, 512]), (9, vec![8, 7])]
            {
                let mut row = vec![0.5; n];
                for place in &places {
                    row[*place] = bad;
                }
                let lowest = places.iter().min().copied().unwrap();
                assert_eq!(scan(&row, &mut Maxima::new()), Err(lowest));
            }
        }
    }

    #[test]
    fn sums_that_overflow_do_not_make_a_valid_row_invalid() {
        let mut row = vec![f32::MAX; 300];
        row.extend([f32::MIN; 300]);
        row.push(f32::NEG_INFINITY);
        assert_eq!(scan(&row, &mut Maxima::new()), Ok(f32::MAX));
        assert_eq!(scan(&[f32::NEG_INFINITY; 70], &mut Maxima::new()), Ok(f32::NEG_INFINITY));
    }
}
