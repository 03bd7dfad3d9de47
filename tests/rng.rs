//! The words that draws are made of, against ChaCha written from its definition.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

mod common;
mod oracle;

use nucleus_sampler::rng::{Purpose, Words};
use nucleus_sampler::{Options, Sampler};

const SEEDS: [u64; 5] = [0, 1, 42, (1 << 53) - 1, u64::MAX];
const STREAMS: [u32; 3] = [0, 1, u32::MAX];
const POSITIONS: [u64; 8] = [0, 1, 7, 8, 1000, 1 << 34, 1 << 40, (1 << 53) - 1];

/// RFC 8439, section 2.3.2.
#[test]
fn the_block_function_is_that_of_rfc_8439_at_20_rounds() {
    let key: Vec<u8> = (0..32).collect();
    let counter = 1 | 0x0900_0000 << 32;
    let block = oracle::block(&key.try_into().unwrap(), counter, 0x4a00_0000, 20);
    let expected = [
        0xe4e7_f110,
        0x1559_3bd1,
        0x1fdd_0f50,
        0xc471_20a3,
        0xc7f4_d1c7,
        0x0368_c033,
        0x9aaa_2204,
        0x4e6c_d4c3,
        0x4664_82d2,
        0x09aa_9f07,
        0x05d7_c214,
        0xa202_8bd9,
        0xd19c_12b5,
        0xb94e_16de,
        0xe883_d0cb,
        0x4e3c_50a2,
    ];
    assert_eq!(block, expected);
}

/// The first key stream block of ChaCha8 with a 256-bit key of zeros and a stream number of 0, as published with the
/// eSTREAM test vectors.
#[test]
fn the_block_function_is_chacha8_at_8_rounds() {
    let bytes: Vec<u8> =
        oracle::block(&[0; 32], 0, 0, 8).iter().flat_map(|word| word.to_le_bytes()).collect();
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let expected = "3e00ef2f895f40d67f5bb8e81f09a5a12c840ec3ce9a7f3b181be188ef711a1e\
                    984ce172b9216f419f445367456d5619314a42a3da86b001387bfdb80e0cfe42";
    assert_eq!(hex, expected);
}

#[test]
fn a_word_is_the_nth_word_of_chacha8_with_the_seed_as_key_and_the_row_s_stream() {
    for seed in SEEDS {
        for stream in STREAMS {
            for position in POSITIONS {
                let found = Words::new(seed, stream, Purpose::Draw).word(position);
                let expected = oracle::word(seed, u64::from(stream), position);
                assert_eq!(found, expected, "seed {seed}, stream {stream}, position {position}");
            }
        }
    }
}

#[test]
fn words_in_sequence_are_the_words_of_each_position() {
    for seed in SEEDS {
        let mut words = Words::new(seed, 1, Purpose::Draw);
        for position in (0..40).chain((1 << 40)..(1 << 40) + 40).chain([3, 2, 2, 1000]) {
            assert_eq!(
                words.word(position),
                oracle::word(seed, 1, position),
                "position {position}"
            );
        }
    }
}

/// Two equal tokens split the words in half, so every draw shows the highest bit of its word.
#[test]
fn a_sampler_reads_one_word_a_draw_from_the_stream_of_its_seed() {
    for seed in SEEDS {
        for stream in STREAMS {
            let options = Options { seed: Some(seed), stream: Some(stream), ..Options::default() };
            let tokens = Sampler::new(options).unwrap().sample_many(&[0.5, 0.5], 200).unwrap();
            let bits = (0..200).map(|n| (oracle::word(seed, u64::from(stream), n) >> 63) as u32);
            assert_eq!(tokens, bits.collect::<Vec<_>>(), "seed {seed}, stream {stream}");
        }
    }
}

#[test]
fn the_words_are_those_of_rand_chacha() {
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};
    for (seed, stream) in SEEDS.into_iter().flat_map(|seed| STREAMS.map(|stream| (seed, stream))) {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        let mut generator = ChaCha8Rng::from_seed(key);
        generator.set_stream(stream.into());
        for position in POSITIONS {
            generator.set_word_pos(u128::from(position) * 2);
            let expected: Vec<u64> = (0..100).map(|_| generator.next_u64()).collect();
            let mut words = Words::new(seed, stream, Purpose::Draw);
            let one_by_one: Vec<u64> = (0..100).map(|i| words.word(position + i)).collect();
            assert_eq!(one_by_one, expected, "seed {seed}, stream {stream}, from {position}");
            let mut filled = vec![0; 100];
            words.fill(position, &mut filled);
            assert_eq!(filled, expected, "seed {seed}, stream {stream}, from {position}");
        }
    }
}
