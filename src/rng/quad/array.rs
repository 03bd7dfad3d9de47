//! Four u32 as an array.

/// Four u32.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quad([u32; 4]);

impl Quad {
    #[inline(always)]
    pub(crate) fn new(lanes: [u32; 4]) -> Quad {
        Quad(lanes)
    }

    /// Lane by lane.
    #[inline(always)]
    pub(crate) fn add(self, other: Quad) -> Quad {
        let mut lanes = self.0;
        for (lane, other) in lanes.iter_mut().zip(other.0) {
            *lane = lane.wrapping_add(other);
        }
        Quad(lanes)
    }

    /// (self ^ other) <<< n, lane by lane.
    #[inline(always)]
    pub(crate) fn mix<const N: u32>(self, other: Quad) -> Quad {
        let mut lanes = self.0;
        for (lane, other) in lanes.iter_mut().zip(other.0) {
            *lane = (*lane ^ other).rotate_left(N);
        }
        Quad(lanes)
    }

    #[inline(always)]
    pub(crate) fn to_array(self) -> [u32; 4] {
        self.0
    }
}
