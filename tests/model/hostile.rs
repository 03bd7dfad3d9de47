//! Files that are cut, changed or made to do harm: a clear error, never a crash.

use nucleus_sampler::model::{Architecture, Encoding, Loader, Model};
use nucleus_sampler::{Error, Result};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::file::{File, Value, text};
use super::plan::{Plan, quantised};

fn plan() -> Plan {
    Plan {
        architecture: Architecture::Qwen2,
        n_vocab: 5,
        n_layers: 1,
        dim: 32,
        ffn_dim: 32,
        n_kv_heads: 1,
        group: 2,
        head_dim: 16,
        rope_dims: 16,
        tied: true,
        encoding: Encoding::Q4_1,
        seed: 3,
    }
}

fn file() -> File {
    let mut file = plan().file();
    let texts = |texts: [&str; 5]| Value::Texts(texts.map(String::from).into());
    file.set("tokenizer.ggml.tokens", texts(["a", "b", "ab", "", "é"]));
    file.set("tokenizer.ggml.token_type", Value::Integers(vec![1; 5]));
    file
}

/// The error of a file, which has a message.
fn refused(bytes: &[u8]) -> Error {
    let error = Model::load(bytes).unwrap_err();
    assert!(error.to_string().len() > 10, "{error}");
    error
}

fn in_pieces(bytes: &[u8], size: Option<u64>, piece: usize) -> Result<Model> {
    let mut loader = Loader::new(size);
    for piece in bytes.chunks(piece.max(1)) {
        loader.push(piece)?;
    }
    loader.finish()
}

#[test]
fn a_file_cut_anywhere_is_an_error_that_says_so() {
    let bytes = file().bytes();
    Model::load(&bytes).unwrap();
    for n in 0..bytes.len() {
        let error = refused(&bytes[..n]);
        assert!(matches!(error, Error::WrongLength { what: "the file", .. }), "{n}: {error}");
        if n % 7 == 0 {
            let error = in_pieces(&bytes[..n], None, 100).unwrap_err();
            assert_eq!(error.code(), "wrong_length", "{n}");
        }
    }
}

#[test]
fn a_file_may_come_in_any_pieces_and_be_longer_than_it_has_to_be() {
    let mut bytes = file().bytes();
    let expected = Model::load(&bytes).unwrap().session().prefill(&[1, 2, 3]).unwrap();
    bytes.extend([7; 100]);
    for (size, piece) in [(None, 1), (Some(bytes.len() as u64), 13), (None, 1000), (None, 1 << 20)]
    {
        let model = in_pieces(&bytes, size, piece).unwrap();
        assert_eq!(model.session().prefill(&[1, 2, 3]).unwrap(), expected);
        assert_eq!(model.vocabulary().tokens.iter().collect::<Vec<_>>(), ["a", "b", "ab", "", "é"]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn changed_bytes_never_crash(changes in prop::collection::vec((any::<usize>(), any::<u8>()), 1..4)) {
        let mut bytes = file().bytes();
        let n = bytes.len();
        for (at, byte) in changes {
            // Mostly the header, which is most of what can be wrong.
            bytes[at % (if at % 5 == 0 { n } else { n / 2 })] = byte;
        }
        if let Ok(model) = Model::load(&bytes) {
            let mut session = model.session();
            let tokens = [0, 1, 2];
            let found = session.prefill(&tokens);
            prop_assert!(found.is_ok() || model.config().n_ctx < 3 || model.config().n_vocab < 3);
        }
    }

    #[test]
    fn any_bytes_never_crash(rest: Vec<u8>) {
        let bytes = [&b"GGUF\x03\0\0\0"[..], &rest].concat();
        prop_assert!(Model::load(&bytes).is_err());
        prop_assert!(Model::load(&rest).is_err());
    }

    #[test]
    fn a_number_that_is_not_finite_is_refused(plan in quantised(), at: usize) {
        let mut file = plan.file();
        let i = at % file.tensors.len();
        let tensor = &mut file.tensors[i];
        let (halves, block) = super::plan::halves(tensor.encoding);
        let first = at % (tensor.bytes.len() / block) * block;
        match halves.first() {
            Some(half) => tensor.bytes[first + half..first + half + 2].fill(0xff),
            None => tensor.bytes[first..first + block].fill(0xff),
        }
        let name = tensor.name.clone();
        let error = refused(&file.bytes());
        prop_assert!(error.to_string().contains(&name), "{}", error);
    }
}

/// A header with some counts and then `rest`.
fn header(n_tensors: u64, n_entries: u64, rest: &[u8]) -> Vec<u8> {
    [b"GGUF", &3u32.to_le_bytes()[..], &n_tensors.to_le_bytes(), &n_entries.to_le_bytes(), rest]
        .concat()
}

#[test]
fn lengths_that_no_file_has_are_refused_before_anything_is_allocated() {
    let huge = u64::MAX.to_le_bytes();
    assert_eq!(refused(&header(u64::MAX, 0, &[])).code(), "too_large");
    assert_eq!(refused(&header(0, u64::MAX, &[])).code(), "too_large");
    assert_eq!(refused(&header(0, 1, &huge)).code(), "too_large");
    let mut entry = Vec::new();
    text(&mut entry, "key");
    for kind in [0u32, 3, 4, 8, 12] {
        let array = [&entry[..], &9u32.to_le_bytes(), &kind.to_le_bytes(), &huge].concat();
        let code = refused(&header(0, 1, &array)).code();
        assert!(["too_large", "wrong_length"].contains(&code), "{kind}: {code}");
    }
    let nested = [&entry[..], &9u32.to_le_bytes(), &9u32.to_le_bytes(), &huge].concat();
    assert!(refused(&header(0, 1, &nested)).to_string().contains("array of arrays"));
}

/// What a change of the file is refused with.
fn changed(change: impl FnOnce(&mut File)) -> String {
    let mut file = file();
    change(&mut file);
    refused(&file.bytes()).to_string()
}

#[test]
fn what_is_wrong_is_named() {
    let set = |key: &str, value: Value| changed(|file| file.set(key, value));
    for (found, expected) in [
        (set("general.architecture", Value::Text("mamba".into())), "mamba"),
        (set("general.architecture", Value::Integer(1)), "general.architecture must be a text"),
        (set("qwen2.block_count", Value::Integer(0)), "qwen2.block_count must be from 1"),
        (set("qwen2.block_count", Value::Text("1".into())), "qwen2.block_count must be an integer"),
        (set("qwen2.block_count", Value::Integer(2)), "the tensor blk.1."),
        (set("qwen2.attention.head_count_kv", Value::Integer(3)), "a divisor of head_count"),
        (set("qwen2.rope.scaling.type", Value::Text("yarn".into())), "none or linear, not yarn"),
        (set("qwen2.embedding_length", Value::Integer(64)), "the shape of"),
        (set("general.alignment", Value::Integer(33)), "a power of two"),
        (
            changed(|file| file.tensor("token_embd.weight").name = "token_embd.wait".into()),
            "the tensor token_embd.weight must be in the file, not missing",
        ),
        (
            changed(|file| file.tensors.retain(|tensor| tensor.name != "blk.0.attn_k.bias")),
            "the tensor blk.0.attn_k.bias must be in the file, not missing",
        ),
        (
            changed(|file| file.tensor("blk.0.ffn_up.weight").name = "blk.0.ffn_down_exps".into()),
            "the tensor blk.0.ffn_down_exps must be one of those of qwen2",
        ),
        (changed(|file| file.metadata.push(file.metadata[0].clone())), "twice"),
        (changed(|file| file.tensors.push(file.tensors[0].clone())), "twice"),
    ] {
        assert!(found.contains(expected), "{found}");
    }
    assert!(refused(b"<!doctype html>").to_string().contains("begins with \"GGUF\""));
    assert!(
        refused(b"GGUF\x09\0\0\0").to_string().contains("the GGUF version must be 2 or 3, not 9")
    );
}

#[test]
fn an_encoding_that_is_not_known_is_named() {
    let bytes = file().bytes();
    // The number of Q4_1 that follows the embedding's name and two dimensions.
    let name = b"token_embd.weight";
    let at = bytes.windows(name.len()).position(|window| window == name).unwrap() + name.len() + 20;
    for (number, expected) in [(16u8, "IQ2_XXS"), (10, "Q2_K"), (99, "type number 99")] {
        let mut changed = bytes.clone();
        changed[at] = number;
        let error = refused(&changed).to_string();
        assert!(error.contains(expected) && error.contains("token_embd.weight"), "{error}");
    }
}
