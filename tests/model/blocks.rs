//! Blocks of weights as gguf's NumPy code reads them.

use nucleus_sampler::model::{Encoding, format};
use serde_json::Value;

fn bytes(hex: &Value) -> Vec<u8> {
    let digits = hex.as_str().unwrap().as_bytes();
    let digit = |c: u8| (c as char).to_digit(16).unwrap() as u8;
    digits.chunks(2).map(|two| digit(two[0]) << 4 | digit(two[1])).collect()
}

#[test]
fn numbers_are_those_of_the_reference_to_the_bit() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/blocks.json");
    let golden: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let cases = golden["blocks"].as_array().unwrap();
    for case in cases {
        let name = case["encoding"].as_str().unwrap();
        let encoding = Encoding::ALL.into_iter().find(|one| one.name() == name).unwrap();
        let values = bytes(&case["values"]);
        let expected: Vec<u32> =
            values.as_chunks().0.iter().map(|four| u32::from_le_bytes(*four)).collect();
        let mut found = vec![0.0; expected.len()];
        format::decode(encoding, &bytes(&case["bytes"]), &mut found);
        let found: Vec<u32> = found.into_iter().map(f32::to_bits).collect();
        assert_eq!(found, expected, "{name}");
    }
    // Every encoding but F32, which is read as it stands.
    assert_eq!(cases.len(), Encoding::ALL.len() - 1);
}
