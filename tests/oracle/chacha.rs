//! ChaCha from its definition: a 256-bit key, a 64-bit block counter and a 64-bit stream number.

const CONSTANTS: [u32; 4] = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];

/// One block of 16 words after `n_rounds` rounds (8 for the contract's streams, 20 for RFC 8439).
pub fn block(key: &[u8; 32], counter: u64, stream: u64, n_rounds: usize) -> [u32; 16] {
    let mut start = [0; 16];
    start[..4].copy_from_slice(&CONSTANTS);
    for (word, bytes) in start[4..12].iter_mut().zip(key.as_chunks::<4>().0) {
        *word = u32::from_le_bytes(*bytes);
    }
    (start[12], start[13]) = (counter as u32, (counter >> 32) as u32);
    (start[14], start[15]) = (stream as u32, (stream >> 32) as u32);
    let mut state = start;
    for _ in 0..n_rounds / 2 {
        for i in 0..4 {
            quarter(&mut state, [i, 4 + i, 8 + i, 12 + i]);
        }
        for i in 0..4 {
            quarter(&mut state, [i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4]);
        }
    }
    for (word, added) in state.iter_mut().zip(start) {
        *word = word.wrapping_add(added);
    }
    state
}

fn quarter(state: &mut [u32; 16], [a, b, c, d]: [usize; 4]) {
    for (turn_d, turn_b) in [(16, 12), (8, 7)] {
        state[a] = state[a].wrapping_add(state[b]);
        state[d] = (state[d] ^ state[a]).rotate_left(turn_d);
        state[c] = state[c].wrapping_add(state[d]);
        state[b] = (state[b] ^ state[c]).rotate_left(turn_b);
    }
}

/// The 64-bit word of `position` in the stream of a seed: the low half comes first.
pub fn word(seed: u64, stream: u64, position: u64) -> u64 {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let block = block(&key, position / 8, stream, 8);
    let first = (position % 8 * 2) as usize;
    u64::from(block[first]) | u64::from(block[first + 1]) << 32
}
